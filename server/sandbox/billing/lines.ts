import { type RawBuilder, sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { notFound } from '../http/errors.ts';
import { idOf } from '../http/ids.ts';
import { orderNumber } from '../orders/place.ts';
import { containing } from '../search.ts';
import type { Database } from '../tables.ts';
import { type Found, idOfDocument } from './documents.ts';

export type LinesQuery = {
  readonly page: number;
  readonly pageSize: number;
  readonly search: string;
  readonly customer?: string | undefined;
  readonly service?: string | undefined;
};

/** A line as a route answers it; days are YYYY-MM-DD, amounts decimal strings. */
export type Line = {
  readonly CustomerName: string;
  readonly Service: string;
  readonly Starts: string;
  readonly Ends: string;
  readonly Quantity: number;
  readonly UnitPrice: string;
  readonly TaxRate: number;
  readonly Amount: string;
};

export type GroupSum = { readonly Name: string; readonly Amount: string };

type Row = Line & { readonly order_id: number | null };

const columns = sql.raw(`l.id::text as "Id", l.organisation_id::text as "OrganisationId", l.customer as "CustomerName",
  l.service as "Service", l.kind as "Kind", l.quantity as "Quantity", l.unit_price::text as "UnitPrice",
  l.starts::text as "Starts", l.ends::text as "Ends", l.days as "Days", l.month_days as "MonthDays",
  l.rate as "TaxRate", l.amount::text as "Amount", l.instance_id::text as "InstanceId", l.order_id::int as order_id`);

/** The order in which lines are printed, by an index of its own. */
export const inOrder = sql`l.customer collate "C", l.service collate "C", l.id`;

const shown = ({ order_id, ...row }: Row, currency: string) => ({
  ...row,
  OrderNumber: order_id === null ? null : orderNumber(order_id),
  Currency: currency,
});

/**
 * Lists a page of the lines of an invoice or credit memo, filtered by customer and service, with the sum of all that
 * match.
 */
export async function listLines(
  db: Database,
  { id, Currency, Lines, Net }: Found,
  { page, pageSize, search, customer, service }: LinesQuery,
) {
  const matches = sql`l.invoice_id = ${id}
    ${customer === undefined ? sql`` : sql`and l.organisation_id = ${idOf(customer)}`}
    ${service === undefined ? sql`` : sql`and l.service = ${service}`}
    ${search === '' ? sql`` : sql`and l.search_text like ${containing(search)}`}`;
  const isNarrowed = search !== '' || customer !== undefined || service !== undefined;
  const first = (page - 1) * pageSize;
  // The lines before the page are passed over, and those that match are summed, in the index alone.
  const { rows: found } = await (isNarrowed
    ? sql<{ ids: number[]; Total: number; Amount: string }>`
        select count(*)::int as "Total", coalesce(sum(amount), 0)::numeric(14, 2)::text as "Amount",
          coalesce((array_agg(id))[${first + 1}::int:${first + pageSize}::int], '{}') as ids
        from (select l.id, l.amount from invoice_lines l where ${matches} order by ${inOrder}) found`
    : sql<{ ids: number[]; Total: number; Amount: string }>`
        select ${Lines}::int as "Total", ${Net}::text as "Amount",
          array(select l.id from invoice_lines l where ${matches} order by ${inOrder}
            limit ${pageSize} offset ${first}) as ids`
  ).execute(db);
  const { ids, ...sums } = found[0]!;
  const { rows } = await sql<Row>`
    select ${columns} from invoice_lines l where l.id = any(${ids}::bigint[]) order by ${inOrder}`.execute(db);
  return { Items: rows.map(row => shown(row, Currency)), ...sums, Currency };
}

/** Counts rows; `matches` is a table with its condition, as after "from". */
export async function countMatching(db: Database, matches: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from ${matches}`.execute(db);
  return rows[0]!.count;
}

/**
 * Reads a line of an invoice or credit memo with its details: the order and who placed it, and for usage each meter.
 * @throws {CloudError} 404 for a line of another invoice
 */
export async function readLine(db: Database, { id, Currency }: Found, lineId: string) {
  const { rows } = await sql<Row>`
    select ${columns}, l.exact::text as "Exact", o.ordered_by as "OrderedBy", o.created as "Ordered",
      o.action as "Action", o.quantity as "OrderQuantity", o.quantity_before as "QuantityBefore"
    from invoice_lines l left join orders o on o.id = l.order_id
    where l.invoice_id = ${id} and l.id = ${idOf(lineId)}`.execute(db);
  const [line] = rows;
  if (line === undefined) throw notFound();
  const { rows: usage } = await sql<Record<string, unknown>>`
    select concat_ws(' ', subscription_id, month, meter_id) as "Id", month::text as "Month", service as "Service",
      meter as "Meter", unit as "Unit", quantity as "Quantity", cost::text as "Cost"
    from invoice_usage where line_id = ${idOf(lineId)} order by cost desc, meter, month`.execute(db);
  return { ...shown(line, Currency), Usage: usage.map(row => ({ ...row, Currency })) };
}

export const groupings = ['customer', 'service'] as const;
/** Orders of sums, the first by default; a minus is descending. */
export const groupSorts = ['-Amount', 'Amount', '-Change', 'Change'] as const;

export type GroupsQuery = {
  readonly by: (typeof groupings)[number];
  readonly sort: (typeof groupSorts)[number];
  readonly page: number;
  readonly pageSize: number;
  readonly search: string;
};

/** Lists a page of an invoice's sums by customer or by service, each with its change since the month before. */
export async function listGroups(
  db: Database,
  { id, Currency, Customers }: Found,
  { by, sort, page, pageSize, search }: GroupsQuery,
) {
  const column = sql.ref(sort.endsWith('Change') ? 'g.change' : 'g.amount');
  // Each an index, read from one end or the other.
  const order = sort.startsWith('-') ? sql`${column} desc, g.key` : sql`${column}, g.key desc`;
  const matches = sql`g.invoice_id = ${id} and g.kind = ${by}
    ${search === '' ? sql`` : sql`and g.search_text like ${containing(search)}`}`;
  const first = (page - 1) * pageSize;
  // A search reads all sums of an invoice, so it counts them as well.
  const { rows: found } = await (search === ''
    ? sql<{ keys: string[]; Total: number }>`
        select array(select g.key from invoice_groups g where ${matches}
            order by ${order} limit ${pageSize} offset ${first}) as keys,
          ${by === 'customer' ? sql`${Customers}::int` : sql`(select count(*)::int from invoice_groups g where ${matches})`}
            as "Total"`
    : sql<{ keys: string[]; Total: number }>`
        select coalesce((array_agg(key))[${first + 1}::int:${first + pageSize}::int], '{}') as keys,
          count(*)::int as "Total"
        from (select g.key from invoice_groups g where ${matches} order by ${order}) found`
  ).execute(db);
  const { keys, Total } = found[0]!;
  const { rows } = await sql<GroupSum>`
    select g.key as "Id", g.name as "Name", g.lines as "Lines", g.amount::text as "Amount", g.change::text as "Change"
    from invoice_groups g
    where g.invoice_id = ${id} and g.kind = ${by} and g.key = any(${keys}::text[])
    order by ${order}`.execute(db);
  return { Items: rows.map(row => ({ ...row, Currency })), Total };
}

export const changeReasons = ['Added', 'Gone', 'Usage', 'Once', 'Quantity', 'Price', 'Days'] as const;

/** Gives SQL that sums invoice lines by customer and service; `lines` have `last_day`, the last day of their month. */
export const sumsByService = (lines: RawBuilder<unknown>) => sql`
  select organisation_id, min(customer) as customer, service, bool_or(kind = 'Usage') as is_usage,
    bool_or(kind in ('Once', 'Term')) as is_once, sum(amount) as amount, sum(exact) as exact,
    sum(quantity) filter (where ends = last_day or kind in ('Once', 'Usage')) as quantity, max(unit_price) as price
  from (${lines}) l group by organisation_id, service`;

/** Why the sum "a" differs from the sum "b" before. */
export const reasonOfChange = sql.raw(`
  case when b.amount is null then 'Added' when a.amount is null then 'Gone'
    when a.is_usage then 'Usage' when a.is_once or b.is_once then 'Once'
    when a.quantity is distinct from b.quantity then 'Quantity' when a.price <> b.price then 'Price' else 'Days' end`);

/** Customers offered as a choice at once. */
const mostOffered = 20;

type CustomersQuery = { readonly search: string; readonly chosen?: string | undefined };

/**
 * Finds customers that a reseller's invoices have, by name; without a search those with the largest sums of the newest
 * invoice. `Total` counts all that match, `Chosen` is the name of the customer with the id `chosen`.
 */
export async function findBilledCustomers(
  db: Database,
  { resellerId }: Caller,
  { search, chosen }: CustomersQuery,
): Promise<{ Items: { Id: string; Name: string }[]; Total: number; Chosen: string | null }> {
  const billed = sql`invoice_groups g join invoices i on i.id = g.invoice_id
    where i.reseller_id = ${resellerId} and i.kind = 'Invoice' and g.kind = 'customer'`;
  const newest = sql`i.id = (select id from invoices where reseller_id = ${resellerId} and kind = 'Invoice'
    order by period desc limit 1)`;
  const found = sql`
    select distinct on (g.key) g.key as "Id", g.name as "Name", g.amount from ${billed}
      and ${search === '' ? newest : sql`g.search_text like ${containing(search)}`} order by g.key, i.period desc`;
  const { rows } = await sql<{ Id: string; Name: string; Total: number }>`
    select "Id", "Name", count(*) over ()::int as "Total" from (${found}) f
    order by ${search === '' ? sql`amount desc` : sql`"Name"`}, "Id" limit ${mostOffered}`.execute(db);
  const { rows: named } = await sql<{ name: string }>`
    select g.name from ${billed} and g.key = ${chosen ?? null} order by i.period desc limit 1`.execute(db);
  return {
    Items: rows.map(({ Id, Name }) => ({ Id, Name })),
    Total: rows[0]?.Total ?? 0,
    Chosen: named[0]?.name ?? null,
  };
}

/** Lists a page of what one customer cost, by invoice, the newest first. */
export async function listOfCustomer(
  db: Database,
  { resellerId, currency }: Caller,
  organisationId: string,
  { page, pageSize }: { page: number; pageSize: number },
) {
  const found = sql`
    select i.id, i.kind, i.number, i.period, g.lines, g.amount,
      g.amount - lag(g.amount) over (order by i.period) as change
    from invoices i
    join invoice_groups g on g.invoice_id = i.id and g.kind = 'customer' and g.key = ${organisationId}
    where i.reseller_id = ${resellerId} and i.kind = 'Invoice'`;
  const { rows } = await sql<Record<string, unknown>>`
    select ${idOfDocument('f')} as "Id", f.period::text as "Period", f.lines as "Lines", f.amount::text as "Amount",
      f.change::text as "Change"
    from (${found}) f order by f.period desc limit ${pageSize} offset ${(page - 1) * pageSize}`.execute(db);
  const { rows: counts } = await sql<{ Total: number }>`select count(*)::int as "Total" from (${found}) f`.execute(db);
  return { Items: rows.map(row => ({ ...row, Currency: currency })), Total: counts[0]?.Total ?? 0, Currency: currency };
}
