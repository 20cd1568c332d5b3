import { sql } from 'kysely';
import { dayIn, startOfDayIn } from '../../../shared/rules/time-zone.ts';
import { type Clock, clockColumns, writeLongDay, writeTime } from '../auth/clock.ts';
import type { Work } from '../every.ts';
import { type Mail, putMail } from '../outbox/mail.ts';
import type { Parts } from '../parts.ts';
import type { Blockable } from '../reseller-settings/blocked-mails.ts';
import type { Database, Write } from '../tables.ts';
import { seesOrganisation } from './sees.ts';
import { type Stoppable, writeStopToken } from './stop-links.ts';
import type { Category } from './tables.ts';

/** Notifications that one digest tells at most; it says how many more there are. */
const mostTold = 100;

const setting = 'portal url';

/** Stores where the portal is: what is told by itself names no address that a request brought. */
export async function rememberPortal(db: Database, portalUrl: string): Promise<void> {
  await db
    .insertInto('settings')
    .values({ name: setting, value: portalUrl })
    .onConflict(conflict => conflict.column('name').doUpdateSet({ value: portalUrl }))
    .execute();
}

/** Gives, as the end of a sentence in a mail, where a page of the portal is. */
export async function tellPage(trx: Write, path: string): Promise<string> {
  const found = await trx.selectFrom('settings').select('value').where('name', '=', setting).executeTakeFirst();
  return found ? `:\n${new URL(path, found.value)}` : ' in the portal.';
}

/** The foot of a mail that was chosen, and the address that stops mails of its kind. */
type Foot = { readonly foot: string } & Pick<Mail, 'unsubscribe'>;

/** Writes the foot of a mail that was chosen: where it is stopped with one press, and where the choice is changed. */
export async function footOf(trx: Write, stoppable: Stoppable): Promise<Foot> {
  const rows = await trx.selectFrom('settings').selectAll().where('name', 'in', [setting, 'token-secret']).execute();
  const [portal, secret] = [setting, 'token-secret'].map(name => rows.find(row => row.name === name)?.value);
  const why = 'You get this because you asked for it.';
  if (portal === undefined || secret === undefined)
    return { foot: `${why} Choose what you are told, and how in the portal.` };
  const unsubscribe = new URL(`/unsubscribe/${writeStopToken(secret, stoppable)}`, portal).href;
  const choices = new URL('/account-setting/notifications', portal).href;
  const what = stoppable.kind === 'digest' ? 'this digest' : 'mails of this kind';
  const foot = `${why} Stop ${what} with one press:\n${unsubscribe}\n\nChoose what you are told, and how:\n${choices}`;
  return { foot, unsubscribe };
}

/** The reseller of an account, and its customer where it is of one. */
type Belonging = { readonly resellerId: number; readonly customerId: string | null };
type Addressee = { readonly id: number; readonly email: string; readonly name: string; readonly of: Belonging };

/** A reseller may block mails to people of its customers, and none to its own. */
const blockable = ({ resellerId, customerId }: Belonging): Blockable | undefined =>
  customerId === null ? undefined : { kind: 'Notification', resellerId, customerId };

/** Mails a notification to who has asked for that. */
export async function mailNote(
  trx: Write,
  { id, email, name, of }: Addressee,
  { message, content, category }: { readonly message: string; readonly content: string; readonly category: Category },
  now: Date,
): Promise<void> {
  const { foot, unsubscribe } = await footOf(trx, { accountId: id, kind: category });
  const mail = { recipient: email, subject: message, body: `Hello ${name},\n\n${content}\n\n${foot}` };
  await putMail(trx, { ...mail, ...(unsubscribe && { unsubscribe }) }, now, blockable(of));
}

type Person = Clock & Belonging & { readonly id: number; readonly email: string; readonly name: string };
/** `oldest`: when the first of what waits was told. */
type Waiting = Person & { readonly oldest: Date };

/** Lists the accounts for which something waits, each with its clock. */
async function listWaiting(db: Database): Promise<Waiting[]> {
  return await db
    .selectFrom('accounts as a')
    .innerJoin('resellers as r', 'r.id', 'a.reseller_id')
    .innerJoin(
      from =>
        from
          .selectFrom('notification_digests')
          .select(({ fn }) => ['account_id', fn.min('created').as('oldest')])
          .groupBy('account_id')
          .as('d'),
      join => join.onRef('d.account_id', '=', 'a.id'),
    )
    .select([
      'd.oldest',
      'a.id',
      'a.email',
      'a.display_name as name',
      'a.reseller_id as resellerId',
      'a.customer_id as customerId',
    ])
    .select(clockColumns)
    .orderBy('a.id')
    .execute();
}

/** False where a digest has been stopped since what waits was told. */
const wantsDigest = sql<boolean>`
  not exists (select from notification_ways w where w.account_id = a.id and w.digest_stopped is not null)`;

/** Mails a person what waits of days that are over where they are, one mail for each day. */
async function sendDigestsTo(trx: Write, person: Person, now: Date): Promise<void> {
  const { id, email, name, timeZone } = person;
  const waiting = await trx
    .deleteFrom('notification_digests as d')
    .using('accounts as a')
    .whereRef('a.id', '=', 'd.account_id')
    .where('d.account_id', '=', id)
    .where('d.created', '<', startOfDayIn(now, timeZone))
    .returning(['d.id', 'd.created', 'd.message'])
    .returning(sql<boolean>`a.enabled and ${wantsDigest} and ${seesOrganisation(sql`d.organisation_id`)}`.as('sees'))
    .execute();
  const told = waiting.filter(({ sees }) => sees).sort((one, other) => one.id - other.id);
  const { foot, unsubscribe } = await footOf(trx, { accountId: id, kind: 'digest' });
  const days = new Map<string, typeof told>();
  for (const note of told) {
    const day = dayIn(note.created, timeZone);
    days.set(day, [...(days.get(day) ?? []), note]);
  }
  for (const notes of days.values()) {
    const lines = notes.slice(0, mostTold).map(({ created, message }) => `${writeTime(created, person)}  ${message}`);
    const more = notes.length > mostTold ? [`and ${notes.length - mostTold} more.`] : [];
    const body = `Hello ${name},\n\n${[...lines, ...more].join('\n')}\n\n${foot}`;
    const day = writeLongDay(notes[0]!.created, person);
    const subject = `${notes.length} ${notes.length === 1 ? 'notification' : 'notifications'} of ${day}`;
    const mail = { recipient: email, subject, body, ...(unsubscribe && { unsubscribe }) };
    await putMail(trx, mail, now, blockable(person));
  }
}

/** Sends the digests of days that are over, each person's when their own day ends. */
export function createDigests({ db, now }: Pick<Parts, 'db' | 'now'>): Work {
  return {
    async run() {
      for (const { oldest, ...person } of await listWaiting(db))
        if (oldest < startOfDayIn(now(), person.timeZone))
          await db.transaction().execute(trx => sendDigestsTo(trx, person, now()));
    },
  };
}
