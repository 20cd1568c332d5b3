import { sql } from 'kysely';
import { searchKey } from '../../../shared/rules/search-key.ts';
import type { Caller } from '../auth/caller.ts';
import { isVisibleTo } from '../customers/scope.ts';
import type { TypeOf } from '../http/route.ts';
import {
  boolean,
  date,
  described,
  id,
  integer,
  list,
  object,
  orNull,
  pageQuery,
  search,
  string,
  text,
} from '../http/schema.ts';
import { fields, type RowOf } from '../resource/fields.ts';
import { listPage } from '../resource/list-page.ts';
import { containing, exactTo, isShort } from '../search.ts';
import type { Database } from '../tables.ts';
import { mayReopen, reopenDays } from './change.ts';
import { findTicket, hasNumber, ticketsOf } from './scope.ts';
import { messageKinds, priorities, ticketStates } from './tables.ts';

const ticket = fields('t', [
  { name: 'TicketId', shape: id, column: 'id' },
  { name: 'Subject' },
  { name: 'Status', shape: { ...string, enum: ticketStates } },
  { name: 'Priority', shape: { ...string, enum: priorities } },
  { name: 'Author' },
  { name: 'Product' },
  {
    name: 'OrganisationId',
    shape: orNull(id),
    column: sql`(select c.organisation_id from customers c where c.id = t.customer_id)`,
  },
  { name: 'CustomerName', shape: orNull(string) },
  { name: 'Created', shape: date },
  { name: 'Updated', shape: date },
]);
const counts = { All: integer, Open: integer, Waiting: integer, Answered: integer, Closed: integer };
export const ticketList = object({
  Items: list(ticket.schema),
  Total: integer,
  TotalIsExact: boolean,
  Counts: described(object(counts), 'Where a search finds more than are counted, how many there are at least.'),
  Customer: described(orNull(string), 'Whose tickets they are, of one customer.'),
});

const orders = {
  Updated: sql`t.updated`,
  Created: sql`t.created`,
  Subject: sql`t.subject`,
  Priority: sql`t.urgency`,
} as const;
const sorts = Object.keys(orders) as (keyof typeof orders)[];
export const ticketQuery = pageQuery({
  search,
  status: { enum: ticketStates },
  priority: { enum: priorities },
  customerId: text(40),
  sort: { enum: sorts.flatMap(name => [name, `-${name}`] as const), default: '-Updated' },
});
type Query = TypeOf<typeof ticketQuery>;

/** Lists a page of the tickets that the caller sees, of all or of those that are not closed, and counts their states. */
export async function listTickets(db: Database, caller: Caller, query: Query, isActive: boolean) {
  const { sort = '-Updated' } = query;
  const order = orders[sort.replace('-', '') as keyof typeof orders];
  const way = sort.startsWith('-') ? sql`desc` : sql`asc`;
  const page = await listPage(db, query, {
    fields: ticket,
    from: sql`tickets t`,
    key: sql`t.id`,
    where: isActive ? sql`${ticketsOf(caller)} and t.status <> 'Closed'` : ticketsOf(caller),
    filters: {
      // One or two letters are no trigram: the index of those would be read whole, row after row looked at besides.
      search: words =>
        isShort(words)
          ? sql`strpos(t.search_text, ${searchKey(words)}::text collate "C") > 0`
          : sql`t.search_text like ${containing(words)}`,
      status: status => sql`t.status = ${status}`,
      priority: priority => sql`t.priority = ${priority}`,
      customerId: key => sql`t.customer_id = (select c.id from customers c where ${hasNumber(key)})`,
    },
    counts: { filter: 'status', values: ticketStates, of: sql`t.status` },
    upTo: exactTo,
    order: sql`${order} ${way}, t.id ${way}`,
  });
  return { ...page, Customer: await readCustomerName(db, caller, query.customerId) };
}

/** The name of a customer that the caller sees; null of any other, and of none. */
async function readCustomerName(db: Database, caller: Caller, key = ''): Promise<string | null> {
  if (key === '') return null;
  const { rows } = await sql<{ name: string }>`
    select c.name from customers c where ${isVisibleTo(caller)} and ${hasNumber(key)}`.execute(db);
  return rows[0]?.name ?? null;
}

/** The columns of the CSV file of tickets. */
export const ticketCells = (row: RowOf<typeof ticket>): string[] => [
  ...[row.TicketId, row.Subject, row.Status, row.Priority, row.CustomerName ?? '', row.Product, row.Author],
  ...[row.Created, row.Updated].map(at => at.toISOString()),
];

const detail = fields('t', [
  ...ticket.list,
  { name: 'UserId', shape: orNull(id) },
  {
    name: 'UserName',
    shape: orNull(string),
    column: sql`(select u.display_name from users u where u.id = t.user_id)`,
  },
  { name: 'Closed', shape: orNull(date) },
  { name: 'Screen', shape: described(string, 'Address of the page in the portal on which it was opened.') },
  { name: 'Reference', shape: described(string, 'Number of the order, the invoice or the error that it is about.') },
  { name: 'Failure', shape: described(string, 'What failed, as the page said it.') },
  { name: 'Phone' },
  {
    name: 'Messages',
    shape: described(integer, 'How many were written: a reply says how many its author had seen.'),
    column: sql`(select count(*)::int from ticket_messages m where m.ticket_id = t.id)`,
  },
]);
export const ticketDetail = object({
  ...detail.shapes,
  MayReopen: boolean,
  ReopenUntil: described(orNull(date), `Until ${reopenDays} days after it was closed.`),
});

/** Reads a ticket of the caller. @throws {CloudError} 404 for any other */
export async function readTicket(db: Database, caller: Caller, key: string, now: Date) {
  const { id: ticketId } = await findTicket(db, caller, key);
  const { rows } = await sql<RowOf<typeof detail>>`
    select ${sql.join(detail.columns)} from tickets t where t.id = ${ticketId}`.execute(db);
  const row = rows[0]!;
  const until = row.Closed && new Date(row.Closed.getTime() + reopenDays * 86_400_000);
  return { ...row, MayReopen: mayReopen(row.Closed, now), ReopenUntil: until };
}

const message = fields('m', [
  { name: 'MessageId', shape: id, column: 'id' },
  { name: 'At', shape: date },
  { name: 'Author' },
  { name: 'Kind', shape: { ...string, enum: messageKinds } },
  { name: 'Content' },
  {
    name: 'Files',
    shape: described(string, 'Names of the files that came with it.'),
    column: sql`coalesce(f.names, '')`,
  },
]);
export const messageList = list(message.schema);

/** Reads what was written on a ticket of the caller, the newest first. @throws {CloudError} 404 for any other */
export async function readMessages(db: Database, caller: Caller, key: string) {
  const { id: ticketId } = await findTicket(db, caller, key);
  const { rows } = await sql<RowOf<typeof message>>`
    select ${sql.join(message.columns)} from ticket_messages m
      left join (select message_id, string_agg(name, ', ' order by id) as names
        from ticket_files where ticket_id = ${ticketId} group by message_id) f on f.message_id = m.id
    where m.ticket_id = ${ticketId} order by m.id desc limit 1000`.execute(db);
  return rows;
}
