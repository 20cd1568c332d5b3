import { type RawBuilder, sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { notFound } from '../http/errors.ts';
import type { TypeOf } from '../http/route.ts';
import { day, id, integer, list, money, number, object, orNull, pageQuery, search, string } from '../http/schema.ts';
import { fields, type RowOf, selected } from '../resource/fields.ts';
import { containing } from '../search.ts';
import type { Database } from '../tables.ts';
import { idOfDocument } from './documents.ts';
import { changeReasons, countMatching, lineKind, reasonOfChange, sumsByService } from './lines.ts';

/** "Rounding": the same to the last digit, but printed a cent apart (ADR 043). */
export const differenceReasons = [...changeReasons, 'Rounding'] as const;

const invoiceDate = { ...day, pattern: '^\\d{4}-(?:0[1-9]|1[0-2])-01$' } as const;
export const billQuery = pageQuery({ search, invoiceDate });
export const differenceQuery = pageQuery({ search, invoiceDate, reason: { enum: differenceReasons } });

/** A pre-bill `b` and the invoice `i` that was made in the end. */
const bill = fields('b', [
  { name: 'InvoiceDate', shape: day, column: sql`(b.period + interval '1 month')::date` },
  { name: 'Prepared', shape: day },
  { name: 'InvoiceId', shape: orNull(id), column: idOfDocument('i') },
  { name: 'PreNet', shape: money, column: 'net' },
  { name: 'PreTax', shape: money, column: 'tax' },
  { name: 'PreGross', shape: money, column: 'gross' },
  { name: 'PostNet', shape: orNull(money), column: sql`i.net` },
  { name: 'PostTax', shape: orNull(money), column: sql`i.tax` },
  { name: 'PostGross', shape: orNull(money), column: sql`i.gross` },
  { name: 'Change', shape: orNull(money), column: sql`i.net - b.net` },
  { name: 'TaxChange', shape: orNull(money), column: sql`i.tax - b.tax` },
  { name: 'GrossChange', shape: orNull(money), column: sql`i.gross - b.gross` },
  { name: 'Currency' },
]);
type Bill = RowOf<typeof bill> & {
  readonly pre: number;
  readonly post: number | null;
  readonly pre_lines: number;
  readonly post_lines: number | null;
};

/** Finds the pre-bill of the invoice of a day, and that invoice; without a day the newest that has been invoiced. */
async function findBill(db: Database, { resellerId }: Caller, invoiceDate: string | undefined): Promise<Bill> {
  const { rows } = await sql<Bill>`
    select ${selected(bill)}, b.id::int as pre, i.id::int as post, b.lines as pre_lines, i.lines as post_lines
    from pre_bills b
    left join invoices i on i.reseller_id = b.reseller_id and i.kind = 'Invoice' and i.period = b.period
    where b.reseller_id = ${resellerId} and b.lines > 0
      and (${invoiceDate ?? null}::date is null or b.period = (${invoiceDate ?? null}::date - interval '1 month')::date)
    order by i.id is null, b.period desc limit 1`.execute(db);
  const [found] = rows;
  if (found === undefined) throw notFound();
  return found;
}

/** A line of either. */
const line = fields('l', [
  { name: 'Id', shape: id, column: 'key' },
  { name: 'OrganisationId', shape: id },
  { name: 'CustomerName', column: 'customer' },
  { name: 'Service' },
  { name: 'Kind', shape: lineKind },
  { name: 'Starts', shape: day },
  { name: 'Ends', shape: day },
  { name: 'Quantity', shape: number },
  { name: 'UnitPrice', shape: money },
  { name: 'TaxRate', shape: number, column: 'rate' },
  { name: 'Amount', shape: money },
]);
export const billLines = object({
  InvoiceDate: day,
  Prepared: orNull(day),
  InvoiceId: orNull(id),
  Net: money,
  Tax: money,
  Gross: money,
  Currency: string,
  Items: list(object({ ...line.shapes, Currency: string })),
  Total: integer,
});

/**
 * Lists a page of the lines of a pre-bill (forecast of an invoice), or of the invoice that was made in the end.
 * @throws {CloudError} 404 for a day without a pre-bill, or whose invoice has not been made
 */
export async function readBill(db: Database, caller: Caller, side: 'pre' | 'post', query: TypeOf<typeof billQuery>) {
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
  const { rows } = await sql<RowOf<typeof line>>`
    select ${selected(line)} from ${lines} and ${key} = any(array(
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

const counts = fields('c', [
  { name: 'Added', shape: integer },
  { name: 'Gone', shape: integer },
  { name: 'Changed', shape: integer },
  { name: 'Unchanged', shape: integer },
]);
type Counts = RowOf<typeof counts>;

/** Counts what differs, nothing before there is an invoice. Compares the two when nobody has done so yet. */
async function countDifferences(db: Database, { pre, post }: Bill): Promise<Counts> {
  const read = () =>
    sql<Counts>`
      select ${selected(counts)} from pre_bill_counts c where c.pre_bill_id = ${pre}`.execute(db);
  const { rows } = await read();
  if (rows[0]) return rows[0];
  if (post === null) return { Added: 0, Gone: 0, Changed: 0, Unchanged: 0 };
  await keepDifference(db, post);
  return (await read()).rows[0]!;
}

const difference = fields('l', [
  { name: 'Id', shape: id, column: sql`l.organisation_id || ' ' || l.service` },
  { name: 'OrganisationId', shape: id },
  { name: 'CustomerName', column: 'customer' },
  { name: 'Service' },
  { name: 'Reason', shape: { ...string, enum: differenceReasons } },
  { name: 'Before', shape: orNull(number) },
  { name: 'After', shape: orNull(number) },
  { name: 'PriceBefore', shape: orNull(money) },
  { name: 'PriceAfter', shape: orNull(money) },
  { name: 'PreAmount', shape: orNull(money) },
  { name: 'PostAmount', shape: orNull(money) },
  { name: 'Change', shape: money },
]);
export const billDifference = object({
  ...bill.shapes,
  Dates: list(object({ InvoiceDate: day })),
  Counts: counts.schema,
  Items: list(object({ ...difference.shapes, Currency: string })),
  Total: integer,
});

/**
 * Reads how the invoice of a day differs from its pre-bill by customer and service, the largest differences first.
 * @throws {CloudError} 404 for a day without a pre-bill
 */
export async function readDifference(db: Database, caller: Caller, query: TypeOf<typeof differenceQuery>) {
  const { page, pageSize, search, invoiceDate, reason } = query;
  const bill = await findBill(db, caller, invoiceDate);
  const { pre, post: _, pre_lines: __, post_lines: ___, ...shown } = bill;
  const { Currency } = bill;
  const Counts = await countDifferences(db, bill);
  const matches = sql`
    pre_bill_changes l where l.pre_bill_id = ${pre}
      ${search === '' ? sql`` : sql`and l.search_text like ${containing(search)}`}
      ${reason === undefined ? sql`` : sql`and l.reason = ${reason}`}`;
  const { rows } = await sql<RowOf<typeof difference>>`
    select ${selected(difference)} from pre_bill_changes l where l.pre_bill_id = ${pre} and l.place = any(array(
      select l.place from ${matches} order by l.place limit ${pageSize} offset ${(page - 1) * pageSize}))
    order by l.place`.execute(db);
  const { rows: dates } = await sql<{ InvoiceDate: string }>`
    select (period + interval '1 month')::date::text as "InvoiceDate" from pre_bills
    where reseller_id = ${caller.resellerId} and lines > 0 order by period desc limit 60`.execute(db);
  const Items = rows.map(row => ({ ...row, Currency }));
  return { ...shown, Dates: dates, Counts, Items, Total: await countMatching(db, matches) };
}
