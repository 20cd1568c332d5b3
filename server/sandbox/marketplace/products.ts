import { sql } from 'kysely';
import { journeyOf, type ProductCode, productCodes } from '../../../shared/catalogue/codes.ts';
import type { Caller } from '../auth/caller.ts';
import { notFound } from '../http/errors.ts';
import { idOf } from '../http/ids.ts';
import type { Database } from '../tables.ts';
import type { Offer } from './offer.ts';

export type Buyer = Pick<Caller, 'accountId' | 'currency'>;

/** A product as one caller may see and buy it; the price is for one unit and month, in the caller's currency. */
export type Product = ProductCode & {
  readonly key: string;
  readonly price: number;
  readonly offer: Offer;
  readonly activationFailure: string | null;
  readonly deletionFailure: string | null;
};

/** Products that others are upgraded to only with a flag: the secure office suite. */
const upgradeFlags: Readonly<Record<string, string>> = { '8-9': 'M365SecureUpgrade' };

const codes = new Map(productCodes.map(code => [keyOf(code.serviceId, code.subId), code]));

/** Gives the key of a product from its service and sub-service ids, as "8-1". */
export function keyOf(serviceId: number, subId: number): string {
  return `${serviceId}-${subId}`;
}

/** Reads the feature flags that are on for an account. */
export async function flagsOf(db: Database, accountId: number): Promise<Set<string>> {
  const rows = await db
    .selectFrom('feature_flags as f')
    .leftJoin('feature_overrides as o', join =>
      join.onRef('o.feature_name', '=', 'f.name').on('o.account_id', '=', accountId),
    )
    .where(sql<boolean>`coalesce(o.enabled, f.enabled)`)
    .select('f.name')
    .execute();
  return new Set(rows.map(({ name }) => name));
}

/** Types of products that a euro reseller is not offered. */
export const typesInPoundsOnly: ReadonlySet<string> = new Set(['security', 'backupContinuity']);

/**
 * Lists the products that a caller may see, by name, with prices in its currency: none that is hidden or whose flag is
 * off, and for a euro reseller neither security nor backup (document 1, sections 2.5 and 2.6). Their upgrades are those
 * whose flag is on.
 */
export async function visibleProducts(db: Database, { accountId, currency }: Buyer): Promise<Product[]> {
  const flags = await flagsOf(db, accountId);
  const rows = await db.selectFrom('products').selectAll().orderBy('name').execute();
  const isEuro = currency === 'EUR';
  const isOpen = (target: string) => upgradeFlags[target] === undefined || flags.has(upgradeFlags[target]);
  return rows.flatMap(row => {
    const key = keyOf(row.service_id, row.sub_id);
    const code = codes.get(key);
    if (code === undefined || code.hidden || (code.feature !== null && !flags.has(code.feature))) return [];
    if (isEuro && typesInPoundsOnly.has(row.type)) return [];
    const product: Product = {
      ...code,
      key,
      journey: journeyOf(code, flags.has('CrossSell')),
      price: isEuro ? row.monthly_price_eur : row.monthly_price,
      offer: { ...row.offer, Upgrades: row.offer.Upgrades.filter(isOpen) },
      activationFailure: row.activation_failure,
      deletionFailure: row.deletion_failure,
    };
    return [product];
  });
}

/**
 * Finds a product by its ids.
 * @throws {CloudError} 404 when the caller does not see it
 */
export async function findProduct(db: Database, buyer: Buyer, serviceId: number, subId: number): Promise<Product> {
  const products = await visibleProducts(db, buyer);
  const found = products.find(product => product.serviceId === serviceId && product.subId === subId);
  if (found === undefined) throw notFound();
  return found;
}

/**
 * Finds a product by the ids in an address.
 * @throws {CloudError} 404 when the caller does not see it
 */
export function productAt(db: Database, buyer: Buyer, { serviceId, subId }: { serviceId: string; subId: string }) {
  return findProduct(db, buyer, idOf(serviceId), idOf(subId));
}
