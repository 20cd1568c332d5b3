import { sql } from 'kysely';
import { type Day, timeOf } from '../days.ts';
import { putMail } from '../outbox/mail.ts';
import type { Database, Write } from '../tables.ts';
import { seesOrganisation } from './sees.ts';

/** Notifications that one digest tells at most; it says how many more there are. */
const mostTold = 100;
const time = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: 'UTC' });
const longDay = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

const setting = 'portal url';

/** Stores where the portal is: what is told by itself names no address that a request brought. */
export async function rememberPortal(db: Database, portalUrl: string): Promise<void> {
  await db
    .insertInto('settings')
    .values({ name: setting, value: portalUrl })
    .onConflict(conflict => conflict.column('name').doUpdateSet({ value: portalUrl }))
    .execute();
}

/** The foot of a mail that was chosen: where the choice is changed. */
async function footOf(trx: Write): Promise<string> {
  const found = await trx.selectFrom('settings').select('value').where('name', '=', setting).executeTakeFirst();
  const address = found ? `:\n${new URL('/account-setting/notifications', found.value)}` : ' in the portal.';
  return `You get this because you asked for it. Choose what you are told, and how${address}`;
}

/** Mails a notification to who has asked for that. */
export async function mailNote(
  trx: Write,
  { email, name }: { readonly email: string; readonly name: string },
  { message, content }: { readonly message: string; readonly content: string },
  now: Date,
): Promise<void> {
  const body = `Hello ${name},\n\n${content}\n\n${await footOf(trx)}`;
  await putMail(trx, { recipient: email, subject: message, body }, now);
}

/** Mails what waits for the digest of a day that is over, one mail to each account. */
export async function sendDigests(trx: Write, day: Day): Promise<void> {
  const end = timeOf(day, 24);
  const waiting = await trx
    .deleteFrom('notification_digests as d')
    .using('accounts as a')
    .whereRef('a.id', '=', 'd.account_id')
    .where('d.created', '<', end)
    .returning(['d.id', 'd.account_id', 'd.created', 'd.message', 'a.email', 'a.display_name'])
    .returning(sql<boolean>`a.enabled and ${seesOrganisation(sql`d.organisation_id`)}`.as('sees'))
    .execute();
  const told = waiting.filter(({ sees }) => sees).sort((one, other) => one.id - other.id);
  const accounts = new Map<number, typeof told>();
  for (const note of told) accounts.set(note.account_id, [...(accounts.get(note.account_id) ?? []), note]);
  for (const notes of accounts.values()) {
    const { email, display_name } = notes[0]!;
    const lines = notes.slice(0, mostTold).map(({ created, message }) => `${time.format(created)}  ${message}`);
    const more = notes.length > mostTold ? [`and ${notes.length - mostTold} more.`] : [];
    const body = `Hello ${display_name},\n\n${[...lines, ...more].join('\n')}\n\n${await footOf(trx)}`;
    const subject = `${notes.length} ${notes.length === 1 ? 'notification' : 'notifications'} of ${longDay.format(day.start)}`;
    await putMail(trx, { recipient: email, subject, body }, end);
  }
}
