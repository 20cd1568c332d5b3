import { sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { isVisibleTo } from '../customers/scope.ts';
import { invalid } from '../http/errors.ts';
import { refuseConflict } from '../http/refusals.ts';
import type { TypeOf } from '../http/route.ts';
import { boolean, integer, object, orNull, text } from '../http/schema.ts';
import { visibleProducts } from '../marketplace/products.ts';
import type { Database, Write } from '../tables.ts';
import { suggestMatches } from './suggest.ts';
import { readSync, toReplyStatus } from './sync.ts';
import type { CopyKind, Kind } from './tables.ts';

type Named = { readonly id: string; readonly name: string };
type Own = Named & { readonly price: number | null };

/**
 * Lists the reseller's own side of the matching with its business system (PSA), by name: its customers, or for
 * `services` the products that it may sell.
 */
export async function ownOf(db: Database, caller: Caller, kind: Kind): Promise<Own[]> {
  if (kind === 'services') {
    const products = await visibleProducts(db, caller);
    return products.map(({ key, name, price }) => ({ id: key, name, price }));
  }
  const customers = await db
    .selectFrom('customers as c')
    .where(isVisibleTo(caller))
    .select(['c.organisation_id', 'c.name'])
    .orderBy(sql`c.name collate "und-x-icu"`)
    .execute();
  return customers.map(({ organisation_id, name }) => ({ id: String(organisation_id), name, price: null }));
}

/** Lists the business system's side of the matching (customers or services), by name, from the last copy. */
export const theirsOf = (db: Database, { resellerId }: Caller, kind: Kind) =>
  db
    .selectFrom('psa_records')
    .select(['id', 'name', 'price'])
    .where('reseller_id', '=', resellerId)
    .where('kind', '=', kind)
    .orderBy(sql`name collate "und-x-icu"`)
    .orderBy('id')
    .execute();

const matchesOf = (db: Database, { resellerId }: Caller, kind: Kind) =>
  db
    .selectFrom('psa_matches')
    .select(['own_id', 'psa_id', 'psa_name', 'ignored'])
    .where('reseller_id', '=', resellerId)
    .where('kind', '=', kind)
    .execute();

/**
 * Reads the status of the last copy of a kind (customers, services, contracts) as replies name it, and the version of
 * its matches.
 */
export async function synchronizationOf(db: Database, { resellerId }: Caller, kind: CopyKind) {
  const sync = await readSync(db, resellerId, kind);
  return { status: toReplyStatus(sync?.status ?? 'NotSynchronized'), version: sync?.version ?? 0 };
}

/** Lists the rows to match (document 2, section 3), each with its match or with the one that its name suggests. */
export async function readMatches(db: Database, caller: Caller, kind: Kind) {
  const [own, theirs, matches, { status, version }] = await Promise.all([
    ownOf(db, caller, kind),
    theirsOf(db, caller, kind),
    matchesOf(db, caller, kind),
    synchronizationOf(db, caller, kind),
  ]);
  const byId = new Map(matches.map(match => [match.own_id, match]));
  const names = new Map(theirs.map(({ id, name }) => [id, name]));
  const suggestions = suggestMatches(own, theirs, kind === 'services');
  const response = own.map(({ id, name, price }) => {
    const { psa_id = null, psa_name, ignored = false } = byId.get(id) ?? {};
    const suggestion = psa_id === null && !ignored ? suggestions.get(id) : undefined;
    return {
      id,
      name,
      price,
      selectedOption: psa_id === null ? null : { id: psa_id, name: names.get(psa_id) ?? psa_name },
      ignored,
      suggestion: suggestion ? { id: suggestion.id, name: suggestion.name } : null,
    };
  });
  return { response, synchronization: { status }, version };
}

/** Counts the matched, unmatched and ignored items of a kind, and lists the unmatched ones. */
export async function countMatches(db: Database, caller: Caller, kind: Kind) {
  const [own, matches, sync] = await Promise.all([
    ownOf(db, caller, kind),
    matchesOf(db, caller, kind),
    readSync(db, caller.resellerId, kind),
  ]);
  const ids = new Set(own.map(({ id }) => id));
  const known = matches.filter(({ own_id }) => ids.has(own_id));
  const ignored = known.filter(match => match.ignored).length;
  const matched = known.length - ignored;
  const decided = new Set(known.map(({ own_id }) => own_id));
  const unmatched = own.filter(({ id }) => !decided.has(id)).map(({ id, name }) => ({ id, name }));
  const counts = {
    total: own.length,
    matched,
    ignored,
    unmatched: unmatched.length,
    status: sync?.status ?? 'NotSynchronized',
    synchronized: sync?.completed ?? null,
    failure: sync?.failure ?? null,
  };
  return { counts, unmatched };
}

const change = object({ id: text(40), optionId: orNull(text(40)), ignored: boolean });
export const matchChanges = object({
  changes: { type: 'array', minItems: 1, maxItems: 5000, items: change },
  version: integer,
});

/**
 * Saves changes of matches, all or none, if nobody has saved any since `version`.
 * @returns the new version
 * @throws {CloudError} when somebody has, or a change names something unknown
 */
export async function saveMatches(
  trx: Write,
  caller: Caller,
  kind: Kind,
  { changes, version }: TypeOf<typeof matchChanges>,
): Promise<number> {
  const { resellerId } = caller;
  const sync = await trx
    .updateTable('psa_syncs')
    .set({ version: sql`version + 1` })
    .where('reseller_id', '=', resellerId)
    .where('kind', '=', kind)
    .returning('version')
    .executeTakeFirst();
  if (sync?.version !== version + 1) throw refuseConflict('MatchesChanged');
  await checkChanges(trx, caller, kind, changes);
  const ids = changes.map(({ id }) => id);
  const rows = JSON.stringify(changes);
  const stored = trx
    .selectFrom('psa_matches')
    .select(['psa_id', 'psa_name'])
    .where('reseller_id', '=', resellerId)
    .where('kind', '=', kind)
    .where('psa_id', 'is not', null);
  const known = new Map((await stored.execute()).map(({ psa_id, psa_name }) => [psa_id, psa_name]));
  await trx
    .deleteFrom('psa_matches')
    .where('reseller_id', '=', resellerId)
    .where('kind', '=', kind)
    .where('own_id', 'in', ids)
    .execute();
  await sql`
    insert into psa_matches (reseller_id, kind, own_id, psa_id, psa_name, ignored)
    select ${resellerId}, ${kind}, change.id, change."optionId",
      case when change."optionId" is not null
        then coalesce(r.name, ${JSON.stringify(Object.fromEntries(known))}::jsonb ->> change."optionId") end,
      change.ignored
    from jsonb_to_recordset(${rows}::jsonb) as change (id text, "optionId" text, ignored boolean)
    left join psa_records r on r.reseller_id = ${resellerId} and r.kind = ${kind} and r.id = change."optionId"
    where change."optionId" is not null or change.ignored`.execute(trx);
  return sync.version;
}

/** Both sides are there; a customer of the business system is matched once. */
async function checkChanges(
  trx: Write,
  caller: Caller,
  kind: Kind,
  changes: readonly TypeOf<typeof change>[],
): Promise<void> {
  const own = await ownOf(trx, caller, kind);
  const theirs = await theirsOf(trx, caller, kind);
  const matches = await matchesOf(trx, caller, kind);
  const ownIds = new Set(own.map(({ id }) => id));
  // What is matched with something that is gone may stay so.
  const options = new Set([...theirs.map(({ id }) => id), ...matches.map(({ psa_id }) => psa_id)]);
  const changed = new Set(changes.map(({ id }) => id));
  const taken = new Set(matches.filter(({ own_id }) => !changed.has(own_id)).map(({ psa_id }) => psa_id));
  const wrong: Record<string, string[]> = {};
  const seen = new Set<string>();
  for (const [index, { id, optionId }] of changes.entries()) {
    const at = `changes.${index}`;
    if (!ownIds.has(id)) wrong[`${at}.id`] = ['This is not one of yours.'];
    else if (seen.has(id)) wrong[`${at}.id`] = ['This is here twice.'];
    seen.add(id);
    if (optionId === null) continue;
    if (!options.has(optionId)) wrong[`${at}.optionId`] = ['The business system does not have this.'];
    else if (kind === 'customers' && taken.has(optionId))
      wrong[`${at}.optionId`] = ['This is matched with another customer.'];
    taken.add(optionId);
  }
  if (Object.keys(wrong).length > 0) throw invalid(wrong);
}
