import { sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { endLinks } from '../auth/password-links.ts';
import { asConflict, conflict, invalid, notFound } from '../http/errors.ts';
import { routeAdder } from '../http/route.ts';
import { type App, email, object, string } from '../http/schema.ts';
import { putMail } from '../outbox/mail.ts';
import type { Parts } from '../parts.ts';
import { recordAccess } from '../roles/activity.ts';
import { holdReseller, refuseAbove } from '../roles/change.ts';
import type { Write } from '../tables.ts';
import { isOfDomain, readDomain } from '../users/accounts.ts';
import { endSignIns } from './acts.ts';
import { type Person, personAddresses } from './find-person.ts';

/** Says the same of a name at the own reseller, at another one, and of one that somebody had before. */
const taken = () => invalid({ SignInName: ['Somebody signs in with this name already.'] });

/** True of a name that another account or user has, or had. */
async function isTaken(trx: Write, name: string, { accountId, userId }: Person): Promise<boolean> {
  const { rows } = await sql`
    select from accounts where lower(username) = ${name} and id <> ${accountId}
    union all select from users where lower(email) = ${name} and id <> ${userId ?? 0}
    union all select from former_sign_in_names where name = ${name} and account_id <> ${accountId}
    limit 1`.execute(trx);
  return rows.length > 0;
}

/**
 * Refuses a change that cannot be: of oneself, of who has no account, signs in elsewhere, was invited and has not
 * accepted, or holds more than the caller.
 * @throws {CloudError} 404, 409
 */
async function requireChangeable(trx: Write, caller: Caller, { accountId }: Person) {
  if (accountId === null) throw notFound();
  if (accountId === caller.accountId) throw conflict('You cannot do this to yourself.');
  await refuseAbove(trx, caller, accountId);
  const account = await trx
    .selectFrom('accounts as a')
    .leftJoin('invitations as i', 'i.account_id', 'a.id')
    .select(['a.id', 'a.username', 'a.email', 'a.login_flow', 'i.sent'])
    .where('a.id', '=', accountId)
    .forUpdate('a')
    .executeTakeFirstOrThrow(notFound);
  if (account.login_flow === 'SSO') throw conflict('Single sign-on has this name: it is changed there.');
  if (account.sent !== null)
    throw conflict('The invitation is open, with the name in its link: withdraw it and invite anew.');
  return account;
}

/**
 * Changes the name that somebody signs in with. Their mail address follows where it was the same; a mailbox does not.
 * Every sign-in of theirs ends, mailed links stop working, and both addresses get a mail.
 * @throws {CloudError} 400 for a name that is taken or of another domain than the customer's; as `requireChangeable`
 */
async function changeName(trx: Write, { caller, now }: { caller: Caller; now: Date }, person: Person, name: string) {
  const account = await requireChangeable(trx, caller, person);
  const { id, username, email: address } = account;
  const { customerId, userId, resellerId } = person;
  if (name === username.toLowerCase()) throw invalid({ SignInName: ['They sign in with this name already.'] });
  if (customerId !== null) {
    const domain = await readDomain(trx, { customer_id: customerId });
    if (!isOfDomain(name, domain)) throw invalid({ SignInName: [`Must be an address of ${domain}`] });
  }
  if (await isTaken(trx, name, person)) throw taken();
  const isAddress = address.toLowerCase() === username.toLowerCase();
  await trx
    .updateTable('accounts')
    .set({ username: name, ...(isAddress && { email: name }) })
    .where('id', '=', id)
    .execute();
  if (isAddress && userId !== null)
    await trx.updateTable('users').set({ email: name }).where('id', '=', userId).execute();
  await trx.deleteFrom('former_sign_in_names').where('name', '=', name).execute();
  await trx
    .insertInto('former_sign_in_names')
    .values({ name: username.toLowerCase(), account_id: id, until: now })
    .onConflict(known => known.column('name').doUpdateSet({ until: now }))
    .execute();
  await endSignIns(trx, id, now);
  await endLinks(trx, id, now);
  const body = `Hello ${person.name},\n\n${caller.displayName} has changed the name that you sign in with, from ${username} to ${name}. Your password stays. You were signed out everywhere: sign in with the new name from now on.\n\nIf you do not expect this, ask your administrator.\n\n${caller.resellerName}`;
  for (const recipient of new Set([address, isAddress ? name : address]))
    await putMail(trx, { recipient, subject: 'Your sign-in name was changed', body }, now);
  const said = { action: 'Sign-in name changed', target: person.name };
  const states = { before: { 'Sign-in name': username }, after: { 'Sign-in name': name } };
  await recordAccess(
    trx,
    { resellerId, caller, now },
    { ...said, ...states },
    { customer_id: customerId, user_id: userId },
  );
  return { UserName: username, SignInName: name };
}

/** Adds the routes that change the name somebody signs in with. */
export function addSignInNameRoutes(app: App, { db, now }: Parts): void {
  for (const { at, needs, find } of personAddresses) {
    const route = routeAdder(app, db, { tags: ['staff'], needs });
    route(
      `PUT ${at}/sign-in-name`,
      {
        summary: 'Changes the name that somebody signs in with, and ends what they have open.',
        body: object({ SignInName: email }),
        once: true,
        reply: object({ UserName: { ...string, description: 'The name before.' }, SignInName: string }),
      },
      async ({ trx, caller, params, body: { SignInName } }) => {
        await holdReseller(trx, caller.resellerId);
        try {
          return await changeName(
            trx,
            { caller, now: now() },
            await find(trx, caller, params),
            SignInName.toLowerCase(),
          );
        } catch (error) {
          // Of two who take the same name at once, the second is told as if it came later.
          throw asConflict(error) === undefined ? error : taken();
        }
      },
    );
  }
}
