import { sql } from 'kysely';
import type { TypeOf } from '../http/route.ts';
import { orderNumber } from '../orders/place.ts';
import { containing } from '../search.ts';
import type { Database } from '../tables.ts';
import type { Found } from './documents.ts';
import type { exportQuery } from './export-shapes.ts';
import { countMatching, inOrder } from './lines.ts';

export const exportVersions = ['v1', 'v2', 'v3'] as const;
export type ExportVersion = (typeof exportVersions)[number];

type Row = Readonly<Record<string, unknown>> & { readonly order_id: number | null };

/** The key of the product, as "8-1", of what is no service any more too. */
const product = sql.raw(`coalesce(i.service_id || '-' || i.sub_id,
  case when l.kind = 'Usage' then '6-1' when l.key like 'telephones %' then '15-1' end)`);

/**
 * Lists a page of an invoice's charges for its export: by printed line, and from v3 on with the meters of usage below
 * their line. A page counts lines. Amount, Quantity and UnitPrice are on lines alone, so that a column adds up to the
 * invoice.
 */
export async function listExport(
  db: Database,
  { id, Id, ExternalInvoiceId, Period, Currency, Lines }: Found,
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
  const { rows } = await sql<Row>`
    with l as (${lines}),
    listed as (
      select l.id, 0 as place, null::bigint as subscription_id, null::date as month, null::bigint as meter_id,
        null as meter_service, null as meter, null as unit, null::numeric as used, null::numeric as cost from l
      ${version === 'v3' ? sql`union all select * from (${meters}) m` : sql``}
    )
    select l.id || case when r.place > 0 then '-' || r.place else '' end as "Id", l.customer as "CustomerName",
      l.service as "Service", l.starts::text as "Starts", l.ends::text as "Ends",
      case when r.place = 0 then l.quantity end as "Quantity", case when r.place = 0 then l.amount::text end as "Amount",
      l.organisation_id::text as "OrganisationId", ${product} as "Product", l.kind as "Kind",
      case when r.place = 0 then l.days end as "Days", case when r.place = 0 then l.month_days end as "MonthDays",
      case when r.place = 0 then l.unit_price::text end as "UnitPrice", l.rate as "TaxRate",
      l.id::text as "ChargeId", l.order_id::int as order_id, o.ordered_by as "OrderedBy",
      l.instance_id::text as "InstanceId", coalesce(r.subscription_id, u.subscription_id)::text as "SubAccountId",
      case when l.kind = 'Usage' then l.service end as "SubAccount",
      case when r.place = 0 then l.exact::text end as "Exact", r.meter_id::text as "MeterId",
      r.meter_service as "MeterService", r.meter as "Meter", r.month::text as "UsageMonth", r.unit as "Unit",
      r.used as "Used", r.cost::text as "UsageCost"
    from listed r join l on l.id = r.id
    left join lateral (
      select service_id, sub_id from service_instances where customer_id = l.customer_id and id = l.instance_id limit 1
    ) i on true
    left join lateral (select ordered_by from orders where id = l.order_id limit 1) o on true
    left join lateral (select subscription_id from invoice_usage where line_id = l.id limit 1) u on true
    order by ${inOrder}, r.place`.execute(db);
  const Total = search === '' ? Lines : await countMatching(db, sql`invoice_lines l where ${matches}`);
  const Items = rows.map(({ order_id, ...row }) => ({
    ...row,
    ...{ Invoice: Id, ExternalInvoiceId, Period, Currency },
    OrderNumber: order_id === null ? null : orderNumber(order_id),
  }));
  return { Items, Total, Currency };
}
