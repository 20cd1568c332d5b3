import { timingSafeEqual } from 'node:crypto';
import type { Database } from '../../database/connect.ts';
import type { Credentials, Kind, PsaProduct } from '../tables.ts';

/** The tenant that credentials open, all of which have to be right. */
export async function findTenant(db: Database, product: PsaProduct, given: Credentials): Promise<string | undefined> {
  const tenants = await db.selectFrom('psa_stand_in_tenants').selectAll().where('product', '=', product).execute();
  return tenants.find(({ credentials }) =>
    Object.entries(credentials).every(([name, value]) => isSame(value, given[name] ?? '')),
  )?.name;
}

function isSame(known: string, given: string): boolean {
  const [one, other] = [Buffer.from(known), Buffer.from(given)];
  return one.length === other.length && timingSafeEqual(one, other);
}

type Ask = { readonly tenant: string; readonly kind: Kind; readonly active: boolean | undefined };

/** What a tenant has of a kind, to be narrowed further. */
export function recordsOf(db: Database, { tenant, kind, active }: Ask) {
  const all = db.selectFrom('psa_stand_in_records').where('tenant', '=', tenant).where('kind', '=', kind);
  return active === undefined ? all : all.where('active', '=', active);
}
