import { sql } from 'kysely';
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
  search,
  string,
} from '../http/schema.ts';
import { orderNumberIn } from '../orders/place.ts';
import { fields, type RowOf, selected } from '../resource/fields.ts';
import { containing } from '../search.ts';
import type { Database } from '../tables.ts';
import { type Found, idOfDocument } from './documents.ts';
import { countMatching, inOrder, lineKind } from './lines.ts';

export const exportVersions = ['v1', 'v2', 'v3'] as const;
export type ExportVersion = (typeof exportVersions)[number];

const amount = (description: string) => described(orNull(money), `${money.description} ${description}`);
/** The key of the product, as "8-1", of what is no service any more too. */
const product = sql`coalesce(i.service_id || '-' || i.sub_id,
  case when l.kind = 'Usage' then '6-1' when l.key like 'telephones %' then '15-1' end)`;
/** Gives SQL for a value that is on a line alone, and not on the meters below it. */
const ofLine = (column: string) => sql`case when r.place = 0 then ${sql.ref(`l.${column}`)} end`;

/** Fields of a line `l` of an invoice `doc`, or of a meter below it, which `r` is. */
const v1 = fields('l', [
  {
    name: 'Id',
    shape: described(id, 'Names the row; of a meter that of its line, and its place.'),
    column: sql`l.id || case when r.place > 0 then '-' || r.place else '' end`,
  },
  { name: 'Invoice', shape: described(id, 'Number of the invoice, as printed.'), column: idOfDocument('doc') },
  {
    name: 'CustomerName',
    shape: described(string, 'Customer, as named when the invoice was made.'),
    column: 'customer',
  },
  { name: 'Service', shape: described(string, 'What is charged.') },
  { name: 'Starts', shape: described(day, 'First day that is charged.') },
  { name: 'Ends', shape: described(day, 'Last day that is charged.') },
  { name: 'Quantity', shape: described(orNull(number), 'How many. Of a line alone.'), column: ofLine('quantity') },
  {
    name: 'Amount',
    shape: amount('What is printed, before tax. Of a line alone: all of them add up to the invoice.'),
    column: ofLine('amount'),
  },
]);
const v2 = fields('l', [
  ...v1.list,
  { name: 'OrganisationId', shape: described(id, 'Number of the customer.') },
  { name: 'Product', shape: described(orNull(string), 'Key of the product, such as 8-1.'), column: product },
  { name: 'Kind', shape: lineKind },
  { name: 'Period', shape: described(day, 'First day of the month of the invoice.'), column: sql`doc.period` },
  {
    name: 'Days',
    shape: described(orNull(integer), 'Days that are charged, where that is a part of a month.'),
    column: ofLine('days'),
  },
  { name: 'MonthDays', shape: described(orNull(integer), 'Days of that month.'), column: ofLine('month_days') },
  {
    name: 'UnitPrice',
    shape: amount('Price of one for a whole month. Of a line alone.'),
    column: ofLine('unit_price'),
  },
  {
    name: 'TaxRate',
    shape: described(number, 'Tax in per cent. Tax itself is computed once for each rate of the invoice.'),
    column: 'rate',
  },
  { name: 'Currency', column: sql`doc.currency` },
]);
const v3 = fields('l', [
  ...v2.list,
  {
    name: 'ExternalInvoiceId',
    shape: described(id, 'Its number at the billing platform.'),
    column: sql`doc.external_id`,
  },
  { name: 'ChargeId', shape: described(id, 'Number of the charge.'), column: 'id' },
  {
    name: 'OrderNumber',
    shape: described(orNull(string), 'The order that it comes of.'),
    column: orderNumberIn('l.order_id'),
  },
  { name: 'OrderedBy', shape: orNull(string), column: sql`o.ordered_by` },
  { name: 'InstanceId', shape: described(orNull(id), 'Number of the service.') },
  {
    name: 'SubAccountId',
    shape: described(orNull(id), 'Number of the subscription that was used.'),
    column: sql`coalesce(r.subscription_id, u.subscription_id)`,
  },
  { name: 'SubAccount', shape: orNull(string), column: sql`case when l.kind = 'Usage' then l.service end` },
  { name: 'Exact', shape: amount('The amount before it was rounded. Of a line alone.'), column: ofLine('exact') },
  {
    name: 'MeterId',
    shape: described(orNull(id), 'Of a meter alone, as all that follows.'),
    column: sql`r.meter_id`,
  },
  { name: 'MeterService', shape: orNull(string), column: sql`r.meter_service` },
  { name: 'Meter', shape: orNull(string), column: sql`r.meter` },
  { name: 'UsageMonth', shape: orNull(day), column: sql`r.month` },
  { name: 'Unit', shape: orNull(string), column: sql`r.unit` },
  { name: 'Used', shape: orNull(number), column: sql`r.used` },
  {
    name: 'UsageCost',
    shape: amount('What was used costs so much before it was rounded.'),
    column: sql`r.cost`,
  },
]);
const exported = <const S extends object>(row: S) =>
  object({
    Items: list(row),
    Total: described(integer, 'Lines; a meter counts with its line.'),
    Currency: string,
  });
/** Versions of one export, each with the columns of the one before first. */
export const exportReplies = { v1: exported(v1.schema), v2: exported(v2.schema), v3: exported(v3.schema) } as const;
export const exportQuery = pageQuery({ search });

/**
 * Lists a page of an invoice's charges for its export: by printed line, and from v3 on with the meters of usage below
 * their line. A page counts lines. Amount, Quantity and UnitPrice are on lines alone, so that a column adds up to the
 * invoice.
 */
export async function listExport(
  db: Database,
  { id, Currency, Lines }: Found,
  version: ExportVersion,
  { page, pageSize, search }: TypeOf<typeof exportQuery>,
) {
  const matches = sql`l.invoice_id = ${id}
    ${search === '' ? sql`` : sql`and l.search_text like ${containing(search)}`}`;
  const lines = sql`
    select l.* from invoice_lines l
    join (
      select l.id from invoice_lines l where ${matches} order by ${inOrder}
      limit ${pageSize} offset ${(page - 1) * pageSize}
    ) shown on shown.id = l.id`;
  const meters = sql`
    select line_id, row_number() over (partition by line_id order by cost desc, meter, month, meter_id)::int as place,
      subscription_id, month, meter_id, service, meter, unit, quantity, cost
    from invoice_usage where line_id in (select id from l)`;
  const { rows: Items } = await sql<RowOf<typeof v3>>`
    with l as (${lines}),
    listed as (
      select l.id, 0 as place, null::bigint as subscription_id, null::date as month, null::bigint as meter_id,
        null as meter_service, null as meter, null as unit, null::numeric as used, null::numeric as cost from l
      ${version === 'v3' ? sql`union all select * from (${meters}) m` : sql``}
    )
    select ${selected(v3)}
    from listed r join l on l.id = r.id join invoices doc on doc.id = l.invoice_id
    left join lateral (
      select service_id, sub_id from service_instances where customer_id = l.customer_id and id = l.instance_id limit 1
    ) i on true
    left join lateral (select ordered_by from orders where id = l.order_id limit 1) o on true
    left join lateral (select subscription_id from invoice_usage where line_id = l.id limit 1) u on true
    order by ${inOrder}, r.place`.execute(db);
  const Total = search === '' ? Lines : await countMatching(db, sql`invoice_lines l where ${matches}`);
  return { Items, Total, Currency };
}
