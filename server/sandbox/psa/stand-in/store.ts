import { timingSafeEqual } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../tables.ts';
import type { BillCustomer, Credentials, Kind, PsaProduct } from '../tables.ts';

/**
 * Finds the tenant (one reseller's business system) that all of these credentials open; undefined when one is wrong.
 */
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
/** Gives SQL for a tenant's records of a kind: companies or services of the business system's stand-in. */
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
  readonly ends: Date | null;
};
/** Gives SQL for a tenant's contracts in the business system's stand-in, with their customers. */
export const contractsOf: Rows = tenant => sql`
  select c.id, c.name, c.active, c.customer, c.ends, r.name as customer_name
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
  readonly less_included: number;
  readonly bill_customer: BillCustomer;
};
/** A row of any list; each list reads of it what its own rows have. */
export type AnyRow = RecordRow & ContractRow & LineRow;
/** Gives SQL for the lines of all contracts of a tenant in the business system's stand-in. */
export const linesOf = (tenant: string): RawBuilder<unknown> => sql`
  select l.id, l.contract, l.service, r.name as service_name, l.quantity, l.cost, l.starts, l.ends,
    l.less_included, l.bill_customer
  from psa_stand_in_lines l join psa_stand_in_contracts c on c.id = l.contract
  join psa_stand_in_records r on r.id = l.service where c.tenant = ${tenant}`;
/** Gives SQL for the lines of one contract (`parent`) of a tenant in the business system's stand-in. */
export const linesOfContract: Rows = (tenant, parent) => sql`${linesOf(tenant)} and l.contract = ${parent}`;

/** Values that can be written of a line; one that is undefined stays, or is empty at first. */
export type LineValues = {
  readonly quantity?: number | undefined;
  readonly cost?: number | undefined;
  readonly starts?: Date | undefined;
  readonly ends?: Date | undefined;
  readonly less_included?: number | undefined;
  readonly bill_customer?: BillCustomer | undefined;
};

/**
 * Adds a line to a contract of a tenant in the business system's stand-in. @returns its id; undefined where contract or
 * service are not the tenant's
 */
export async function addLine(
  db: Database,
  tenant: string,
  line: LineValues & { readonly contract: number; readonly service: number; readonly quantity: number },
): Promise<number | undefined> {
  const {
    contract,
    service,
    quantity,
    cost = null,
    starts = null,
    less_included = 0,
    bill_customer = 'Billable',
  } = line;
  const { rows } = await sql<{ id: number }>`
    insert into psa_stand_in_lines (contract, service, quantity, cost, starts, less_included, bill_customer)
    select c.id, r.id, ${quantity}, ${cost}::numeric, coalesce(${starts}::timestamptz, now()), ${less_included},
      ${bill_customer}
    from psa_stand_in_contracts c
    join psa_stand_in_records r on r.tenant = c.tenant and r.kind = 'services' and r.id = ${service}
    where c.tenant = ${tenant} and c.id = ${contract}
    returning id::int as id`.execute(db);
  return rows[0]?.id;
}

/** Changes a line of a contract in the business system's stand-in; the caller has checked that it is the tenant's. */
export async function changeLine(
  db: Database,
  { contract, id }: { readonly contract: number; readonly id: number },
  values: LineValues,
): Promise<void> {
  const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
  await db.updateTable('psa_stand_in_lines').set(given).where('contract', '=', contract).where('id', '=', id).execute();
}

type Adjustment = {
  readonly contract: number;
  readonly service: number;
  /** More, or below zero less. */
  readonly change: number;
  readonly cost: number | null;
  readonly from: Date;
};

/**
 * Adjusts the units of a contract's service from a day on, as Autotask does: present ones end there and new ones begin.
 * @returns the id of the units that run; undefined where contract or service are not the tenant's, or less than nothing
 * would be left
 */
export async function adjustUnits(db: Database, tenant: string, adjustment: Adjustment): Promise<number | undefined> {
  const { contract, service, change, cost, from } = adjustment;
  return db.transaction().execute(async trx => {
    await sql`select from psa_stand_in_contracts where id = ${contract} for update`.execute(trx);
    const running = await trx
      .selectFrom('psa_stand_in_lines')
      .selectAll()
      .where('contract', '=', contract)
      .where('service', '=', service)
      .where('ends', 'is', null)
      .executeTakeFirst();
    const quantity = (running?.quantity ?? 0) + change;
    if (quantity < 0) return undefined;
    const values = { quantity, cost: cost ?? running?.cost ?? undefined };
    if (running && running.starts.getTime() >= from.getTime()) {
      const { id, starts } = running;
      await changeLine(trx, { contract, id }, quantity === 0 ? { ends: starts } : values);
      return id;
    }
    if (running) await changeLine(trx, { contract, id: running.id }, { ends: from });
    if (quantity === 0) return running?.id;
    return addLine(trx, tenant, { contract, service, ...values, starts: from });
  });
}
