import { type RawBuilder, sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { notFound } from '../http/errors.ts';
import type { TypeOf } from '../http/route.ts';
import {
  day,
  described,
  id,
  integer,
  list,
  money,
  number,
  object,
  orNull,
  pageQuery,
  partial,
  search,
  string,
  text,
} from '../http/schema.ts';
import { fields, type RowOf, selected } from '../resource/fields.ts';
import { containing, searchKeyOf } from '../search.ts';
import type { Database } from '../tables.ts';
import { heldOf } from './held.ts';
import type { DocumentKind } from './tables.ts';

const prefixes = { Invoice: 'FH-', CreditMemo: 'CM-' } as const;

/** Gives SQL for the printed number of an invoice or credit memo: "FH-20418", "CM-915". */
export const idOfDocument = (alias: string) =>
  sql.raw(`(case ${alias}.kind when 'Invoice' then '${prefixes.Invoice}' else '${prefixes.CreditMemo}' end
    || ${alias}.number)`);

/** SQL for the amount that is still to be paid of an invoice, or still to be used of a credit memo. */
const left = sql`(i.gross - i.prepaid - i.paid)`;

/** SQL for the amount that can be paid of an invoice now. */
const payable = sql`(${left} - ${heldOf('i')}::numeric / 100)::numeric(14, 2)`;

export const documentStatuses = ['Due', 'Overdue', 'Paid', 'Open', 'Used'] as const;
type DocumentStatus = (typeof documentStatuses)[number];

/** True where a filter lets a status through: an invoice is open while it is due or overdue, a credit memo while it is not used. */
const isShown = (filter: string | undefined, status: DocumentStatus): boolean =>
  filter === undefined || filter === status || (filter === 'Open' && (status === 'Due' || status === 'Overdue'));

const status = sql`
  case when i.kind = 'CreditMemo' then case when ${left} = 0 then 'Used' else 'Open' end
    when ${left} = 0 then 'Paid' when i.due < today.day then 'Overdue' else 'Due' end`;

export const kind = { ...string, enum: ['Invoice', 'CreditMemo'] } as const;

/** Fields of an invoice or a credit memo, among `documentsAt`. */
export const head = fields('i', [
  { name: 'Id', shape: id, column: idOfDocument('i') },
  { name: 'Kind', shape: kind },
  { name: 'Period', shape: day },
  { name: 'PeriodEnd', shape: day, column: sql`(i.period + interval '1 month' - interval '1 day')::date` },
  { name: 'Issued', shape: day },
  { name: 'Due', shape: day },
  { name: 'Status', shape: { ...string, enum: documentStatuses }, column: status },
  { name: 'Net', shape: money },
  { name: 'Tax', shape: money },
  { name: 'Gross', shape: money },
  { name: 'Prepaid', shape: money },
  { name: 'Paid', shape: money },
  { name: 'PaidOn', shape: orNull(day) },
  { name: 'Left', shape: money, column: left },
  { name: 'Lines', shape: integer },
  { name: 'Customers', shape: integer },
  { name: 'Currency' },
  { name: 'Against', shape: orNull(id), column: idOfDocument('against') },
  { name: 'UsedOn', shape: orNull(id), column: idOfDocument('used') },
  { name: 'ExternalInvoiceId', shape: described(id, 'Its number at the billing platform.'), column: 'external_id' },
]);
export type Head = RowOf<typeof head>;

/** The numbers of the credit memos that were used for an invoice; null for none. */
const creditedBy = sql`(select string_agg(${idOfDocument('m')}, ', ' order by m.number) from invoices m
  where m.used_on = i.id)`;

const documentsAt = (now: Date) => sql`invoices i left join invoices against on against.id = i.against
  left join invoices used on used.id = i.used_on
  cross join (select (${now}::timestamptz at time zone 'UTC')::date as day) today`;

export const year = { type: 'string', pattern: '^\\d{4}$' } as const;
const issued = { ...string, pattern: '^\\d{4}-\\d{2}-\\d{2}$', format: 'cloud-day' } as const;
/** `from` and `to` are the first and last day on which it was issued. */
export const listQuery = pageQuery({
  search,
  status: { enum: documentStatuses },
  year,
  customer: text(15),
  from: issued,
  to: issued,
});
const years = list(object({ Year: string }));
export const documentList = object({
  Items: list(head.schema),
  Total: integer,
  Counts: object({ Due: integer, Overdue: integer, Paid: integer, Open: integer, Used: integer }),
  Gross: money,
  Left: money,
  Years: years,
  Currency: string,
});

/**
 * Finds a reseller's invoices or credit memos whose number, or a customer or service on them, contains a text. Two
 * queries, so that the names on them are read by the index that suits how many have the text.
 */
async function findNamed(db: Database, resellerId: number, kind: DocumentKind, search: string): Promise<number[]> {
  const text = containing(search);
  const documents = sql`select i.id from invoices i where i.reseller_id = ${resellerId} and i.kind = ${kind}`;
  const { rows } = await sql<{ id: number }>`
    ${documents} and (${searchKeyOf(idOfDocument('i'))} like ${text} or ${searchKeyOf(sql`i.external_id`)} like ${text})
    union
    ${documents} and exists (select from invoice_groups g where g.invoice_id = i.id and g.search_text like ${text})`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

/** Finds a few of a reseller's invoices by a part of their number, here or at the billing platform; the newest first. */
export async function findInvoices(db: Database, { resellerId }: Caller, words: string, limit: number, now: Date) {
  const text = containing(words);
  const { rows } = await sql<Pick<Head, 'Id' | 'Issued' | 'Status'>>`
    select ${idOfDocument('i')} as "Id", i.issued::text as "Issued", ${status} as "Status"
    from ${documentsAt(now)} where i.reseller_id = ${resellerId} and i.kind = 'Invoice'
      and (${searchKeyOf(idOfDocument('i'))} like ${text} or ${searchKeyOf(sql`i.external_id`)} like ${text})
    order by i.issued desc, i.id desc limit ${limit}`.execute(db);
  return rows;
}

/** Lists a page of a reseller's invoices or credit memos, the newest first, with sums of all that match. */
export async function listDocuments(
  db: Database,
  { resellerId, currency }: Caller,
  kind: DocumentKind,
  { page, pageSize, search, status, year, customer, from, to }: TypeOf<typeof listQuery>,
  now: Date,
) {
  const matches = sql`i.reseller_id = ${resellerId} and i.kind = ${kind}
    ${year === undefined ? sql`` : sql`and i.issued >= make_date(${Number(year)}::int, 1, 1) and i.issued < make_date(${Number(year) + 1}::int, 1, 1)`}
    ${from === undefined ? sql`` : sql`and i.issued >= ${from}::date`}
    ${to === undefined ? sql`` : sql`and i.issued <= ${to}::date`}
    ${customer === undefined ? sql`` : sql`and exists (select from invoice_groups g where g.invoice_id = i.id and g.kind = 'customer' and g.key = ${customer})`}
    ${search === '' ? sql`` : sql`and i.id = any(${await findNamed(db, resellerId, kind, search)}::bigint[])`}`;
  const found = sql`select ${selected(head)} from ${documentsAt(now)} where ${matches}`;
  const { rows } = await sql<Head>`
    select * from (${found}) f where "Status" = any(${documentStatuses.filter(name => isShown(status, name))}::text[])
    order by "Issued" desc, "Id" desc limit ${pageSize} offset ${(page - 1) * pageSize}`.execute(db);
  const { rows: sums } = await sql<{ status: DocumentStatus; count: number; gross: string; open: string }>`
    select "Status" as status, count(*)::int as count, sum("Gross"::numeric)::text as gross,
      sum("Left"::numeric)::text as open
    from (${found}) f group by 1`.execute(db);
  const shown = sums.filter(row => isShown(status, row.status));
  const Years = await listYears(db, resellerId, kind, 'issued');
  const [total] = (
    await sql<{ gross: string; open: string }>`
      select coalesce(sum(g), 0)::numeric(14, 2)::text as gross, coalesce(sum(o), 0)::numeric(14, 2)::text as open
      from unnest(${shown.map(row => row.gross)}::numeric[], ${shown.map(row => row.open)}::numeric[]) as t (g, o)`.execute(
      db,
    )
  ).rows;
  return {
    Items: rows,
    Total: countRows(shown),
    Counts: Object.fromEntries(
      documentStatuses.map(name => [name, countRows(sums.filter(row => isShown(name, row.status)))]),
    ),
    Gross: total?.gross ?? '0.00',
    Left: total?.open ?? '0.00',
    Years,
    Currency: currency,
  };
}

/** Lists the years in which invoices or credit memos were issued, or those of their months, the newest first. */
async function listYears(db: Database, resellerId: number, kind: DocumentKind, column: 'issued' | 'period') {
  const { rows } = await sql<{ Year: string }>`
    select distinct extract(year from ${sql.ref(column)})::int::text as "Year" from invoices
    where reseller_id = ${resellerId} and kind = ${kind} order by 1 desc`.execute(db);
  return rows;
}

const countRows = (sums: readonly { readonly count: number }[]): number =>
  sums.reduce((sum, { count }) => sum + count, 0);

export type Found = Head & {
  readonly id: number;
  readonly periodBefore: number | null;
  /** Numbers of credit memos, as "CM-915, CM-916". */
  readonly CreditedBy: string | null;
};

/**
 * Reads an invoice or a credit memo of the caller's reseller, with the id of the one of the month before.
 * @throws {CloudError} 404 when the reseller has no document of this kind and number, or it has another external id
 */
export async function findDocument(
  db: Database,
  { resellerId }: Caller,
  kind: DocumentKind,
  documentId: string,
  now: Date,
  externalInvoiceId?: string,
): Promise<Found> {
  const number = documentId.startsWith(prefixes[kind]) ? documentId.slice(prefixes[kind].length) : '';
  if (!/^\d{1,9}$/.test(number)) throw notFound();
  const [row] = await readDocuments(db, resellerId, sql`i.kind = ${kind} and i.number = ${Number(number)}`, now);
  if (row === undefined || (externalInvoiceId ?? row.ExternalInvoiceId) !== row.ExternalInvoiceId) throw notFound();
  return row;
}

/** Reads the newest invoice of the caller's reseller; undefined before the first one. */
export async function latestInvoice(db: Database, { resellerId }: Caller, now: Date): Promise<Found | undefined> {
  const [row] = await readDocuments(db, resellerId, sql`i.kind = 'Invoice'`, now);
  return row;
}

async function readDocuments(
  db: Database,
  resellerId: number,
  which: RawBuilder<unknown>,
  now: Date,
): Promise<Found[]> {
  const { rows } = await sql<Found>`
    select ${selected(head)}, ${creditedBy} as "CreditedBy", i.id::int as id, (
      select b.id::int from invoices b
      where b.reseller_id = i.reseller_id and b.kind = i.kind and b.period < i.period
      order by b.period desc limit 1) as "periodBefore"
    from ${documentsAt(now)} where i.reseller_id = ${resellerId} and ${which} order by i.period desc limit 1`.execute(
    db,
  );
  return rows;
}

export const tax = fields('t', [
  { name: 'Rate', shape: number },
  { name: 'Taxable', shape: money },
  { name: 'Tax', shape: money },
  { name: 'Currency', column: sql`i.currency` },
]);

/** Reads the tax of a document by rate, the highest first. */
export async function readTaxes(db: Database, documentId: number) {
  const { rows } = await sql<RowOf<typeof tax>>`
    select ${selected(tax)} from invoice_taxes t join invoices i on i.id = t.invoice_id
    where t.invoice_id = ${documentId} order by t.rate desc`.execute(db);
  return rows;
}

const open = fields('i', [
  ...head.list,
  { name: 'Payable', shape: money, column: payable },
  { name: 'DaysLeft', shape: integer, column: sql`i.due - today.day` },
]);
export const balance = object({
  Balance: money,
  Overdue: money,
  Credit: money,
  OpenInvoices: integer,
  OverdueInvoices: integer,
  NextDue: orNull(day),
  NextDueAmount: orNull(money),
  FirstId: orNull(id),
  FirstPayable: orNull(money),
  FailedId: orNull(id),
  FailedAmount: orNull(money),
  FailedReason: orNull(string),
  Currency: string,
  Items: list(open.schema),
});

/**
 * Reads what a reseller owes: by invoice that is not paid, in all, what is overdue, and credit that is not used; and the
 * one that is or was due first of those of which something can be paid, and the one whose newest payment failed, if there
 * is one. Amounts are decimal strings.
 */
export async function readBalance(db: Database, { resellerId, currency }: Caller, now: Date) {
  const { rows: Items } = await sql<RowOf<typeof open>>`
    select ${selected(open)} from ${documentsAt(now)}
    where i.reseller_id = ${resellerId} and i.kind = 'Invoice' and ${left} > 0 order by i.due, i.id`.execute(db);
  const { rows: sums } = await sql<{ Balance: string; Overdue: string; Credit: string }>`
    select coalesce(sum(${left}) filter (where i.kind = 'Invoice'), 0)::numeric(14, 2)::text as "Balance",
      coalesce(sum(${left}) filter (where i.kind = 'Invoice' and i.due < today.day), 0)::numeric(14, 2)::text as "Overdue",
      coalesce(sum(${left}) filter (where i.kind = 'CreditMemo'), 0)::numeric(14, 2)::text as "Credit"
    from ${documentsAt(now)} where i.reseller_id = ${resellerId} and ${left} <> 0`.execute(db);
  const { rows: failed } = await sql<{ FailedId: string; FailedAmount: string; FailedReason: string | null }>`
    select ${idOfDocument('i')} as "FailedId", (p.amount::numeric / 100)::numeric(14, 2)::text as "FailedAmount",
      p.reason as "FailedReason"
    from invoices i join lateral (
      select * from payments where invoice_id = i.id order by id desc limit 1
    ) p on p.status in ('Declined', 'NotCharged')
    where i.reseller_id = ${resellerId} and ${left} > 0 order by p.id desc limit 1`.execute(db);
  const next = Items.find(({ DaysLeft }) => DaysLeft >= 0);
  const first = Items.find(({ Payable }) => Payable !== '0.00');
  return {
    ...(sums[0] ?? { Balance: '0.00', Overdue: '0.00', Credit: '0.00' }),
    OpenInvoices: Items.length,
    OverdueInvoices: Items.filter(({ DaysLeft }) => DaysLeft < 0).length,
    NextDue: next?.Due ?? null,
    NextDueAmount: next?.Left ?? null,
    FirstId: first?.Id ?? null,
    FirstPayable: first?.Payable ?? null,
    ...(failed[0] ?? { FailedId: null, FailedAmount: null, FailedReason: null }),
    Currency: currency,
    Items,
  };
}

export const totalsQuery = partial({ year, sort: { enum: ['Period', '-Period'], default: '-Period' } });
const month = fields('i', [
  { name: 'Period', shape: day },
  { name: 'Id', shape: id, column: idOfDocument('i') },
  { name: 'Net', shape: money },
  { name: 'Tax', shape: money },
  { name: 'Gross', shape: money },
  { name: 'Credited', shape: money, column: 'prepaid' },
  { name: 'Paid', shape: money },
  { name: 'Left', shape: money, column: left },
]);
const sum = (column: RawBuilder<unknown>) => sql`coalesce(sum(${column}), 0)::numeric(14, 2)`;
const totals = fields('i', [
  { name: 'Net', shape: money, column: sum(sql`net`) },
  { name: 'Tax', shape: money, column: sum(sql`tax`) },
  { name: 'Gross', shape: money, column: sum(sql`gross`) },
  { name: 'Credited', shape: money, column: sum(sql`prepaid`) },
  { name: 'Paid', shape: money, column: sum(sql`paid`) },
  { name: 'Left', shape: money, column: sum(left) },
]);
export const accountTotals = object({
  Items: list(month.schema),
  Total: integer,
  ...totals.shapes,
  Years: years,
  Currency: string,
});

/**
 * Lists a reseller's invoices by month, of one year or all, with what was billed, credited and paid and what is left;
 * and the sums of these.
 */
export async function readAccountTotals(
  db: Database,
  { resellerId, currency }: Caller,
  { year, sort }: TypeOf<typeof totalsQuery>,
) {
  const found = sql`invoices i where i.reseller_id = ${resellerId} and i.kind = 'Invoice'
    and (${year ?? null}::int is null or extract(year from i.period) = ${year ?? null}::int)`;
  const { rows: Items } = await sql<RowOf<typeof month>>`
    select ${selected(month)} from ${found} order by i.period ${sql.raw(sort === 'Period' ? 'asc' : 'desc')}`.execute(
    db,
  );
  const { rows: sums } = await sql<RowOf<typeof totals>>`select ${selected(totals)} from ${found}`.execute(db);
  const Years = await listYears(db, resellerId, 'Invoice', 'period');
  return { Items, Total: Items.length, ...sums[0], Years, Currency: currency };
}
