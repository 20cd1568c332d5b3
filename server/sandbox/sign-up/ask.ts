import { createHash, randomBytes } from 'node:crypto';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { networkOf } from '../../../shared/rules/ip-address.ts';
import { refuseConflict } from '../http/refusals.ts';
import { putMail } from '../outbox/mail.ts';
import type { Database, Write } from '../tables.ts';

const hour = 3_600_000;
/** For how long the link of a mail confirms a request, in hours. */
const linkHours = 24;

/** Bounds of the requests of strangers: of the last 24 hours, and of those that wait at once. */
export const bounds = {
  /** Mails to one address. */
  ofAddress: 3,
  /** Requests from one network. */
  ofNetwork: 10,
  /** Requests altogether, of which each is a row and a mail. */
  ofAll: 200,
  /** Requests that are confirmed and wait for an answer. */
  waiting: 100,
} as const;

const hashOf = (token: string): string => createHash('sha256').update(`sign-up ${token}`).digest('base64url');

export type SignUpRequest = {
  readonly company: string;
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly country: string;
  /** Of whoever asks: an IPv4 or IPv6 address. */
  readonly address: string;
};

/** Of those who ask at once, each counts the ones before: the bounds hold. */
const holdSignUps = (trx: Write) =>
  sql`select pg_advisory_xact_lock(hashtext(current_schema() || ' sign-ups'))`.execute(trx);

async function countRows(trx: Write, condition: RawBuilder<SqlBool>): Promise<number> {
  const { count } = await trx
    .selectFrom('sign_ups')
    .select(sql<number>`count(*)::int`.as('count'))
    .where(condition)
    .executeTakeFirstOrThrow();
  return count;
}

const isWaiting = sql<SqlBool>`state = 'Waiting'`;

/**
 * Takes a request to become a reseller and mails a link that confirms it. Whoever has an account, or whose request waits
 * already, is told so by the mail alone: the caller learns nothing about the address. A mail holds nothing of what was
 * typed, so that nobody writes to strangers through it.
 * @param portal address of the portal, without a slash at its end
 * @throws {CloudError} 409 where a network asked too often, or too many ask or wait
 */
export async function askToSignUp(db: Database, asked: SignUpRequest, portal: string, now: Date): Promise<void> {
  const { address, ...facts } = asked;
  const email = asked.email.toLowerCase();
  await db.transaction().execute(async trx => {
    await holdSignUps(trx);
    const network = networkOf(address);
    const ofDay = sql<SqlBool>`created > ${new Date(now.getTime() - 24 * hour)}`;
    if ((await countRows(trx, sql<SqlBool>`${ofDay} and network = ${network}`)) >= bounds.ofNetwork)
      throw refuseConflict('SignUpsOften');
    if ((await countRows(trx, ofDay)) >= bounds.ofAll || (await countRows(trx, isWaiting)) >= bounds.waiting)
      throw refuseConflict('SignUpsFull');
    // The caller is not told: that would tell of others who asked.
    if ((await countRows(trx, sql<SqlBool>`${ofDay} and email = ${email}`)) >= bounds.ofAddress) return;
    const row = { ...facts, email, network, created: now };
    const known = await mailOfKnown(trx, email, portal);
    if (known) {
      await trx
        .insertInto('sign_ups')
        .values({ ...row, state: 'Known' })
        .execute();
      await putMail(trx, { recipient: email, ...known }, now);
      return;
    }
    const token = randomBytes(32).toString('base64url');
    const link = { link_hash: hashOf(token), link_ends: new Date(now.getTime() + linkHours * hour) };
    await trx
      .insertInto('sign_ups')
      .values({ ...row, ...link, state: 'Unconfirmed' })
      .execute();
    const body = [
      'Hello,',
      'somebody, most likely you, asked for an account as a reseller with this address. Confirm that here:',
      `${portal}/signup?confirm=${token}`,
      `The link works once, for ${linkHours} hours. We then look at the request and write to you again.`,
      'If it was not you, do nothing: the request is deleted.',
    ].join('\n\n');
    await putMail(trx, { recipient: email, subject: 'Confirm your request', body }, now);
  });
}

/** Gives the mail to somebody who cannot ask anew; undefined for everybody else. */
async function mailOfKnown(trx: Write, email: string, portal: string) {
  const account = await trx
    .selectFrom('accounts')
    .select('id')
    .where(where => where.or([where(sql`lower(username)`, '=', email), where(sql`lower(email)`, '=', email)]))
    .executeTakeFirst();
  if (account)
    return {
      subject: 'You have an account already',
      body: `Hello,\n\nsomebody, most likely you, asked for an account as a reseller with this address. It has one already. Sign in here:\n\n${portal}/login\n\nIf you do not know your password, choose a new one there. If it was not you, do nothing.`,
    };
  if ((await countRows(trx, sql<SqlBool>`${isWaiting} and email = ${email}`)) > 0)
    return {
      subject: 'Your request waits already',
      body: 'Hello,\n\nyou asked for an account as a reseller, and asked again now. We are looking at your first request and will write to you; there is nothing more to do.',
    };
  return undefined;
}

export type Confirmed = {
  readonly at: Date;
  /** True when an earlier request confirmed it. */
  readonly already: boolean;
};

/**
 * Confirms a request by the token of its mail; of several uses at once one is the first. Other links to the same address
 * end. Undefined for a token that is unknown or whose time is over.
 * @throws {CloudError} 409 where too many wait; the link stays good
 */
export async function confirmSignUp(db: Database, token: string, now: Date): Promise<Confirmed | undefined> {
  return await db.transaction().execute(async trx => {
    await holdSignUps(trx);
    const found = await trx
      .selectFrom('sign_ups')
      .select(['id', 'email', 'state', 'confirmed', 'link_ends'])
      .where('link_hash', '=', hashOf(token))
      .executeTakeFirst();
    if (found?.confirmed) return { at: found.confirmed, already: true };
    if (!found?.link_ends || found.link_ends <= now) return undefined;
    if ((await countRows(trx, isWaiting)) >= bounds.waiting) throw refuseConflict('SignUpsFull');
    await trx.updateTable('sign_ups').set({ state: 'Waiting', confirmed: now }).where('id', '=', found.id).execute();
    await trx
      .updateTable('sign_ups')
      .set({ link_ends: now })
      .where('email', '=', found.email)
      .where('state', '=', 'Unconfirmed')
      .execute();
    return { at: now, already: false };
  });
}
