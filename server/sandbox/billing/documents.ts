import { type RawBuilder, sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { notFound } from '../http/errors.ts';
import { containing, searchKeyOf } from '../search.ts';
import type { Database } from '../tables.ts';
import { heldOf } from './held.ts';
import type { DocumentKind } from './tables.ts';

const prefixes = { Invoice: 'FH-', CreditMemo: 'CM-' } as const;

/** Gives SQL for the printed number of an invoice or credit memo: "FH-20418", "CM-915". */
export const idOfDocument = (alias: string) =>
  sql.raw(`(case ${alias}.kind when 'Invoice' then '${prefixes.Invoice}' else '${prefixes.CreditMemo}' end
    || ${alias}.number)`);

const today = (now: Date) => sql`(${now}::timestamptz at time zone 'UTC')::date`;

/** What is still to be paid of an invoice, or still to be used of a credit memo. */
const left = sql`(i.gross - i.prepaid - i.paid)`;

/** What can be paid of an invoice now. */
const payable = sql`(${left} - ${heldOf('i')}::numeric / 100)::numeric(14, 2)`;

export const documentStatuses = ['Due', 'Overdue', 'Paid', 'Open', 'Used'] as const;
type DocumentStatus = (typeof documentStatuses)[number];

/** True where a filter lets a status through: an invoice is open while it is due or overdue, a credit memo while it is not used. */
const isShown = (filter: string | undefined, status: DocumentStatus): boolean =>
  filter === undefined || filter === status || (filter === 'Open' && (status === 'Due' || status === 'Overdue'));

const statusOf = (now: Date) => sql`
  case when i.kind = 'CreditMemo' then case when ${left} = 0 then 'Used' else 'Open' end
    when ${left} = 0 then 'Paid' when i.due < ${today(now)} then 'Overdue' else 'Due' end`;

const columnsOf = (now: Date) => sql`
  ${idOfDocument('i')} as "Id", i.kind as "Kind", i.period::text as "Period",
  (i.period + interval '1 month' - interval '1 day')::date::text as "PeriodEnd",
  i.issued::text as "Issued", i.due::text as "Due", ${statusOf(now)} as "Status", i.net::text as "Net",
  i.tax::text as "Tax", i.gross::text as "Gross", i.prepaid::text as "Prepaid", i.paid::text as "Paid",
  i.paid_on::text as "PaidOn", ${left}::text as "Left", i.lines as "Lines", i.customers as "Customers",
  i.currency as "Currency", ${idOfDocument('against')} as "Against", ${idOfDocument('used')} as "UsedOn",
  i.external_id as "ExternalInvoiceId"`;

/** The numbers of the credit memos that were used for an invoice; null for none. */
const creditedBy = sql`(select string_agg(${idOfDocument('m')}, ', ' order by m.number) from invoices m
  where m.used_on = i.id)`;

const joined = sql`invoices i left join invoices against on against.id = i.against
  left join invoices used on used.id = i.used_on`;

/** What a route answers of an invoice or a credit memo; money as decimal strings. */
export type Head = {
  readonly Id: string;
  readonly Kind: DocumentKind;
  readonly Period: string;
  readonly PeriodEnd: string;
  readonly Issued: string;
  readonly Due: string;
  readonly Status: DocumentStatus;
  readonly Net: string;
  readonly Tax: string;
  readonly Gross: string;
  readonly Prepaid: string;
  readonly Paid: string;
  readonly PaidOn: string | null;
  readonly Left: string;
  readonly Lines: number;
  readonly Customers: number;
  readonly Currency: string;
  readonly Against: string | null;
  readonly UsedOn: string | null;
  readonly ExternalInvoiceId: string;
};

export type ListQuery = {
  readonly page: number;
  readonly pageSize: number;
  readonly search: string;
  readonly status?: string | undefined;
  readonly year?: string | undefined;
  readonly customer?: string | undefined;
  /** First and last day (YYYY-MM-DD) on which it was issued. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
};

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
    select ${idOfDocument('i')} as "Id", i.issued::text as "Issued", ${statusOf(now)} as "Status"
    from invoices i where i.reseller_id = ${resellerId} and i.kind = 'Invoice'
      and (${searchKeyOf(idOfDocument('i'))} like ${text} or ${searchKeyOf(sql`i.external_id`)} like ${text})
    order by i.issued desc, i.id desc limit ${limit}`.execute(db);
  return rows;
}

/** Lists a page of a reseller's invoices or credit memos, the newest first, with sums of all that match. */
export async function listDocuments(
  db: Database,
  { resellerId, currency }: Caller,
  kind: DocumentKind,
  { page, pageSize, search, status, year, customer, from, to }: ListQuery,
  now: Date,
) {
  const matches = sql`i.reseller_id = ${resellerId} and i.kind = ${kind}
    ${year === undefined ? sql`` : sql`and i.issued >= make_date(${Number(year)}::int, 1, 1) and i.issued < make_date(${Number(year) + 1}::int, 1, 1)`}
    ${from === undefined ? sql`` : sql`and i.issued >= ${from}::date`}
    ${to === undefined ? sql`` : sql`and i.issued <= ${to}::date`}
    ${customer === undefined ? sql`` : sql`and exists (select from invoice_groups g where g.invoice_id = i.id and g.kind = 'customer' and g.key = ${customer})`}
    ${search === '' ? sql`` : sql`and i.id = any(${await findNamed(db, resellerId, kind, search)}::bigint[])`}`;
  const found = sql`select ${columnsOf(now)} from ${joined} where ${matches}`;
  const { rows } = await sql<Head>`
    select * from (${found}) f where "Status" = any(${documentStatuses.filter(name => isShown(status, name))}::text[])
    order by "Issued" desc, "Id" desc limit ${pageSize} offset ${(page - 1) * pageSize}`.execute(db);
  const { rows: sums } = await sql<{ status: DocumentStatus; count: number; gross: string; open: string }>`
    select "Status" as status, count(*)::int as count, sum("Gross"::numeric)::text as gross,
      sum("Left"::numeric)::text as open
    from (${found}) f group by 1`.execute(db);
  const shown = sums.filter(row => isShown(status, row.status));
  const { rows: years } = await sql<{ Year: string }>`
    select distinct extract(year from issued)::int::text as "Year" from invoices
    where reseller_id = ${resellerId} and kind = ${kind} order by 1 desc`.execute(db);
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
    Years: years,
    Currency: currency,
  };
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
    select ${columnsOf(now)}, ${creditedBy} as "CreditedBy", i.id::int as id, (
      select b.id::int from invoices b
      where b.reseller_id = i.reseller_id and b.kind = i.kind and b.period < i.period
      order by b.period desc limit 1) as "periodBefore"
    from ${joined} where i.reseller_id = ${resellerId} and ${which} order by i.period desc limit 1`.execute(db);
  return rows;
}

/** Reads the tax of a document by rate, the highest first. */
export async function readTaxes(db: Database, id: number) {
  const { rows } = await sql<{ Rate: number; Taxable: string; Tax: string }>`
    select rate as "Rate", taxable::text as "Taxable", tax::text as "Tax" from invoice_taxes
    where invoice_id = ${id} order by rate desc`.execute(db);
  return rows;
}

/**
 * Reads what a reseller owes: by invoice that is not paid, in all, what is overdue, and credit that is not used; and the
 * one that is or was due first of those of which something can be paid, and the one whose newest payment failed, if there
 * is one. Amounts are decimal strings.
 */
export async function readBalance(db: Database, { resellerId, currency }: Caller, now: Date) {
  const { rows: open } = await sql<Head & { Payable: string; DaysLeft: number }>`
    select ${columnsOf(now)}, ${payable}::text as "Payable", i.due - ${today(now)} as "DaysLeft" from ${joined}
    where i.reseller_id = ${resellerId} and i.kind = 'Invoice' and ${left} > 0 order by i.due, i.id`.execute(db);
  const { rows: sums } = await sql<{ Balance: string; Overdue: string; Credit: string }>`
    select coalesce(sum(${left}) filter (where i.kind = 'Invoice'), 0)::numeric(14, 2)::text as "Balance",
      coalesce(sum(${left}) filter (where i.kind = 'Invoice' and i.due < ${today(now)}), 0)::numeric(14, 2)::text as "Overdue",
      coalesce(sum(${left}) filter (where i.kind = 'CreditMemo'), 0)::numeric(14, 2)::text as "Credit"
    from invoices i where i.reseller_id = ${resellerId} and ${left} <> 0`.execute(db);
  const { rows: failed } = await sql<{ FailedId: string; FailedAmount: string; FailedReason: string | null }>`
    select ${idOfDocument('i')} as "FailedId", (p.amount::numeric / 100)::numeric(14, 2)::text as "FailedAmount",
      p.reason as "FailedReason"
    from invoices i join lateral (
      select * from payments where invoice_id = i.id order by id desc limit 1
    ) p on p.status in ('Declined', 'NotCharged')
    where i.reseller_id = ${resellerId} and ${left} > 0 order by p.id desc limit 1`.execute(db);
  const next = open.find(({ DaysLeft }) => DaysLeft >= 0);
  const first = open.find(({ Payable }) => Payable !== '0.00');
  return {
    ...(sums[0] ?? { Balance: '0.00', Overdue: '0.00', Credit: '0.00' }),
    OpenInvoices: open.length,
    OverdueInvoices: open.filter(({ DaysLeft }) => DaysLeft < 0).length,
    NextDue: next?.Due ?? null,
    NextDueAmount: next?.Left ?? null,
    FirstId: first?.Id ?? null,
    FirstPayable: first?.Payable ?? null,
    ...(failed[0] ?? { FailedId: null, FailedAmount: null, FailedReason: null }),
    Currency: currency,
    Items: open,
  };
}

type TotalsQuery = { readonly year?: string | undefined; readonly sort: 'Period' | '-Period' };

/**
 * Lists a reseller's invoices by month, of one year or all, with what was billed, credited and paid and what is left;
 * and the sums of these.
 */
export async function readAccountTotals(db: Database, { resellerId, currency }: Caller, { year, sort }: TotalsQuery) {
  const { rows } = await sql<Record<string, string>>`
    select to_char(i.period, 'YYYY-MM-DD') as "Period", ${idOfDocument('i')} as "Id", i.net::text as "Net",
      i.tax::text as "Tax", i.gross::text as "Gross", i.prepaid::text as "Credited", i.paid::text as "Paid",
      ${left}::text as "Left"
    from invoices i where i.reseller_id = ${resellerId} and i.kind = 'Invoice'
      and (${year ?? null}::int is null or extract(year from i.period) = ${year ?? null}::int)
    order by i.period ${sql.raw(sort === 'Period' ? 'asc' : 'desc')}`.execute(db);
  const { rows: sums } = await sql<Record<string, string>>`
    select coalesce(sum(net), 0)::numeric(14, 2)::text as "Net", coalesce(sum(tax), 0)::numeric(14, 2)::text as "Tax",
      coalesce(sum(gross), 0)::numeric(14, 2)::text as "Gross",
      coalesce(sum(prepaid), 0)::numeric(14, 2)::text as "Credited",
      coalesce(sum(paid), 0)::numeric(14, 2)::text as "Paid", coalesce(sum(${left}), 0)::numeric(14, 2)::text as "Left"
    from invoices i where i.reseller_id = ${resellerId} and i.kind = 'Invoice'
      and (${year ?? null}::int is null or extract(year from i.period) = ${year ?? null}::int)`.execute(db);
  const { rows: years } = await sql<{ Year: string }>`
    select distinct extract(year from period)::int::text as "Year" from invoices
    where reseller_id = ${resellerId} and kind = 'Invoice' order by 1 desc`.execute(db);
  return { Items: rows, Total: rows.length, ...sums[0], Years: years, Currency: currency };
}

export const historyKinds = [
  'InvoiceIssued',
  'InvoicePaid',
  'PaymentFailed',
  'CreditMemoIssued',
  'CreditMemoUsed',
] as const;

export type HistoryQuery = {
  readonly page: number;
  readonly pageSize: number;
  readonly what?: string | undefined;
  readonly year?: string | undefined;
};

/** Lists a page of what happened to a reseller's invoices and credit memos (such as payments), the newest first. */
export async function readHistory(
  db: Database,
  { resellerId, currency }: Caller,
  { page, pageSize, what, year }: HistoryQuery,
) {
  const events = sql`
    select * from (
      select 'InvoiceIssued' as what, i.issued as day, i.id, i.gross as amount, i.kind, '' as payment from invoices i
      where i.reseller_id = ${resellerId} and i.kind = 'Invoice'
      union all
      select case p.status when 'Paid' then 'InvoicePaid' else 'PaymentFailed' end,
        (p.settled at time zone 'UTC')::date, i.id, (p.amount::numeric / 100)::numeric(14, 2), i.kind, ' ' || p.id
      from payments p join invoices i on i.id = p.invoice_id
      where i.reseller_id = ${resellerId} and p.status <> 'Pending'
      union all
      select 'CreditMemoIssued', i.issued, i.id, i.gross, i.kind, '' from invoices i
      where i.reseller_id = ${resellerId} and i.kind = 'CreditMemo'
      union all
      select 'CreditMemoUsed', i.issued, i.id, i.prepaid, i.kind, '' from invoices i
      where i.reseller_id = ${resellerId} and i.kind = 'CreditMemo' and i.used_on is not null
    ) e
    where (${what ?? null}::text is null or what = ${what ?? null})
      and (${year ?? null}::int is null or extract(year from day) = ${year ?? null}::int)`;
  const { rows } = await sql<Record<string, string>>`
    select e.what || ' ' || ${idOfDocument('i')} || e.payment as "Id", e.what as "What", e.day::text as "Day",
      ${idOfDocument('i')} as "DocumentId", i.kind as "Kind", ${idOfDocument('o')} as "OtherId",
      case i.kind when 'Invoice' then ${idOfDocument('i')} else ${idOfDocument('o')} end as "InvoiceId",
      case i.kind when 'CreditMemo' then ${idOfDocument('i')} end as "MemoId",
      e.amount::text as "Amount"
    from (${events}) e join invoices i on i.id = e.id
    left join invoices o on o.id = case e.what when 'CreditMemoUsed' then i.used_on when 'CreditMemoIssued' then i.against end
    order by e.day desc, e.what desc, e.id desc, e.payment desc limit ${pageSize} offset ${(page - 1) * pageSize}`.execute(
    db,
  );
  const { rows: counts } = await sql<{ count: number }>`select count(*)::int as count from (${events}) e`.execute(db);
  return { Items: rows.map(row => ({ ...row, Currency: currency })), Total: counts[0]?.count ?? 0 };
}
