import { type RawBuilder, sql } from 'kysely';
import { mostNames, requireApproval } from '../approvals/require.ts';
import type { Caller } from '../auth/caller.ts';
import { differences, type State } from '../customers/activity.ts';
import { matching } from '../customers/matching.ts';
import { conflict, notFound, notPermitted } from '../http/errors.ts';
import { refuseConflict, refuseField } from '../http/refusals.ts';
import { sendHint } from '../notifications/hints.ts';
import { recordAccess } from '../roles/activity.ts';
import { countAdministrators, keepAdministrators } from '../roles/change.ts';
import { containing, exactTo, searchKeyOf } from '../search.ts';
import type { Database, Write } from '../tables.ts';
import type { limitKinds } from './fields.ts';

/** The customers that an engineer is to see: with `Some`, those ticked and those whose name contains the word. */
export type WantedLimit = {
  readonly Sees: (typeof limitKinds)[number];
  /** Empty for none. */
  readonly Word?: string | undefined;
  /** OrganisationIds. */
  readonly Customers?: readonly string[] | undefined;
};

/** An account, as far as it decides which customers are seen. */
type Limited = { readonly id: number; readonly limited: boolean; readonly limit_word: string | null };

const wordOf = ({ Sees, Word = '' }: WantedLimit): string | null => (Sees === 'Some' && Word.trim()) || null;
const tickedOf = ({ Sees, Customers = [] }: WantedLimit): number[] => (Sees === 'Some' ? Customers.map(Number) : []);

/** SQL over a customer `c`: its name contains a word. The search index finds those with it in the name or the domain. */
const hasInName = (word: string | null): RawBuilder<boolean> =>
  word === null
    ? sql<boolean>`false`
    : sql<boolean>`(c.search_text like ${containing(word)} and ${searchKeyOf(sql`c.name`)} like ${containing(word)})`;

/** Reads the limit of an account, with how many customers it sees, of those that the caller sees. */
export async function readLimit(db: Database, { resellerId }: Caller, { id, limited, limit_word }: Limited) {
  const Of = await countSeen(db, resellerId);
  if (!limited) return { Sees: 'All' as const, Word: null, Customers: [], Seen: Of, Of };
  const seen = db.selectFrom('account_customers as k').where('k.account_id', '=', id);
  const { all } = await seen.select(({ fn }) => fn.countAll<number>().as('all')).executeTakeFirstOrThrow();
  const ticked = await seen
    .where(sql<boolean>`k.ticked`)
    .select('k.organisation_id')
    .orderBy('k.organisation_id')
    .limit(exactTo)
    .execute();
  const Sees = limit_word === null && all === 0 ? ('None' as const) : ('Some' as const);
  return {
    ...{ Sees, Word: limit_word, Seen: all, Of },
    Customers: ticked.map(({ organisation_id }) => organisation_id),
  };
}

/** Counts the customers that the caller sees. */
async function countSeen(db: Database, resellerId: number): Promise<number> {
  const { customers } = await db
    .selectFrom('customer_counts')
    .where('reseller_id', '=', resellerId)
    .select(sql<number>`coalesce(sum(customers), 0)`.as('customers'))
    .executeTakeFirstOrThrow();
  return customers;
}

/** Counts the customers that somebody with a limit would see, of those that the caller sees. */
export async function countWanted(db: Database, { resellerId }: Caller, wanted: WantedLimit) {
  const Of = await countSeen(db, resellerId);
  if (wanted.Sees !== 'Some') return { Seen: wanted.Sees === 'All' ? Of : 0, Of };
  const { rows } = await sql<{ found: number }>`
    select count(*) as found from customers c where c.reseller_id = ${resellerId}
      and (c.organisation_id = any(${tickedOf(wanted)}::bigint[]) or ${hasInName(wordOf(wanted))})`.execute(db);
  return { Seen: rows[0]?.found ?? 0, Of };
}

/**
 * Lists the OrganisationIds of all customers of the caller that a search finds, by name.
 * @throws {CloudError} 409 when they are too many to list
 */
export async function listIds(db: Database, caller: Caller, search: string): Promise<number[]> {
  const found = await matching(db, caller, search)
    .select('c.organisation_id')
    .orderBy('c.name')
    .limit(exactTo + 1)
    .execute();
  if (found.length > exactTo) throw conflict('More than 10,000 customers match. Search for fewer.');
  return found.map(({ organisation_id }) => organisation_id);
}

/**
 * Refuses a limit that is wider than the caller's own, or that says nothing.
 * @throws {CloudError} 400
 */
export async function checkWanted(db: Database, caller: Caller, wanted: WantedLimit): Promise<void> {
  const word = wordOf(wanted);
  if (wanted.Sees === 'Some' && word === null && tickedOf(wanted).length === 0)
    throw refuseField('Customers', 'LimitEmpty');
  if (!caller.isLimited) return;
  if (wanted.Sees === 'All') throw refuseField('Sees', 'LimitWider');
  if (word === null) return;
  // Whatever has a word that contains the own one has the own one too, be it added in years.
  const own = await db
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', caller.accountId)
    .where(sql<boolean>`position(search_key(limit_word) in search_key(${word})) > 0`)
    .executeTakeFirst();
  if (own === undefined) throw refuseField('Word', 'LimitWider');
}

/**
 * Writes which customers an account sees, in a transaction that holds the reseller, so that no customer is added
 * unnoticed meanwhile. Ends what the account has open at customers that it does not see any more.
 * @throws {CloudError} 400 as `checkWanted`, 404 for a customer that the caller does not see, 409 where nobody would be
 * left who may change rights and sees all; as `requireApproval` where more is seen than before, or may be in time
 */
export async function writeLimit(
  trx: Write,
  { caller, now }: { readonly caller: Caller; readonly now: Date },
  account: Limited & { readonly name: string },
  wanted: WantedLimit,
): Promise<void> {
  const { resellerId } = caller;
  await checkWanted(trx, caller, wanted);
  const before = await readLimit(trx, caller, account);
  const administrators = await countAdministrators(trx, resellerId);
  const [word, ticked] = [wordOf(wanted), [...new Set(tickedOf(wanted))]];
  const limited = wanted.Sees !== 'All';
  await trx.updateTable('accounts').set({ limited, limit_word: word }).where('id', '=', account.id).execute();
  const known = trx.deleteFrom('account_customers').where('account_id', '=', account.id).returning('customer_id');
  const seen = (await known.execute()).map(({ customer_id }) => customer_id);
  if (wanted.Sees === 'Some') {
    const found = await trx
      .selectFrom('customers as c')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('reseller_id', '=', resellerId)
      .where(sql<boolean>`c.organisation_id = any(${ticked}::bigint[])`)
      .executeTakeFirstOrThrow();
    if (found.count < ticked.length) throw notFound();
    await sql`
      insert into account_customers (account_id, customer_id, ticked, matched)
      select ${account.id}::bigint, c.id, c.organisation_id = any(${ticked}::bigint[]), ${hasInName(word)}
      from customers c where c.reseller_id = ${resellerId}
        and (c.organisation_id = any(${ticked}::bigint[]) or ${hasInName(word)})`.execute(trx);
  }
  await keepAdministrators(trx, resellerId, administrators);
  await endJumps(trx, account.id, now);
  const after = await readLimit(trx, caller, { id: account.id, limited, limit_word: word });
  const added = account.limited ? await addedBy(trx, account.id, seen) : [];
  const isWider = !limited || added.length > 0 || mayGrow(account.limit_word, word);
  if (account.limited && isWider)
    await requireApproval(trx, caller, { kind: 'RoleWidening', count: 1 }, () => ({
      ...{ target: account.name, names: [account.name], price: null },
      ...differences(tell(before), { ...tell(after), ...tellAdded(added) }),
    }));
  const said = { action: 'Customers of an engineer changed', target: account.name };
  await recordAccess(trx, { resellerId, caller, now }, { ...said, before: tell(before), after: tell(after) });
  await sendHint(trx, { account: account.id }, { kind: 'permissions-changed' });
  // A line that was opened before the change does not know of it.
  await sendHint(trx, { account: account.id }, 'end');
}

/** Finds the customers, by name, that an account with a limit sees now and did not see before; at most one more than are shown. */
const addedBy = (trx: Write, accountId: number, seen: readonly string[]) =>
  trx
    .selectFrom('account_customers as k')
    .innerJoin('customers as c', 'c.id', 'k.customer_id')
    .select('c.name')
    .where('k.account_id', '=', accountId)
    .where(sql<boolean>`c.id <> all(${seen}::uuid[])`)
    .orderBy('c.name')
    .orderBy('c.id')
    .limit(mostNames + 1)
    .execute();

/** True where a word may bring in customers, in time, that the one before would not have. */
const mayGrow = (before: string | null, after: string | null): boolean =>
  after !== null && (before === null || !after.toLowerCase().includes(before.toLowerCase()));

function tellAdded(added: readonly { readonly name: string }[]): State {
  if (added.length === 0) return {};
  const names = added.slice(0, mostNames).map(({ name }) => name);
  return { 'Newly seen': `${names.join(', ')}${added.length > mostNames ? ' and more' : ''}` };
}

/** Ends the sign-ins in which an account acts for somebody of a customer that it does not see. */
async function endJumps(trx: Write, accountId: number, now: Date): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    update grants g set revoked = ${now}::timestamptz from accounts actor, accounts a
    where g.actor_id = ${accountId} and g.revoked is null and actor.id = g.actor_id and actor.limited
      and a.id = g.account_id and not exists (
        select from account_customers k where k.account_id = actor.id and k.customer_id = a.customer_id)
    returning g.id`.execute(trx);
  for (const { id } of rows) await sendHint(trx, { grant: id }, 'end');
}

type Read = Awaited<ReturnType<typeof readLimit>>;

/** Tells which customers an account sees, in words. */
export const tellLimit = async (db: Database, caller: Caller, account: Limited): Promise<State> =>
  tell(await readLimit(db, caller, account));

function tell({ Sees, Word, Customers, Seen }: Read): State {
  if (Sees !== 'Some') return { Customers: Sees };
  const parts = [`${Seen} now`, `${Customers.length} ticked`, ...(Word === null ? [] : [`name contains “${Word}”`])];
  return { Customers: parts.join(', ') };
}

/**
 * Refuses to change somebody who sees customers that the caller does not see.
 * @throws {CloudError} 403
 */
export async function requireSeesAsMuch(db: Database, { isLimited }: Caller, accountId: number): Promise<void> {
  if (!isLimited) return;
  const found = await db.selectFrom('staff').select('sees_more').where('id', '=', accountId).executeTakeFirst();
  if (found?.sees_more) throw notPermitted();
}

/**
 * Refuses what concerns people of all customers to who sees certain ones only.
 * @throws {CloudError} 409
 */
export function requireSeesAll({ isLimited }: Caller): void {
  if (isLimited) throw refuseConflict('SeesNotAll');
}
