import { timingSafeEqual } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../tables.ts';
import type { Credentials, Kind, PsaProduct } from '../tables.ts';

/** Finds the tenant that all of the given credentials open; undefined when one of them is wrong. */
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

/** The rows of one list of a tenant, to be narrowed further; of what hangs on another row those of that one. */
export type Rows = (tenant: string, parent: number) => RawBuilder<unknown>;

export type RecordRow = {
  readonly id: number;
  readonly name: string;
  readonly price: number | null;
  readonly active: boolean;
};
export const recordsOf =
  (kind: Kind): Rows =>
  tenant =>
    sql`select id, name, price, active from psa_stand_in_records where tenant = ${tenant} and kind = ${kind}`;

export type ContractRow = {
  readonly id: number;
  readonly name: string;
  readonly active: boolean;
  readonly customer: number;
  readonly customer_name: string;
};
export const contractsOf: Rows = tenant => sql`
  select c.id, c.name, c.active, c.customer, r.name as customer_name
  from psa_stand_in_contracts c join psa_stand_in_records r on r.id = c.customer where c.tenant = ${tenant}`;

export type LineRow = {
  readonly id: number;
  readonly contract: number;
  readonly service: number;
  readonly service_name: string;
  readonly quantity: number;
  readonly cost: number | null;
  readonly starts: Date;
  readonly ends: Date | null;
};
export const linesOf = (tenant: string): RawBuilder<unknown> => sql`
  select l.id, l.contract, l.service, r.name as service_name, l.quantity, l.cost, l.starts, l.ends
  from psa_stand_in_lines l join psa_stand_in_contracts c on c.id = l.contract
  join psa_stand_in_records r on r.id = l.service where c.tenant = ${tenant}`;
export const linesOfContract: Rows = (tenant, parent) => sql`${linesOf(tenant)} and l.contract = ${parent}`;
