import { sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { refuseConflict } from '../http/refusals.ts';
import { recordAccess } from '../roles/activity.ts';
import { holdReseller } from '../roles/change.ts';
import { namesOfRights, notHeld, readRights } from '../roles/rights.ts';
import type { Write } from '../tables.ts';
import { type Note, needsInWords, notifyOfRequest } from './endings.ts';

/** How long a request waits, in milliseconds: two weeks. */
const waits = 14 * 86_400_000;
/** Requests of one account in 24 hours. */
const mostInADay = 10;

/** Lists enabled people of a reseller who manage people, see all customers and hold these rights: they can give them. */
async function findGranters(trx: Write, resellerId: number, rights: readonly string[]): Promise<number[]> {
  const people = await trx
    .selectFrom('accounts as a')
    .innerJoin('account_permissions as p', 'p.account_id', 'a.id')
    .select(['a.id', 'p.views', 'p.permissions'])
    .select(sql<boolean>`(a.user_type = 'reseller' or not a.hide_pricing)`.as('prices'))
    .where('a.reseller_id', '=', resellerId)
    .where('a.customer_id', 'is', null)
    .where('a.enabled', '=', true)
    .where('a.limited', '=', false)
    .where(sql<boolean>`'manageUsers' = any(p.views)`)
    .execute();
  return people.filter(held => notHeld(held, rights).length === 0).map(({ id }) => id);
}

type Asked = {
  readonly mark: string;
  readonly title: string;
  readonly address: string;
  readonly rights: readonly string[];
  readonly reason: string;
};

/**
 * Asks for rights that the caller lacks, and tells once everybody who could give them.
 * @throws {CloudError} 409 for rights that are held, asked for already, or that nobody could give, and for more than ten
 * requests in 24 hours
 */
export async function askForRights(trx: Write, caller: Caller, asked: Asked, now: Date): Promise<number> {
  const { accountId: account_id, resellerId: reseller_id } = caller;
  await holdReseller(trx, reseller_id);
  const held = new Set(namesOfRights(await readRights(trx, account_id)));
  const rights = [...new Set(asked.rights)].sort();
  if (rights.every(name => held.has(name))) throw refuseConflict('AccessHeld');
  const before = await trx
    .selectFrom('access_requests')
    .select(['state', 'rights'])
    .where('account_id', '=', account_id)
    .where('created', '>', new Date(now.getTime() - 86_400_000))
    .execute();
  const open = await trx
    .selectFrom('access_requests')
    .select('id')
    .where('account_id', '=', account_id)
    .where('state', '=', 'Open')
    .where(sql<boolean>`rights = ${rights}::text[]`)
    .executeTakeFirst();
  if (open) throw refuseConflict('AccessAsked');
  if (before.length >= mostInADay) throw refuseConflict('AccessAskedOften');
  const granters = (await findGranters(trx, reseller_id, rights)).filter(id => id !== account_id);
  if (granters.length === 0) throw refuseConflict('AccessNobodyGives');
  const { mark, title, address, reason } = asked;
  const expires = new Date(now.getTime() + waits);
  const { id } = await trx
    .insertInto('access_requests')
    .values({ ...{ account_id, reseller_id, mark, title, address, rights, reason }, created: now, expires })
    .returning('id')
    .executeTakeFirstOrThrow();
  const needs = `Needs: ${needsInWords(rights)}.`;
  const note: Note = {
    message: `${caller.displayName} asks for “${title}”`,
    content: reason === '' ? needs : `“${reason}” ${needs}`,
    category: 'info',
  };
  await notifyOfRequest(trx, granters, id, note, now);
  const subject = { customer_id: caller.customerId, user_id: caller.userId };
  await recordAccess(
    trx,
    { resellerId: reseller_id, caller, now },
    { action: 'Access asked for', target: title, detail: needsInWords(rights) },
    subject,
  );
  return id;
}
