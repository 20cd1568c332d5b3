import { type RawBuilder, sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { notFound } from '../http/errors.ts';
import { containing } from '../search.ts';
import type { Database } from '../tables.ts';
import { idOfDocument } from './documents.ts';
import { changeReasons, countMatching, reasonOfChange, sumsByService } from './lines.ts';

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
  readonly pre_lines: number;
  readonly post_lines: number | null;
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

/** Finds the pre-bill of the invoice of a day, and that invoice; without a day the newest that has been invoiced. */
async function findBill(db: Database, { resellerId }: Caller, invoiceDate: string | undefined): Promise<Bill> {
  const { rows } = await sql<Bill>`
    select b.id::int as pre, i.id::int as post, b.lines as pre_lines, i.lines as post_lines,
      (b.period + interval '1 month')::date::text as "InvoiceDate", b.prepared::text as "Prepared",
      ${idOfDocument('i')} as "InvoiceId", b.net::text as "PreNet", b.tax::text as "PreTax", b.gross::text as "PreGross",
      i.net::text as "PostNet", i.tax::text as "PostTax", i.gross::text as "PostGross",
      (i.net - b.net)::text as "Change", (i.tax - b.tax)::text as "TaxChange", (i.gross - b.gross)::text as "GrossChange",
      b.currency as "Currency"
    from pre_bills b
    left join invoices i on i.reseller_id = b.reseller_id and i.kind = 'Invoice' and i.period = b.period
    where b.reseller_id = ${resellerId} and b.lines > 0
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
  const [lines, key, all] =
    side === 'pre'
      ? [sql`pre_bill_lines l where l.pre_bill_id = ${bill.pre}`, sql`l.key`, bill.pre_lines]
      : [sql`invoice_lines l where l.invoice_id = ${bill.post}`, sql`l.id`, bill.post_lines];
  const matches = search === '' ? lines : sql`${lines} and l.search_text like ${containing(search)}`;
  const inOrder = sql`l.customer collate "C", l.service collate "C", ${key}`;
  // The lines before the page are passed over in the index alone.
  const { rows } = await sql<Record<string, unknown>>`
    select l.key as "Id", l.organisation_id::text as "OrganisationId", l.customer as "CustomerName",
      l.service as "Service", l.kind as "Kind", l.starts::text as "Starts", l.ends::text as "Ends",
      l.quantity as "Quantity", l.unit_price::text as "UnitPrice", l.rate as "TaxRate", l.amount::text as "Amount"
    from ${lines} and ${key} = any(array(
      select ${key} from ${matches} order by ${inOrder} limit ${pageSize} offset ${(page - 1) * pageSize}))
    order by ${inOrder}`.execute(db);
  const Total = search === '' ? all : await countMatching(db, matches);
  const sums =
    side === 'pre'
      ? { Prepared: bill.Prepared, InvoiceId, Net: bill.PreNet, Tax: bill.PreTax, Gross: bill.PreGross }
      : { Prepared: null, InvoiceId, Net: bill.PostNet, Tax: bill.PostTax, Gross: bill.PostGross };
  const Items = rows.map(row => ({ ...row, Currency }));
  return { InvoiceDate, ...sums, Currency, Items, Total };
}

/** Usage is one line, whose price is its amount. */
const counted = (sum: 'a' | 'b') => sql.raw(`case when not ${sum}.is_usage then ${sum}.quantity end`);
const priced = (sum: 'a' | 'b') => sql.raw(`case when not ${sum}.is_usage then ${sum}.price end`);

/**
 * Compares an invoice with the pre-bill of its month, where there is one, and stores what differs by customer and
 * service. Done once, since neither changes any more.
 */
export async function keepDifference(db: Database, invoiceId: number): Promise<void> {
  const sums = (lines: RawBuilder<unknown>) => sumsByService(sql`select l.*, bill.last_day from bill join ${lines}`);
  await sql`
    with bill as (
      select b.id as pre, i.id as post, (i.period + interval '1 month' - interval '1 day')::date as last_day
      from invoices i join pre_bills b on b.reseller_id = i.reseller_id and b.period = i.period
      where i.id = ${invoiceId} and b.lines > 0
    ), compared as (
      select coalesce(a.organisation_id, b.organisation_id) as organisation_id,
        coalesce(a.customer, b.customer) as customer, service, coalesce(a.amount, 0) - coalesce(b.amount, 0) as change,
        ${counted('b')} as before, ${counted('a')} as after, ${priced('b')} as price_before,
        ${priced('a')} as price_after, b.amount as pre_amount, a.amount as post_amount,
        case when a.exact = b.exact then 'Rounding' else ${reasonOfChange} end as reason
      from (${sums(sql`invoice_lines l on l.invoice_id = bill.post`)}) a
      full join (${sums(sql`pre_bill_lines l on l.pre_bill_id = bill.pre`)}) b using (organisation_id, service)
    ), kept as (
      insert into pre_bill_changes (pre_bill_id, place, organisation_id, customer, service, reason, before, after,
        price_before, price_after, pre_amount, post_amount, change)
      select bill.pre, row_number() over (order by abs(change) desc, organisation_id, service), organisation_id,
        customer, service, reason, before, after, price_before, price_after, pre_amount, post_amount, change
      from bill, compared where change <> 0
      on conflict do nothing
    )
    insert into pre_bill_counts (pre_bill_id, added, gone, changed, unchanged)
    select bill.pre, count(*) filter (where change <> 0 and reason = 'Added'),
      count(*) filter (where change <> 0 and reason = 'Gone'),
      count(*) filter (where change <> 0 and reason not in ('Added', 'Gone')), count(*) filter (where change = 0)
    from bill, compared group by bill.pre
    on conflict do nothing`.execute(db);
}

type Counts = Record<'Added' | 'Gone' | 'Changed' | 'Unchanged', number>;

/** Counts what differs, nothing before there is an invoice. Compares the two when nobody has done so yet. */
async function countDifferences(db: Database, { pre, post }: Bill): Promise<Counts> {
  const read = () =>
    sql<Counts>`
      select added as "Added", gone as "Gone", changed as "Changed", unchanged as "Unchanged" from pre_bill_counts
      where pre_bill_id = ${pre}`.execute(db);
  const { rows } = await read();
  if (rows[0]) return rows[0];
  if (post === null) return { Added: 0, Gone: 0, Changed: 0, Unchanged: 0 };
  await keepDifference(db, post);
  return (await read()).rows[0]!;
}

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
  const { pre, post: _, pre_lines: __, post_lines: ___, ...shown } = bill;
  const { Currency } = bill;
  const Counts = await countDifferences(db, bill);
  const matches = sql`
    pre_bill_changes l where l.pre_bill_id = ${pre}
      ${search === '' ? sql`` : sql`and l.search_text like ${containing(search)}`}
      ${reason === undefined ? sql`` : sql`and l.reason = ${reason}`}`;
  const { rows } = await sql<Record<string, unknown>>`
    select organisation_id || ' ' || service as "Id", organisation_id::text as "OrganisationId",
      customer as "CustomerName", service as "Service", reason as "Reason", before as "Before", after as "After",
      price_before::text as "PriceBefore", price_after::text as "PriceAfter", pre_amount::text as "PreAmount",
      post_amount::text as "PostAmount", change::text as "Change"
    from pre_bill_changes l where l.pre_bill_id = ${pre} and l.place = any(array(
      select l.place from ${matches} order by l.place limit ${pageSize} offset ${(page - 1) * pageSize}))
    order by l.place`.execute(db);
  const { rows: dates } = await sql<{ InvoiceDate: string }>`
    select (period + interval '1 month')::date::text as "InvoiceDate" from pre_bills
    where reseller_id = ${caller.resellerId} and lines > 0 order by period desc limit 60`.execute(db);
  const Items = rows.map(row => ({ ...row, Currency }));
  return { ...shown, Dates: dates, Counts, Items, Total: await countMatching(db, matches) };
}
