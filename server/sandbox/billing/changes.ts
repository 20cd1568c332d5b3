import { sql } from 'kysely';
import { day, id, integer, list, money, number, object, orNull, string } from '../http/schema.ts';
import { fields, type RowOf, selected } from '../resource/fields.ts';
import type { Database } from '../tables.ts';
import { type Found, idOfDocument } from './documents.ts';
import { changeReasons, reasonOfChange, sumsByService } from './lines.ts';

/** Changes that are told one by one. */
const mostChanges = 12;

/**
 * Compares an invoice or credit memo with that of the month before. Stores the largest changes by customer and service
 * with the sum of the others, and all changes by customer. Done once, since neither changes any more.
 * @param periodBefore id of the one of the month before; null for the first one
 */
export async function keepChanges(db: Database, id: number, periodBefore: number | null): Promise<void> {
  const sums = (document: number | null) =>
    sumsByService(sql`
      select l.*, (i.period + interval '1 month' - interval '1 day')::date as last_day
      from invoice_lines l join invoices i on i.id = l.invoice_id where i.id = ${document}::bigint`);
  await sql`
    with moved as (
      select coalesce(a.organisation_id, b.organisation_id) as organisation_id, coalesce(a.customer, b.customer) as customer,
        service, coalesce(a.amount, 0) - coalesce(b.amount, 0) as change, b.quantity as before, a.quantity as after,
        ${reasonOfChange} as reason
      from (${sums(id)}) a full join (${sums(periodBefore)}) b using (organisation_id, service)
    ), ranked as (
      select *, row_number() over (order by abs(change) desc, organisation_id, service) as place
      from moved where change <> 0
    ), kept as (
      insert into invoice_changes (invoice_id, place, organisation_id, customer, service, reason, before, after, change)
      select ${id}::bigint, place, organisation_id, customer, service, reason, before, after, change
      from ranked where place <= ${mostChanges}
      on conflict do nothing
    ), customers as (
      select key, coalesce(a.name, b.name) as name, coalesce(b.amount, 0) as before, coalesce(a.amount, 0) as amount,
        a.key is not null as is_charged
      from (${sumsByCustomer(id)}) a full join (${sumsByCustomer(periodBefore)}) b using (key)
      where coalesce(a.amount, 0) <> coalesce(b.amount, 0)
    ), kept_customers as (
      insert into invoice_customer_changes (invoice_id, place, key, name, before, amount, is_charged)
      select ${id}::bigint, row_number() over (order by abs(amount - before) desc, key), key, name, before, amount,
        is_charged
      from customers
      on conflict do nothing
    )
    insert into invoice_change_sums (invoice_id, rest, rest_count, customers)
    select ${id}::bigint, coalesce(sum(change), 0), count(*), (select count(*) from customers)
    from ranked where place > ${mostChanges}
    on conflict do nothing`.execute(db);
}

const sumsByCustomer = (document: number | null) =>
  sql`select key, name, amount from invoice_groups where invoice_id = ${document}::bigint and kind = 'customer'`;

type Compared = Pick<Found, 'id' | 'periodBefore'>;

/** Reads what the comparison with the month before comes to. Makes it when nobody has done so yet. */
async function readComparison(db: Database, { id, periodBefore }: Compared) {
  const read = () =>
    sql<{ Rest: string; RestCount: number; customers: number }>`
      select rest::text as "Rest", rest_count as "RestCount", customers from invoice_change_sums
      where invoice_id = ${id}`.execute(db);
  const { rows } = await read();
  if (rows[0]) return rows[0];
  await keepChanges(db, id, periodBefore);
  return (await read()).rows[0]!;
}

const change = fields('c', [
  { name: 'Id', shape: id, column: sql`c.organisation_id || ' ' || c.service` },
  { name: 'OrganisationId', shape: orNull(id) },
  { name: 'CustomerName', shape: orNull(string), column: 'customer' },
  { name: 'Service', shape: orNull(string) },
  { name: 'Reason', shape: { ...string, enum: [...changeReasons, 'Smaller'] } },
  { name: 'Before', shape: orNull(number) },
  { name: 'After', shape: orNull(number) },
  { name: 'Change', shape: money },
]);
/** Of an invoice `i` since that of the month before, `b`. */
const since = fields('b', [
  { name: 'BeforeId', shape: orNull(id), column: idOfDocument('b') },
  { name: 'BeforePeriod', shape: orNull(day), column: 'period' },
  { name: 'BeforeNet', shape: orNull(money), column: 'net' },
  { name: 'Net', shape: money, column: sql`i.net` },
  { name: 'Change', shape: money, column: sql`i.net - coalesce(b.net, 0)` },
  { name: 'TaxChange', shape: money, column: sql`i.tax - coalesce(b.tax, 0)` },
  { name: 'Currency', column: sql`i.currency` },
]);
export const changes = object({
  ...since.shapes,
  Items: list(object({ ...change.shapes, Currency: string })),
});

/**
 * Reads why an invoice or credit memo is more or less than that of the month before: changes by customer and service,
 * the largest first, and the sum of the others as one row.
 */
export async function readInvoiceChanges(db: Database, document: Found) {
  const { id, periodBefore, Currency } = document;
  const { Rest, RestCount } = await readComparison(db, document);
  const { rows: items } = await sql<RowOf<typeof change>>`
    select ${selected(change)} from invoice_changes c where c.invoice_id = ${id} order by c.change desc, c.place`.execute(
    db,
  );
  const { rows: sums } = await sql<RowOf<typeof since>>`
    select ${selected(since)} from invoices i left join invoices b on b.id = ${periodBefore}::bigint
    where i.id = ${id}`.execute(db);
  return {
    ...sums[0]!,
    Items: [...items, ...(RestCount > 0 ? [smallerChanges(Rest)] : [])].map(row => ({ ...row, Currency })),
  };
}

/** The row of all smaller changes, so that the rows add up to the change of the whole. */
const smallerChanges = (sum: string) => ({
  ...{ Id: 'smaller', OrganisationId: null, CustomerName: null, Service: null, Reason: 'Smaller' },
  ...{ Before: null, After: null, Change: sum },
});

const ofCustomer = fields('c', [
  { name: 'Id', shape: id, column: 'key' },
  { name: 'Name' },
  { name: 'InvoiceId', shape: id, column: idOfDocument('i') },
  { name: 'Before', shape: money },
  { name: 'Amount', shape: money },
  { name: 'Change', shape: money, column: sql`c.amount - c.before` },
  { name: 'Currency', column: sql`i.currency` },
]);
export const customerChanges = object({
  Items: list(ofCustomer.schema),
  Total: integer,
  Change: money,
  Currency: string,
});

/**
 * Lists a page of how much each customer costs more or less than in the month before, the largest changes first, also
 * those whom only one of the two documents charges; `InvoiceId` is the newer one that does. `Change` is the sum of all.
 * @param document `periodBefore` is null for the first one, whose customers are all new
 */
export async function listCustomerChanges(
  db: Database,
  document: Compared & Pick<Found, 'Currency'>,
  { page, pageSize }: { readonly page: number; readonly pageSize: number },
) {
  const { id, periodBefore, Currency } = document;
  const { customers } = await readComparison(db, document);
  const first = (page - 1) * pageSize;
  const { rows: Items } = await sql<RowOf<typeof ofCustomer>>`
    select ${selected(ofCustomer)}
    from invoice_customer_changes c
    join invoices i on i.id = case when c.is_charged then ${id}::bigint else ${periodBefore}::bigint end
    where c.invoice_id = ${id} and c.place > ${first} and c.place <= ${first + pageSize} order by c.place`.execute(db);
  const { rows: nets } = await sql<{ Change: string }>`
    select (i.net - coalesce(b.net, 0))::text as "Change" from invoices i
    left join invoices b on b.id = ${periodBefore}::bigint where i.id = ${id}`.execute(db);
  return { Items, Total: customers, ...nets[0]!, Currency };
}
