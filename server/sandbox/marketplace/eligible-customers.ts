import { sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { addUp, countGroups } from '../customers/counts.ts';
import { matching, withMatched } from '../customers/matching.ts';
import { isVisibleTo } from '../customers/scope.ts';
import { conflict, notFound } from '../http/errors.ts';
import type { TypeOf } from '../http/route.ts';
import { pageQuery, partial, search } from '../http/schema.ts';
import { readAdministrator } from '../reseller-settings/settings.ts';
import { exactTo } from '../search.ts';
import type { Database } from '../tables.ts';
import { type HeldStatus, heldByAll, heldHere, type Obstacle, obstacleOf, reasonOf } from './eligibility.ts';
import type { Product } from './products.ts';
import { listRaisable, type Raisable } from './raisable.ts';

/** All, those who can have a product, or of these the ones that have none of it yet. */
export const showing = ['all', 'available', 'without'] as const;
type Shown = (typeof showing)[number];

export const eligibilityQuery = pageQuery({
  search,
  show: { enum: showing, default: 'all' },
});
export const idsQuery = partial({
  search,
  show: { enum: ['available', 'without'], default: 'available' },
});

/** For more customers than this, what is held is read of all at once; for fewer, it is looked up for each. */
const few = 2000;

const saying = (obstacle: Obstacle | null, product: Product) => ({
  Obstacle: obstacle,
  Reason: obstacle && reasonOf(obstacle, product),
});

/**
 * Lists a page of the caller's customers by name, each with the obstacle that keeps it from having the product, or
 * null; and counts those that can and cannot.
 */
export async function listEligibility(
  db: Database,
  caller: Caller,
  product: Product,
  query: TypeOf<typeof eligibilityQuery>,
) {
  const { search, show, page, pageSize } = query;
  const { customers: all } = addUp(await countGroups(db, caller, search));
  const every = standing(caller, product, all);
  const matched = withMatched(db, caller, search, search !== '' && all <= exactTo);
  const counted = await matched
    .selectFrom('matched as c')
    .leftJoin(every.join, on => on.onRef('held.customer_id', '=', 'c.id'))
    .select(sql<number>`count(*) filter (where ${isAmong('available', every)})`.as('available'))
    .select(sql<number>`count(*) filter (where ${isAmong('without', every)})`.as('without'))
    .executeTakeFirstOrThrow();
  const found = { all, ...counted };
  // As many are walked by name until the page is full.
  const walked = standing(caller, product, Math.min(all, (page * pageSize * all) / Math.max(1, found[show])));
  const rows = await matched
    .with('page', on =>
      on
        .selectFrom('matched as c')
        .leftJoin(walked.join, on => on.onRef('held.customer_id', '=', 'c.id'))
        .where(isAmong(show, walked))
        .select('c.id')
        .orderBy('c.name')
        .orderBy('c.id')
        .limit(pageSize)
        .offset((page - 1) * pageSize),
    )
    .selectFrom('page')
    .innerJoin('customers as c', 'c.id', 'page.id')
    .select(['c.organisation_id', 'c.name', 'c.domain'])
    .select([obstacleOf({ product, resellerId: caller.resellerId }).as('obstacle'), heldHere(product).as('held')])
    .orderBy('c.name')
    .orderBy('c.id')
    .execute();
  return {
    Items: rows.map(row => ({
      CustomerId: row.organisation_id,
      Name: row.name,
      Domain: row.domain,
      Status: row.obstacle ?? (row.held === null ? null : ('Added' as const)),
      ...saying(row.obstacle, product),
    })),
    Total: Math.min(found[show], exactTo),
    TotalIsExact: found[show] <= exactTo,
    Counts: {
      All: Math.min(all, exactTo),
      Available: Math.min(found.available, exactTo),
      Without: Math.min(found.without, exactTo),
    },
  };
}

/**
 * Lists the ids of all customers that match and can (or cannot) have the product, by name.
 * @throws {CloudError} when they are too many to list
 */
export async function eligibleIds(
  db: Database,
  caller: Caller,
  product: Product,
  { search, show }: TypeOf<typeof idsQuery>,
): Promise<string[]> {
  const { customers: all } = addUp(await countGroups(db, caller, search));
  const every = standing(caller, product, all);
  const found = await db
    .selectFrom(
      matching(db, caller, search)
        .leftJoin(every.join, on => on.onRef('held.customer_id', '=', 'c.id'))
        .where(isAmong(show, every))
        .select(['c.organisation_id', 'c.name', 'c.id'])
        .limit(exactTo + 1)
        .as('found'),
    )
    .select('organisation_id')
    .orderBy('name')
    .orderBy('id')
    .execute();
  if (found.length > exactTo) throw conflict('More than 10,000 customers match. Search for fewer.');
  return found.map(({ organisation_id }) => String(organisation_id));
}

/** Builds SQL for what many customers hold of a product and why they cannot have it: `join`, to be named `held`. */
function standing({ resellerId }: Caller, product: Product, customers: number) {
  const isJoined = customers > few;
  const held: HeldStatus = isJoined ? sql`held.status` : heldHere(product);
  const join = isJoined
    ? heldByAll(product, resellerId)
    : sql<{ customer_id: string }>`(select null::uuid as customer_id)`;
  return { held, obstacle: obstacleOf({ product, resellerId, held }), join: join.as<'held'>(sql.ref('held')) };
}

function isAmong(show: Shown, { held, obstacle }: Pick<ReturnType<typeof standing>, 'held' | 'obstacle'>) {
  if (show === 'all') return sql<boolean>`true`;
  return show === 'available'
    ? sql<boolean>`(${obstacle}) is null`
    : sql<boolean>`(${held} is null and (${obstacle}) is null)`;
}

/** A customer and whether it can have a product. */
export type CheckedCustomer = {
  readonly id: string;
  readonly CustomerId: number;
  readonly Name: string;
  /** How many its record proposes: one for each user of what is sold to users. */
  readonly Quantity: number;
  /** Values that the customer's record proposes for the fields that are each customer's own. */
  readonly Fields: Readonly<Record<string, string>>;
  readonly Obstacle: Obstacle | null;
  readonly Reason: string | null;
  /** How many it holds in the service that more would raise; null where there is none. */
  readonly Held: number | null;
  readonly held: Raisable | undefined;
};

/**
 * Reads customers by their ids, each once and in the given order, with the obstacle that keeps each from having the
 * product, or null.
 * @throws {CloudError} 404 when the caller does not see one of them
 */
export async function checkEligibility(
  db: Database,
  caller: Caller,
  product: Product,
  keys: readonly string[],
): Promise<CheckedCustomer[]> {
  const numbers = keys.filter(key => /^\d{1,15}$/.test(key)).map(Number);
  const ids = keys
    .filter(key => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(key))
    .map(key => key.toLowerCase());
  const rows = await db
    .selectFrom('customers as c')
    .where(isVisibleTo(caller))
    .where(sql<boolean>`(c.organisation_id = any(${numbers}::bigint[]) or c.id = any(${ids}::uuid[]))`)
    .select(['c.id', 'c.organisation_id', 'c.name', 'c.users', ...recordColumns])
    .select(writtenAddress.as('address'))
    .select(obstacleOf({ product, resellerId: caller.resellerId }).as('obstacle'))
    .execute();
  const raisable = await listRaisable(
    db,
    rows.map(({ id }) => id),
    product,
  );
  const administrator = await readAdministrator(db, caller.resellerId, product.serviceId);
  const byKey = new Map<string, CheckedCustomer>();
  for (const row of rows) {
    const checked = {
      id: row.id,
      CustomerId: row.organisation_id,
      Name: row.name,
      Quantity: proposedQuantity(product, row.users),
      Fields: proposedFields(product, row, administrator),
      ...saying(row.obstacle, product),
      Held: raisable.get(row.id)?.quantity ?? null,
      held: raisable.get(row.id),
    };
    byKey.set(row.id, checked).set(String(row.organisation_id), checked);
  }
  const found = keys.map(key => byKey.get(key.toLowerCase()));
  if (found.includes(undefined)) throw notFound();
  return onlyOnce(product, [...new Set(found as CheckedCustomer[])]);
}

/** Of several that could each have what a reseller can have once, the first by name can. */
function onlyOnce({ name, orderLimit }: Product, customers: CheckedCustomer[]): CheckedCustomer[] {
  if (orderLimit !== 'OncePerReseller') return customers;
  const [first] = customers
    .filter(({ Obstacle }) => Obstacle === null)
    .sort((one, other) => one.Name.localeCompare(other.Name, 'en'));
  const Reason = `${name} can be added for one customer only.`;
  return customers.map(customer =>
    customer.Obstacle === null && customer !== first ? { ...customer, Obstacle: 'TakenByReseller', Reason } : customer,
  );
}

const soldToUsers: readonly string[] = ['user', 'mailbox', 'licence'];

const proposedQuantity = ({ offer }: Product, users: number): number =>
  soldToUsers.includes(offer.Unit)
    ? Math.min(Math.max(users, offer.MinQuantity), offer.MaxQuantity)
    : offer.MinQuantity;

/** Columns of a customer's record that are proposed for the fields of an order; the address as `writtenAddress`. */
export const recordColumns = ['c.domain', 'c.contact_email'] as const;
export const writtenAddress = sql<string>`concat_ws(', ', nullif(c.address1, ''), nullif(c.address2, ''),
  nullif(c.town_city, ''), nullif(c.county, ''), nullif(c.post_code, ''))`;

type CustomerRecord = { readonly domain: string; readonly contact_email: string; readonly address: string };

/**
 * Gives what a customer's record proposes for the fields of a product that are each customer's own.
 * @param administrator who manages the product for the reseller's customers, in place of their contacts
 */
export function proposedFields(
  { offer }: Product,
  record: CustomerRecord,
  administrator = record.contact_email,
): Record<string, string> {
  const proposed = { '': '', Domain: record.domain, ContactEmail: administrator, Address: record.address };
  const own = offer.Fields.filter(({ PerCustomer }) => PerCustomer);
  return Object.fromEntries(own.map(field => [field.PropertyName, fitting(proposed[field.Prefill])]));
}

/** A field holds 200 characters at most; what does not fit is not proposed. */
const fitting = (proposed: string): string => (proposed.length <= 200 ? proposed : '');
