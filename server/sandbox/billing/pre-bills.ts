import { type RawBuilder, sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { notFound } from '../http/errors.ts';
import { containing } from '../search.ts';
import type { Database } from '../tables.ts';
import { idOfDocument } from './documents.ts';
import { changeReasons, reasonOfChange, sumsByService } from './lines.ts';

/** "Rounding": the same to the last digit, but printed a cent apart (ADR 043). */
export const differenceReasons = [...changeReasons, 'Rounding'] as const;

export type BillQuery = {
  readonly page: number;
  readonly pageSize: number;
  readonly search: string;
  readonly invoiceDate?: string | undefined;
};

type Bill = {
  readonly pre: number;
  readonly post: number | null;
  readonly period: string;
  readonly InvoiceDate: string;
  readonly Prepared: string;
  readonly InvoiceId: string | null;
  readonly PreNet: string;
  readonly PreTax: string;
  readonly PreGross: string;
  readonly PostNet: string | null;
  readonly PostTax: string | null;
  readonly PostGross: string | null;
  readonly Change: string | null;
  readonly TaxChange: string | null;
  readonly GrossChange: string | null;
  readonly Currency: string;
};

const words = (search: string) =>
  search === ''
    ? sql`true`
    : sql`lower((l.customer || ' ' || l.service) collate "und-x-icu") collate "C" like ${containing(search)}`;

/** Finds the pre-bill of the invoice of a day, and that invoice; without a day the newest that has been invoiced. */
async function findBill(db: Database, { resellerId }: Caller, invoiceDate: string | undefined): Promise<Bill> {
  const { rows } = await sql<Bill>`
    select b.id::int as pre, i.id::int as post, b.period::text as period,
      (b.period + interval '1 month')::date::text as "InvoiceDate", b.prepared::text as "Prepared",
      ${idOfDocument('i')} as "InvoiceId", b.net::text as "PreNet", b.tax::text as "PreTax", b.gross::text as "PreGross",
      i.net::text as "PostNet", i.tax::text as "PostTax", i.gross::text as "PostGross",
      (i.net - b.net)::text as "Change", (i.tax - b.tax)::text as "TaxChange", (i.gross - b.gross)::text as "GrossChange",
      b.currency as "Currency"
    from pre_bills b
    left join invoices i on i.reseller_id = b.reseller_id and i.kind = 'Invoice' and i.period = b.period
    where b.reseller_id = ${resellerId}
      and (${invoiceDate ?? null}::date is null or b.period = (${invoiceDate ?? null}::date - interval '1 month')::date)
    order by i.id is null, b.period desc limit 1`.execute(db);
  const [bill] = rows;
  if (bill === undefined) throw notFound();
  return bill;
}

/**
 * Lists a page of the lines of a pre-bill (forecast of an invoice), or of the invoice that was made in the end.
 * @throws {CloudError} 404 for a day without a pre-bill, or whose invoice has not been made
 */
export async function readBill(db: Database, caller: Caller, side: 'pre' | 'post', query: BillQuery) {
  const { page, pageSize, search, invoiceDate } = query;
  const bill = await findBill(db, caller, invoiceDate);
  const { InvoiceDate, InvoiceId, Currency } = bill;
  if (side === 'post' && bill.post === null) throw notFound();
  const lines =
    side === 'pre'
      ? sql`pre_bill_lines l where l.pre_bill_id = ${bill.pre}`
      : sql`invoice_lines l where l.invoice_id = ${bill.post}`;
  const { rows } = await sql<Record<string, unknown>>`
    select l.key as "Id", l.organisation_id::text as "OrganisationId", l.customer as "CustomerName",
      l.service as "Service", l.kind as "Kind", l.starts::text as "Starts", l.ends::text as "Ends",
      l.quantity as "Quantity", l.unit_price::text as "UnitPrice", l.rate as "TaxRate", l.amount::text as "Amount"
    from ${lines} and ${words(search)} order by l.customer collate "C", l.service collate "C", l.key
    limit ${pageSize} offset ${(page - 1) * pageSize}`.execute(db);
  const { rows: counts } = await sql<{ Total: number }>`
    select count(*)::int as "Total" from ${lines} and ${words(search)}`.execute(db);
  const sums =
    side === 'pre'
      ? { Prepared: bill.Prepared, InvoiceId, Net: bill.PreNet, Tax: bill.PreTax, Gross: bill.PreGross }
      : { Prepared: null, InvoiceId, Net: bill.PostNet, Tax: bill.PostTax, Gross: bill.PostGross };
  const Items = rows.map(row => ({ ...row, Currency }));
  return { InvoiceDate, ...sums, Currency, Items, Total: counts[0]?.Total ?? 0 };
}

/** Usage is one line, whose price is its amount. */
const counted = (sum: 'a' | 'b') => sql.raw(`case when not ${sum}.is_usage then ${sum}.quantity end`);
const priced = (sum: 'a' | 'b') => sql.raw(`case when not ${sum}.is_usage then ${sum}.price end`);

/** What differs between a pre-bill and its invoice by customer and service; nothing before there is an invoice. */
const differences = ({ pre, post, period }: Bill) => {
  const lastDay = sql`(${period}::date + interval '1 month' - interval '1 day')::date as last_day`;
  const sums = (lines: RawBuilder<unknown>) => sumsByService(sql`select l.*, ${lastDay} from ${lines}`);
  return sql`
    select coalesce(a.organisation_id, b.organisation_id) as organisation_id, coalesce(a.customer, b.customer) as customer,
      service, coalesce(a.amount, 0) - coalesce(b.amount, 0) as change,
      ${counted('b')} as before, ${counted('a')} as after, ${priced('b')} as price_before, ${priced('a')} as price_after, b.amount as pre_amount, a.amount as post_amount,
      case when a.exact = b.exact then 'Rounding' else ${reasonOfChange} end as reason
    from (${sums(sql`invoice_lines l where l.invoice_id = ${post}::bigint`)}) a
    full join (${sums(sql`pre_bill_lines l where l.pre_bill_id = ${pre}`)}) b using (organisation_id, service)
    where ${post}::bigint is not null`;
};

/**
 * Reads how the invoice of a day differs from its pre-bill by customer and service, the largest differences first.
 * @throws {CloudError} 404 for a day without a pre-bill
 */
export async function readDifference(
  db: Database,
  caller: Caller,
  query: BillQuery & { readonly reason?: (typeof differenceReasons)[number] | undefined },
) {
  const { page, pageSize, search, invoiceDate, reason } = query;
  const bill = await findBill(db, caller, invoiceDate);
  const { pre: _, post: __, period: ___, ...shown } = bill;
  const { Currency } = bill;
  const found = sql`
    select * from (${differences(bill)}) l where change <> 0 and ${words(search)}
      ${reason === undefined ? sql`` : sql`and reason = ${reason}`}`;
  const { rows } = await sql<Record<string, unknown>>`
    select organisation_id || ' ' || service as "Id", organisation_id::text as "OrganisationId",
      customer as "CustomerName", service as "Service", reason as "Reason", before as "Before", after as "After",
      price_before::text as "PriceBefore", price_after::text as "PriceAfter", pre_amount::text as "PreAmount",
      post_amount::text as "PostAmount", change::text as "Change"
    from (${found}) f order by abs(change) desc, organisation_id, service
    limit ${pageSize} offset ${(page - 1) * pageSize}`.execute(db);
  const { rows: totals } = await sql<{ Total: number }>`select count(*)::int as "Total" from (${found}) f`.execute(db);
  const { rows: counts } = await sql<Record<'Added' | 'Gone' | 'Changed' | 'Unchanged', number>>`
    select count(*) filter (where change <> 0 and reason = 'Added')::int as "Added",
      count(*) filter (where change <> 0 and reason = 'Gone')::int as "Gone",
      count(*) filter (where change <> 0 and reason not in ('Added', 'Gone'))::int as "Changed",
      count(*) filter (where change = 0)::int as "Unchanged"
    from (${differences(bill)}) d`.execute(db);
  const { rows: dates } = await sql<{ InvoiceDate: string }>`
    select (period + interval '1 month')::date::text as "InvoiceDate" from pre_bills
    where reseller_id = ${caller.resellerId} order by period desc limit 60`.execute(db);
  const Items = rows.map(row => ({ ...row, Currency }));
  return { ...shown, Dates: dates, Counts: counts[0], Items, Total: totals[0]?.Total ?? 0 };
}
