import { sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import type { Database } from '../tables.ts';

type Named = { readonly id: string; readonly name: string };

/** One line of a contract; a contract that bills nothing has one line without a service. */
type ContractLine = {
  readonly id: string;
  readonly contract: Named;
  readonly customer: Named;
  readonly service: Named | null;
  readonly quantity: number;
};

/** Reads what the contracts in the business system bill each customer for, from the sandbox's last copy of them. */
export async function contractLinesOf(db: Database, { resellerId }: Caller): Promise<ContractLine[]> {
  const rows = await db
    .selectFrom('psa_contracts as k')
    .leftJoin('psa_lines as l', on => on.onRef('l.reseller_id', '=', 'k.reseller_id').onRef('l.contract', '=', 'k.id'))
    .leftJoin('psa_records as c', on =>
      on.onRef('c.reseller_id', '=', 'k.reseller_id').on('c.kind', '=', 'customers').onRef('c.id', '=', 'k.customer'),
    )
    .leftJoin('psa_records as s', on =>
      on.onRef('s.reseller_id', '=', 'k.reseller_id').on('s.kind', '=', 'services').onRef('s.id', '=', 'l.service'),
    )
    .where('k.reseller_id', '=', resellerId)
    .select(['k.id', 'k.name', 'k.customer', 'l.service', 'l.quantity', 'c.name as customerName'])
    .select('s.name as serviceName')
    .orderBy(sql`coalesce(c.name, k.customer) collate "und-x-icu"`)
    .orderBy('k.id')
    .orderBy(sql`coalesce(s.name, l.service) collate "und-x-icu"`)
    .execute();
  return rows.map(({ id, name, customer, service, quantity, customerName, serviceName }) => ({
    id: service === null ? id : `${id}-${service}`,
    contract: { id, name },
    customer: { id: customer, name: customerName ?? customer },
    service: service === null ? null : { id: service, name: serviceName ?? service },
    quantity: quantity ?? 0,
  }));
}
