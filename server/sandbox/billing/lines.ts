import { type RawBuilder, sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { notFound } from '../http/errors.ts';
import { idOf } from '../http/ids.ts';
import type { TypeOf } from '../http/route.ts';
import {
  date,
  day,
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
import { orderNumberIn } from '../orders/place.ts';
import { fields, type RowOf, selected } from '../resource/fields.ts';
import { listPage } from '../resource/list-page.ts';
import { containing } from '../search.ts';
import type { Database } from '../tables.ts';
import { type Found, idOfDocument } from './documents.ts';

export const linesQuery = pageQuery({ search, customer: text(15), service: text(200) });
/** Kinds of charges. */
export const lineKind = { ...string, enum: ['Month', 'Part', 'Usage', 'Once', 'Term', 'Credit'] } as const;

/** A line as a route answers it, with the invoice that it is on as `i`. */
const line = fields('l', [
  { name: 'Id', shape: id },
  { name: 'OrganisationId', shape: id },
  { name: 'CustomerName', column: 'customer' },
  { name: 'Service' },
  { name: 'Kind', shape: lineKind },
  { name: 'Quantity', shape: number },
  { name: 'UnitPrice', shape: money },
  { name: 'Starts', shape: day },
  { name: 'Ends', shape: day },
  { name: 'Days', shape: orNull(integer) },
  { name: 'MonthDays', shape: orNull(integer) },
  { name: 'TaxRate', shape: number, column: 'rate' },
  { name: 'Amount', shape: money },
  { name: 'InstanceId', shape: orNull(id) },
  { name: 'OrderNumber', shape: orNull(string), column: orderNumberIn('l.order_id') },
  { name: 'Currency', column: sql`i.currency` },
]);
export type Line = RowOf<typeof line>;
export const lineList = object({ Items: list(line.schema), Total: integer, Amount: money, Currency: string });

/** The order in which lines are printed, by an index of its own. */
export const inOrder = sql`l.customer collate "C", l.service collate "C", l.id`;

/**
 * Lists a page of the lines of an invoice or credit memo, filtered by customer and service, with the sum of all that
 * match.
 */
export async function listLines(
  db: Database,
  { id, Currency, Lines, Net }: Found,
  { page, pageSize, search, customer, service }: TypeOf<typeof linesQuery>,
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
  const { rows: Items } = await sql<Line>`
    select ${selected(line)} from invoice_lines l join invoices i on i.id = l.invoice_id
    where l.id = any(${ids}::bigint[]) order by ${inOrder}`.execute(db);
  return { Items, ...sums, Currency };
}

/** Counts rows; `matches` is a table with its condition, as after "from". */
export async function countMatching(db: Database, matches: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from ${matches}`.execute(db);
  return rows[0]!.count;
}

const whole = fields('l', [
  ...line.list,
  // Before it was rounded.
  { name: 'Exact', shape: money },
  { name: 'OrderedBy', shape: orNull(string), column: sql`o.ordered_by` },
  { name: 'Ordered', shape: orNull(date), column: sql`o.created` },
  { name: 'Action', shape: orNull(string), column: sql`o.action` },
  { name: 'OrderQuantity', shape: orNull(integer), column: sql`o.quantity` },
  { name: 'QuantityBefore', shape: orNull(integer), column: sql`o.quantity_before` },
]);
const usage = fields('u', [
  { name: 'Id', shape: id, column: sql`concat_ws(' ', u.subscription_id, u.month, u.meter_id)` },
  { name: 'Month', shape: day },
  { name: 'Service' },
  { name: 'Meter' },
  { name: 'Unit' },
  { name: 'Quantity', shape: number },
  { name: 'Cost', shape: money },
  { name: 'Currency', column: sql`i.currency` },
]);
export const lineDetails = object({ ...whole.shapes, Usage: list(usage.schema) });

/**
 * Reads a line of an invoice or credit memo with its details: the order and who placed it, and for usage each meter.
 * @throws {CloudError} 404 for a line of another invoice
 */
export async function readLine(db: Database, { id }: Found, lineId: string) {
  const { rows } = await sql<RowOf<typeof whole>>`
    select ${selected(whole)}
    from invoice_lines l join invoices i on i.id = l.invoice_id left join orders o on o.id = l.order_id
    where l.invoice_id = ${id} and l.id = ${idOf(lineId)}`.execute(db);
  const [found] = rows;
  if (found === undefined) throw notFound();
  const { rows: Usage } = await sql<RowOf<typeof usage>>`
    select ${selected(usage)} from invoice_usage u join invoices i on i.id = ${id}
    where u.line_id = ${idOf(lineId)} order by u.cost desc, u.meter, u.month`.execute(db);
  return { ...found, Usage };
}

export const groupings = ['customer', 'service'] as const;
/** Orders of sums, the first by default; a minus is descending. */
export const groupSorts = ['-Amount', 'Amount', '-Change', 'Change'] as const;

export const groupsQuery = pageQuery({
  search,
  by: { enum: groupings, default: groupings[0] },
  sort: { enum: groupSorts, default: groupSorts[0] },
});
export const group = fields('g', [
  { name: 'Id', shape: id, column: 'key' },
  { name: 'Name' },
  { name: 'Lines', shape: integer },
  { name: 'Amount', shape: money },
  { name: 'Change', shape: money },
  { name: 'Currency', column: sql`i.currency` },
]);
export type GroupSum = RowOf<typeof group>;
export const groupList = object({ Items: list(group.schema), Total: integer });

/** Lists a page of an invoice's sums by customer or by service, each with its change since the month before. */
export async function listGroups(
  db: Database,
  { id, Customers }: Found,
  { by, sort, page, pageSize, search }: TypeOf<typeof groupsQuery>,
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
  const { rows: Items } = await sql<GroupSum>`
    select ${selected(group)} from invoice_groups g join invoices i on i.id = g.invoice_id
    where g.invoice_id = ${id} and g.kind = ${by} and g.key = any(${keys}::text[])
    order by ${order}`.execute(db);
  return { Items, Total };
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

export const customersQuery = partial({ search, chosen: text(15) });
export const billedCustomers = object({
  Items: list(object({ Id: id, Name: string })),
  Total: integer,
  Chosen: orNull(string),
});

/**
 * Finds customers that a reseller's invoices have, by name; without a search those with the largest sums of the newest
 * invoice. `Total` counts all that match, `Chosen` is the name of the customer with the id `chosen`.
 */
export async function findBilledCustomers(
  db: Database,
  { resellerId }: Caller,
  { search, chosen }: TypeOf<typeof customersQuery>,
) {
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

const ofMonth = fields('f', [
  { name: 'Id', shape: id, column: idOfDocument('f') },
  { name: 'Period', shape: day },
  { name: 'Lines', shape: integer },
  { name: 'Amount', shape: money },
  { name: 'Change', shape: orNull(money) },
  { name: 'Currency' },
]);
export const ofCustomer = object({ Items: list(ofMonth.schema), Total: integer, Currency: string });

/** Lists a page of what one customer cost, by invoice, the newest first. */
export const listOfCustomer = async (
  db: Database,
  { resellerId, currency }: Caller,
  organisationId: string,
  query: { readonly page: number; readonly pageSize: number },
) => ({
  ...(await listPage(db, query, {
    fields: ofMonth,
    from: sql`(
      select i.kind, i.number, i.period, i.currency, g.lines, g.amount,
        g.amount - lag(g.amount) over (order by i.period) as change
      from invoices i
      join invoice_groups g on g.invoice_id = i.id and g.kind = 'customer' and g.key = ${organisationId}
      where i.reseller_id = ${resellerId} and i.kind = 'Invoice') f`,
    order: sql`f.period desc`,
  })),
  Currency: currency,
});
