import { sql } from 'kysely';
import { recordActivity } from '../customers/activity.ts';
import { conflict, notFound } from '../http/errors.ts';
import { firstDay } from '../my-business/company.ts';
import { putMail } from '../outbox/mail.ts';
import { giveUsualRole } from '../roles/usual-role.ts';
import { makeInvitation, tellEnd } from '../staff/invitations.ts';
import type { Database, Write } from '../tables.ts';
import { countryOf } from './countries.ts';
import type { SignUp } from './tables.ts';

type Deciding = { readonly db: Database; readonly portalUrl: string; readonly now: Date };

const userType = 'reseller';
/** The flag of an account that lands on what a new reseller does first. */
export const newcomerFlag = 'FirstSteps';

/** Holds a request that waits. @throws {CloudError} 409 where it was decided meanwhile */
async function holdWaiting(trx: Write, id: number): Promise<SignUp> {
  const found = await trx.selectFrom('sign_ups').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
  if (found?.state !== 'Waiting') throw conflict('This request does not wait any more.');
  return found;
}

/** Inserts a reseller under the next free id, with its address in mails and links, and what it said of itself. */
async function insertReseller(trx: Write, { company, email, phone, country }: SignUp): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtext(current_schema() || ' resellers'))`.execute(trx);
  const { rows } = await sql<{ id: number }>`
    insert into resellers (id, name, currency)
    select max(id) + 1, ${company}, ${countryOf(country).currency} from resellers returning id`.execute(trx);
  const { id } = rows[0]!;
  const link =
    company
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '')
      .slice(0, 50) || 'reseller';
  await sql`
    insert into brand_addresses (address, kind, reseller_id)
    select case when exists (select from brand_addresses where address = ${link}) then ${`${link}-${id}`} else ${link} end,
      'link', ${id}`.execute(trx);
  await trx
    .insertInto('companies')
    .values({ reseller_id: id, customer_id: null, since: firstDay, email, phone })
    .execute();
  return id;
}

/** Inserts the first administrator, who has no password yet and signs the agreement before anything else. */
async function insertAdministrator(trx: Write, { name, email }: SignUp, reseller_id: number, now: Date) {
  const none = { password_hash: null, customer_id: null, user_id: null };
  const person = { username: email, email, display_name: name, user_type: userType, must_sign: true } as const;
  const { id } = await trx
    .insertInto('accounts')
    .values({ ...person, ...none, reseller_id })
    .returning('id')
    .executeTakeFirstOrThrow();
  await giveUsualRole(trx, id, userType, { now, by: 'Cloud' });
  await trx
    .insertInto('feature_overrides')
    .values({ account_id: id, feature_name: newcomerFlag, enabled: true })
    .execute();
  return { id, username: email };
}

/** Mails the link with which the administrator of an accepted request chooses a password, in place of the one before. */
async function mailInvitation(
  trx: Write,
  { company, name, email }: SignUp,
  account: { readonly id: number; readonly username: string },
  { portalUrl: portal, now }: Deciding,
): Promise<void> {
  const { address, expires } = await makeInvitation({ trx, portal, now }, account, userType, 'Cloud');
  const body = [
    `Hello ${name},`,
    `${company} has an account now. Choose your password here:`,
    address,
    `${await tellEnd(trx, account.id, expires)} You then sign in with ${account.username}, sign our agreement, and see what to do first.`,
  ].join('\n\n');
  await putMail(trx, { recipient: email, subject: 'Welcome to the portal', body }, now);
}

/**
 * Accepts a request: makes the reseller and its first administrator, and invites that.
 * @throws {CloudError} 409 where it does not wait, or the address has an account by now
 */
export async function acceptSignUp(deciding: Deciding, id: number): Promise<SignUp> {
  const { db, now } = deciding;
  return await db.transaction().execute(async trx => {
    const request = await holdWaiting(trx, id);
    const taken = await trx
      .selectFrom('accounts')
      .select('id')
      .where(sql`lower(username)`, '=', request.email)
      .executeTakeFirst();
    if (taken) throw conflict('Somebody signs in with this address already. Decline the request and say so.');
    const resellerId = await insertReseller(trx, request);
    const account = await insertAdministrator(trx, request, resellerId, now);
    await mailInvitation(trx, request, account, deciding);
    const event = { action: 'Reseller accepted', target: request.company, detail: request.email };
    await recordActivity(trx, { resellerId }, undefined, now, event);
    const decided = { state: 'Accepted', decided: now, account_id: account.id } as const;
    await trx.updateTable('sign_ups').set(decided).where('id', '=', id).execute();
    return request;
  });
}

/**
 * Declines a request and mails why.
 * @throws {CloudError} 409 where it does not wait
 */
export async function declineSignUp({ db, now }: Deciding, id: number, reason: string): Promise<SignUp> {
  return await db.transaction().execute(async trx => {
    const request = await holdWaiting(trx, id);
    await trx.updateTable('sign_ups').set({ state: 'Declined', decided: now, reason }).where('id', '=', id).execute();
    const body = `Hello ${request.name},\n\nwe cannot give ${request.company} an account as a reseller. The reason:\n\n${reason}\n\nYou can ask again whenever that changes.`;
    await putMail(trx, { recipient: request.email, subject: 'About your request', body }, now);
    return request;
  });
}

/**
 * Mails the invitation of an accepted request again, as nobody of the new reseller could.
 * @throws {CloudError} 404 where there is none that was not accepted yet
 */
export async function inviteAgain(deciding: Deciding, id: number): Promise<SignUp> {
  return await deciding.db.transaction().execute(async trx => {
    const request = await trx.selectFrom('sign_ups').selectAll().where('id', '=', id).executeTakeFirstOrThrow(notFound);
    const account = await trx
      .selectFrom('accounts as a')
      .innerJoin('invitations as i', 'i.account_id', 'a.id')
      .select(['a.id', 'a.username'])
      .where('a.id', '=', request.account_id)
      .executeTakeFirstOrThrow(notFound);
    await mailInvitation(trx, request, account, deciding);
    return request;
  });
}
