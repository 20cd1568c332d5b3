import { sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import type { Found } from '../billing/documents.ts';
import { orderNumber } from '../orders/place.ts';
import { isHeld } from '../services/held.ts';
import type { Database } from '../tables.ts';
import type { InvoiceInput, InvoiceLine, TheirLine } from './invoice-shapes.ts';
import { type HeldService, type Movement, movementsOfService } from './movements.ts';

/**
 * Reads what comparing an invoice with the business system needs: its lines, the last copy of the contracts, the
 * matches of customers and products, and how quantities moved.
 */
export async function readInvoiceInput(db: Database, caller: Caller, invoice: Found): Promise<InvoiceInput> {
  const { resellerId } = caller;
  const matches = await db
    .selectFrom('psa_matches')
    .select(['kind', 'own_id', 'psa_id', 'ignored'])
    .where('reseller_id', '=', resellerId)
    .orderBy('own_id')
    .execute();
  const of = (kind: 'customers' | 'services') =>
    new Map(
      matches
        .filter(match => match.kind === kind)
        .map(({ own_id, psa_id, ignored }) => [own_id, { psaId: psa_id, ignored }]),
    );
  const [customers, services] = [of('customers'), of('services')];
  const ownCustomers = new Map([...customers].flatMap(([id, { psaId }]) => (psaId === null ? [] : [[psaId, id]])));
  const [lines, theirs, movements] = [
    await readLines(db, invoice.id),
    await readTheirs(db, resellerId),
    await readMovements(db, resellerId),
  ];
  return { lastDay: invoice.PeriodEnd, lines, theirs, customers, services, ownCustomers, movements };
}

async function readLines(db: Database, invoiceId: number): Promise<InvoiceLine[]> {
  const { rows } = await sql<InvoiceLine & { readonly order_id: number | null }>`
    select l.organisation_id::text as customer, l.customer as "customerName", l.service, l.kind,
      l.instance_id::text as instance, l.order_id::int as order_id, l.starts::text as starts, l.ends::text as ends,
      l.quantity::text as quantity, l.unit_price::text as "unitPrice", l.days, l.month_days as "monthDays",
      l.amount::text as amount,
      case when l.kind = 'Usage' then '6-1' else coalesce(i.service_id || '-' || i.sub_id, sold.key) end as product
    from invoice_lines l
    left join service_instances i on i.customer_id = l.customer_id and i.id = l.instance_id
    left join lateral (
      select service_id || '-' || sub_id as key from products p where p.name = l.service order by 1 limit 1
    ) sold on true
    where l.invoice_id = ${invoiceId}
    order by l.customer collate "C", l.service collate "C", l.id`.execute(db);
  return rows.map(({ order_id, ...row }) => ({ ...row, order: order_id === null ? null : orderNumber(order_id) }));
}

async function readTheirs(db: Database, resellerId: number): Promise<TheirLine[]> {
  const { rows } = await sql<Omit<TheirLine, 'since'> & { readonly since: Date | null }>`
    select k.customer, coalesce(c.name, k.customer) as "customerName", l.service,
      coalesce(s.name, l.service) as "serviceName", l.contract, l.line, l.quantity::text as quantity,
      l.cost::text as cost, l.since
    from psa_contracts k
    join psa_lines l on l.reseller_id = k.reseller_id and l.contract = k.id
    left join psa_records c on c.reseller_id = k.reseller_id and c.kind = 'customers' and c.id = k.customer
    left join psa_records s on s.reseller_id = k.reseller_id and s.kind = 'services' and s.id = l.service
    where k.reseller_id = ${resellerId}
    order by k.customer, k.id, l.service`.execute(db);
  return rows.map(({ since, ...row }) => ({ ...row, since: since?.toISOString() ?? null }));
}

type ServiceRow = Omit<HeldService, 'changes'> & {
  readonly key: string;
  readonly changes: HeldService['changes'] | null;
};

/** Reads what moved of matched services of matched customers, the oldest first, by customer and service there. */
async function readMovements(db: Database, resellerId: number): Promise<Map<string, Movement[]>> {
  const matched = sql`m.reseller_id = ${resellerId} and m.psa_id is not null and not m.ignored`;
  const { rows } = await sql<ServiceRow>`
    with customer as (
      select c.id, m.psa_id from psa_matches m
      join customers c on c.reseller_id = ${resellerId} and c.organisation_id::text = m.own_id
      where m.kind = 'customers' and ${matched}
    ), service as (
      select m.own_id, m.psa_id from psa_matches m where m.kind = 'services' and ${matched}
    )
    select customer.psa_id || ' ' || service.psa_id as key, i.id::text as instance, i.quantity,
      (i.created at time zone 'UTC')::date::text as starts,
      case when not ${isHeld('i')} then (i.last_change at time zone 'UTC')::date::text end as ends,
      coalesce(i.billing_id, 'monthly') in ('upfront', 'once') or exists (
        select from invoice_lines l
        where l.customer_id = i.customer_id and l.instance_id = i.id and l.kind in ('Once', 'Term')) as "isPaidAhead",
      placed.id::text as "order", placed.ordered_by as by, changed.changes
    from customer
    join service_instances i on i.customer_id = customer.id and i.was_active
    join service on service.own_id = i.service_id || '-' || i.sub_id
    left join orders placed on placed.id = i.order_id and placed.action <> 'Modify'
    left join lateral (
      select jsonb_agg(jsonb_build_object('day', (o.created at time zone 'UTC')::date::text, 'before', o.quantity_before,
        'order', o.id::text, 'by', o.ordered_by) order by o.created, o.id) as changes
      from orders o
      where o.customer_id = i.customer_id and o.instance_id = i.id and o.action = 'Modify' and o.status = 'Done'
    ) changed on true
    order by i.created, i.id`.execute(db);
  const movements = new Map<string, Movement[]>();
  const numbered = (id: string | null) => (id === null ? null : orderNumber(Number(id)));
  for (const { key, changes, order, ...service } of rows) {
    const known = movements.get(key) ?? [];
    const numberedChanges = (changes ?? []).map(change => ({ ...change, order: orderNumber(Number(change.order)) }));
    known.push(...movementsOfService({ ...service, order: numbered(order), changes: numberedChanges }));
    movements.set(key, known);
  }
  for (const list of movements.values())
    list.sort((one, other) => (one.day < other.day ? -1 : Number(one.day > other.day)));
  return movements;
}
