import { sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { prove, readProvingAccount } from '../auth/proof.ts';
import { recordActivity } from '../customers/activity.ts';
import { conflict, invalid } from '../http/errors.ts';
import type { Database } from '../tables.ts';
import { findMailbox, type Mailbox, usersOf } from './mailbox.ts';

const day = 86_400_000;
/** Days for which mail is kept to be recovered. */
const keptDays = 14;
/** Mails that are delivered again in a minute. */
const perMinute = 20;

export type RecoveryRequest = {
  readonly Address: string;
  readonly StartDate: string;
  readonly EndDate: string;
  readonly Deliver: string;
};

type Range = { readonly first: Date; readonly last: Date };

const startOfDay = (moment: Date): Date => new Date(Math.floor(moment.getTime() / day) * day);
const rangeKept = (now: Date): Range => ({ first: startOfDay(new Date(now.getTime() - keptDays * day)), last: now });
/** "08-11-2026 00:00": day-month-year hour:minute (document 2, section 9), in UTC. */
function write(moment: Date): string {
  const [date = '', time = ''] = moment.toISOString().split('T');
  return `${date.split('-').reverse().join('-')} ${time.slice(0, 5)}`;
}

/** Epoch milliseconds as the cloud writes them: padded to 13 digits, between two slashes (document 2, section 3). */
const writeEpoch = (moment: Date): string => `/${String(moment.getTime()).padStart(13, '0')}/`;

async function readDomain(db: Database, { customerId }: Mailbox): Promise<string> {
  const { domain } = await db
    .selectFrom('customers')
    .select('domain')
    .where('id', '=', customerId)
    .executeTakeFirstOrThrow();
  return domain;
}

/**
 * Reads what mail can be recovered for a mailbox and for its whole customer: whether there is any, the first and last
 * moment, and the server that it would be delivered to.
 * @throws {CloudError} 404 as `findMailbox`
 */
export async function readRecoveryInfo(db: Database, caller: Caller, key: string, address: string, now: Date) {
  const mailbox = await findMailbox(db, caller, key, address);
  const { first, last } = rangeKept(now);
  const { rows } = await sql<{ own: boolean; all: boolean }>`
    select exists (select from recoverable_mails where user_id = ${mailbox.userId} and received between ${first} and ${last})
        as own,
      exists (select from recoverable_mails m join users u on u.id = m.user_id
        where u.customer_id = ${mailbox.customerId} and m.received between ${first} and ${last}) as all`.execute(db);
  const DomainName = await readDomain(db, mailbox);
  return {
    DomainName,
    IsUserMessage: rows[0]?.own ?? false,
    IsDomMessage: rows[0]?.all ?? false,
    MinDate: first,
    MaxDate: last,
    Deliver: `mail.${DomainName}`,
  };
}

/** The moments asked for. Throws what is wrong with them, by field. */
function rangeOf({ StartDate, EndDate }: RecoveryRequest, now: Date): Range {
  const kept = rangeKept(now);
  const wrong: Record<string, string[]> = {};
  const bounds = `Must be from ${write(kept.first)} to ${write(kept.last)}.`;
  const range = { first: new Date(StartDate), last: new Date(EndDate) };
  if (!isKept(range.first, kept)) wrong.StartDate = [bounds];
  if (!isKept(range.last, kept)) wrong.EndDate = [bounds];
  if (range.first > range.last) wrong.EndDate ??= ['Must not be before the start date.'];
  if (Object.keys(wrong).length > 0) throw invalid(wrong);
  return range;
}

/** False for a day that there is not, too. */
const isKept = (moment: Date, { first, last }: Range): boolean => moment >= first && moment <= last;

const hostPattern = /^(?=.{1,253}$)[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)+$/i;

async function checkRecovery(db: Database, caller: Caller, key: string, request: RecoveryRequest, now: Date) {
  const mailbox = await findMailbox(db, caller, key, request.Address);
  const range = rangeOf(request, now);
  if (!hostPattern.test(request.Deliver)) throw invalid({ Deliver: ['Must be the name of a mail server.'] });
  const { mails } = await db
    .selectFrom('recoverable_mails')
    .where('user_id', '=', mailbox.userId)
    .where('received', '>=', range.first)
    .where('received', '<=', range.last)
    .select(({ fn }) => fn.countAll<number>().as('mails'))
    .executeTakeFirstOrThrow();
  if (mails === 0) throw conflict('There is no mail to recover between these dates.');
  return { mailbox, range, mails, minutes: Math.ceil(mails / perMinute) };
}

/**
 * Gives what a recovery would do (number of mails, duration); changes nothing.
 * @throws {CloudError} as `startRecovery`, but for the password and a recovery that runs
 */
export async function confirmRecovery(db: Database, caller: Caller, key: string, request: RecoveryRequest, now: Date) {
  const { mailbox, range, mails, minutes } = await checkRecovery(db, caller, key, request, now);
  return {
    Restore: mailbox.address,
    FromDate: write(range.first),
    ToDate: write(range.last),
    EmailCount: mails,
    Duration: minutes === 1 ? '1 minute' : `${minutes} minutes`,
    ResDomain: await readDomain(db, mailbox),
    EpFrom: writeEpoch(range.first),
    EpTo: writeEpoch(range.last),
    Deliver: request.Deliver,
  };
}

/**
 * Starts to deliver the mail of some days again. The caller gives its own password once more; attempts count as those
 * of the second factor. Of two starts at once for a mailbox the later one is refused.
 * @throws {CloudError} 404 as `findMailbox`; 400 for wrong dates, server or password; 409 while a recovery runs and
 * when there is no mail
 */
export async function startRecovery(
  db: Database,
  caller: Caller,
  key: string,
  request: RecoveryRequest & { readonly Password: string },
  now: Date,
): Promise<void> {
  const account = await readProvingAccount(
    db,
    caller.accountId,
    'Your organisation’s own sign-in keeps your password.',
  );
  const { mailbox, range, mails, minutes } = await checkRecovery(db, caller, key, request, now);
  await prove(db, account, { Password: request.Password }, now);
  await db.transaction().execute(async trx => {
    await findMailbox(trx, caller, key, request.Address);
    const running = await trx
      .selectFrom('mail_recoveries')
      .select('id')
      .where('user_id', '=', mailbox.userId)
      .where('ends', '>', now)
      .executeTakeFirst();
    if (running) throw conflict('Mail of this mailbox is being recovered already.');
    await trx
      .insertInto('mail_recoveries')
      .values({
        customer_id: mailbox.customerId,
        // Mail is kept of users' mailboxes alone.
        user_id: mailbox.userId ?? 0,
        ...range,
        deliver: request.Deliver,
        mails,
        started: now,
        ends: new Date(now.getTime() + minutes * 60_000),
      })
      .execute();
    const after = `${mails} emails from ${write(range.first)} to ${write(range.last)} to ${request.Deliver}`;
    const event = { action: 'Mail recovery started', target: mailbox.address, users: usersOf(mailbox), after } as const;
    await recordActivity(trx, mailbox.customerId, caller, now, event);
  });
}
