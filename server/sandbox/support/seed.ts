import { sql } from 'kysely';
import type { Filling } from '../area.ts';
import { dayMilliseconds } from '../seed/context.ts';
import type { Write } from '../tables.ts';
import { supportName } from './change.ts';
import type { MessageKind, Priority, TicketState } from './tables.ts';

type Line = readonly [kind: MessageKind, daysAgo: number, content: string];
type Seeded = {
  /** User name of the author. */
  readonly by: string;
  /** OrganisationId; absent: about the reseller itself. */
  readonly about?: number;
  readonly product?: string;
  readonly subject: string;
  readonly priority: Priority;
  readonly status: TicketState;
  readonly lines: readonly Line[];
};

const reseller = 'reseller@northwind.test';
const engineer = 'engineer@northwind.test';
const rival = 'rival@southridge.test';

const seeded: readonly Seeded[] = [
  {
    ...{ by: engineer, about: 10001, subject: 'A shared mailbox does not show up in Outlook', priority: 'Normal' },
    status: 'Waiting',
    lines: [
      [
        'Opened',
        6,
        'Two people of Contoso were given full access to the shared mailbox yesterday. One sees it, the other does not.',
      ],
      [
        'Question',
        5,
        'Which of the two does not see it, and since when were they given access? It can take an hour to appear.',
      ],
    ],
  },
  {
    ...{
      by: reseller,
      about: 10002,
      subject: 'Which licences end in the next quarter?',
      priority: 'Low',
      status: 'Answered',
    },
    lines: [
      ['Opened', 9, 'I would like to tell the customer before they renew.'],
      ['Answer', 8, 'The page of each service says when its term ends. The services list sorts by it.'],
    ],
  },
  {
    ...{ by: reseller, about: 10003, subject: 'Mail to one domain is delayed', priority: 'High', status: 'Open' },
    lines: [['Opened', 1, 'Mail to the supplier of this customer arrives up to an hour late since Monday.']],
  },
  {
    ...{ by: reseller, subject: 'A second administrator for our own account', priority: 'Normal', status: 'Closed' },
    lines: [
      ['Opened', 40, 'How do I make a colleague an administrator?'],
      ['Answer', 39, 'Under My account, Manage users: choose the person, then the role Administrator.'],
      ['Reply', 39, 'Thank you, that was it.'],
      ['Closed', 39, ''],
    ],
  },
  {
    ...{ by: engineer, about: 10004, subject: 'Backup of a laptop stopped', priority: 'Normal', status: 'Closed' },
    lines: [
      ['Opened', 6, 'The agent says that it cannot reach the service.'],
      ['Answer', 5, 'A new proxy stood in between. We have sent what it has to let through.'],
      ['Closed', 4, ''],
    ],
  },
  {
    ...{ by: rival, subject: 'The invoice of last month as a PDF', priority: 'Low', status: 'Answered' },
    lines: [
      ['Opened', 4, 'Where do I find it?'],
      ['Answer', 3, 'On the page of the invoice, under Download.'],
    ],
  },
];

async function insertTicket(
  trx: Write,
  { by, about, product = '', lines, ...ticket }: Seeded,
  now: Date,
): Promise<void> {
  const author = await trx
    .selectFrom('accounts')
    .select(['id', 'display_name', 'reseller_id'])
    .where('username', '=', by)
    .executeTakeFirst();
  if (!author) return;
  const customer =
    about === undefined
      ? null
      : await trx
          .selectFrom('customers')
          .select('id')
          .where('organisation_id', '=', about)
          .where('reseller_id', '=', author.reseller_id)
          .executeTakeFirst();
  // Its customer was deleted by people since.
  if (customer === undefined) return;
  const at = (daysAgo: number, line: number) => new Date(now.getTime() - daysAgo * dayMilliseconds + line * 3_600_000);
  const [first, last] = [at(lines[0]![1], 0), at(lines.at(-1)![1], lines.length - 1)];
  const { id } = await trx
    .insertInto('tickets')
    .values({
      ...{ ...ticket, product, reseller_id: author.reseller_id, customer_id: customer?.id ?? null, user_id: null },
      ...{ account_id: author.id, author: author.display_name, author_customer_id: null },
      ...{ created: first, updated: last, closed: ticket.status === 'Closed' ? last : null, is_simulated: true },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const rows = lines.map(([kind, daysAgo, content], line) => {
    const isSupport = kind === 'Answer' || kind === 'Question';
    const who = isSupport
      ? { account_id: null, author: supportName }
      : { account_id: author.id, author: author.display_name };
    return { ticket_id: id, at: at(daysAgo, line), kind, content, ...who };
  });
  await trx.insertInto('ticket_messages').values(rows).execute();
}

/** Inserts the seeded tickets. */
export async function insertTickets(trx: Write, { now }: Filling): Promise<void> {
  const { rows } = await sql<{ any: boolean }>`select exists (select from tickets) as any`.execute(trx);
  if (rows[0]?.any) return;
  for (const ticket of seeded) await insertTicket(trx, ticket, now);
}
