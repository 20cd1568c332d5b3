import { sql } from 'kysely';
import type { Database } from '../tables.ts';
import { type Found, idOfDocument } from './documents.ts';
import { reasonOfChange, sumsByService } from './lines.ts';

/** Changes that are told one by one. */
const mostChanges = 12;

/**
 * Compares an invoice or credit memo with that of the month before by customer and service, and stores the largest
 * changes and the sum of the others. Done once, since neither changes any more.
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
    )
    insert into invoice_change_sums (invoice_id, rest, rest_count)
    select ${id}::bigint, coalesce(sum(change), 0), count(*) from ranked where place > ${mostChanges}
    on conflict do nothing`.execute(db);
}

/**
 * Reads why an invoice or credit memo is more or less than that of the month before: changes by customer and service,
 * the largest first, and the sum of the others. Computes them when nobody has done so yet.
 */
export async function readChanges(db: Database, document: Found) {
  const { id, periodBefore, Currency, Net, Tax } = document;
  const { rows } = await sql<{ Rest: string; RestCount: number }>`
    select rest::text as "Rest", rest_count as "RestCount" from invoice_change_sums where invoice_id = ${id}`.execute(
    db,
  );
  if (rows[0] === undefined) {
    await keepChanges(db, id, periodBefore);
    return readChanges(db, document);
  }
  const { rows: items } = await sql<Record<string, unknown>>`
    select organisation_id || ' ' || service as "Id", organisation_id::text as "OrganisationId",
      customer as "CustomerName", service as "Service", reason as "Reason", before as "Before", after as "After",
      change::text as "Change"
    from invoice_changes where invoice_id = ${id} order by change desc, place`.execute(db);
  const { rows: before } = await sql<{ Id: string; Period: string; Net: string; Gross: string; Tax: string }>`
    select ${idOfDocument('i')} as "Id", i.period::text as "Period", i.net::text as "Net", i.gross::text as "Gross",
      i.tax::text as "Tax"
    from invoices i where i.id = ${periodBefore}::bigint`.execute(db);
  const { rows: change } = await sql<{ net: string; tax: string }>`
    select (${Net}::numeric - ${before[0]?.Net ?? '0'}::numeric)::text as net,
      (${Tax}::numeric - ${before[0]?.Tax ?? '0'}::numeric)::text as tax`.execute(db);
  return {
    BeforeId: before[0]?.Id ?? null,
    BeforePeriod: before[0]?.Period ?? null,
    BeforeNet: before[0]?.Net ?? null,
    Net,
    Change: change[0]?.net ?? '0.00',
    TaxChange: change[0]?.tax ?? '0.00',
    ...rows[0],
    Currency,
    Items: items.map(row => ({ ...row, Currency })),
  };
}

/**
 * Lists a page of how much each customer costs more or less than in the month before, the largest changes first, also
 * those whom only one of the two documents charges; `InvoiceId` is the newer one that does. `Change` is the sum of all.
 * @param document `periodBefore` is null for the first one, whose customers are all new
 */
export async function listCustomerChanges(
  db: Database,
  { id, periodBefore, Currency }: Pick<Found, 'id' | 'periodBefore' | 'Currency'>,
  { page, pageSize }: { readonly page: number; readonly pageSize: number },
) {
  const sums = (document: number | null) =>
    sql`select key, name, amount from invoice_groups where invoice_id = ${document}::bigint and kind = 'customer'`;
  const changed = sql`
    select key, coalesce(a.name, b.name) as name, coalesce(b.amount, 0) as before, coalesce(a.amount, 0) as amount,
      coalesce(a.amount, 0) - coalesce(b.amount, 0) as change,
      case when a.key is null then ${periodBefore}::bigint else ${id}::bigint end as invoice_id
    from (${sums(id)}) a full join (${sums(periodBefore)}) b using (key)
    where coalesce(a.amount, 0) <> coalesce(b.amount, 0)`;
  const { rows } = await sql<Record<'Id' | 'Name' | 'InvoiceId' | 'Before' | 'Amount' | 'Change', string>>`
    select c.key as "Id", c.name as "Name", ${idOfDocument('i')} as "InvoiceId",
      c.before::numeric(14, 2)::text as "Before", c.amount::numeric(14, 2)::text as "Amount",
      c.change::numeric(14, 2)::text as "Change"
    from (
      select * from (${changed}) c order by abs(change) desc, key limit ${pageSize} offset ${(page - 1) * pageSize}
    ) c join invoices i on i.id = c.invoice_id order by abs(c.change) desc, c.key`.execute(db);
  const { rows: sumsOfAll } = await sql<{ Total: number; Change: string }>`
    select count(*)::int as "Total", coalesce(sum(change), 0)::numeric(14, 2)::text as "Change"
    from (${changed}) c`.execute(db);
  return { Items: rows.map(row => ({ ...row, Currency })), ...sumsOfAll[0]!, Currency };
}
