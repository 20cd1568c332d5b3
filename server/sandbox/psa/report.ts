import { sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { notFound } from '../http/errors.ts';
import { idOf } from '../http/ids.ts';
import type { TypeOf } from '../http/route.ts';
import { boolean, id } from '../http/schema.ts';
import type { RowOf, Selection } from '../resource/fields.ts';
import { containing, searchKeyOf } from '../search.ts';
import { isHeld } from '../services/held.ts';
import type { Database, Write } from '../tables.ts';
import { cmCustomer, type rowsQuery, type selection } from './shapes.ts';
import { isDue, readSync, syncStatusOf } from './sync.ts';
import type { ReportKind } from './tables.ts';

/** One report of a reseller; the reconciliation has no month. */
export type Report = { readonly kind: ReportKind; readonly month: string };

export const reconciliation: Report = { kind: 'reconciliation', month: '' };

/** How many months back there is product movement. */
const monthsBack = 12;

const monthIn = (date: Date): string => date.toISOString().slice(0, 7);

/** Gives the start of a month (YYYY-MM) and of the next one, in UTC. */
export function spanOf(month: string): { readonly start: Date; readonly end: Date } {
  const start = new Date(`${month}-01T00:00:00Z`);
  return { start, end: new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1)) };
}

/**
 * Gives the wanted month (YYYY-MM, or `latest`) if it is among `months`.
 * @throws {CloudError} 404 when it is not
 */
export function findMonth(months: readonly string[], wanted: string): string {
  const month = wanted === 'latest' ? months[0] : months.find(one => one === wanted);
  if (month === undefined) throw notFound();
  return month;
}

/** Gives a month (YYYY-MM) in the form of the reply, with its name, start and end. */
export function describeMonth(month: string) {
  const { start, end } = spanOf(month);
  const name = start.toLocaleDateString('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });
  return { id: month, name, start, end };
}

/**
 * Lists the months, as YYYY-MM and the newest first, in which the reseller's customers used the cloud platform, of the
 * last `back` months with the current one. The current month is always in the list.
 */
export async function listChargedMonths(
  db: Database,
  { resellerId }: Caller,
  now: Date,
  back: number,
): Promise<string[]> {
  const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back + 1));
  const used = await sql<{ readonly month: string }>`
    select distinct to_char(d.day, 'YYYY-MM') as month
    from usage_subscriptions s
    join customers c on c.id = s.customer_id and c.reseller_id = ${resellerId}
    join usage_groups g on g.subscription_id = s.id
    join usage_resources r on r.group_id = g.id
    join usage_resource_days d on d.resource_id = r.id
    where d.day >= (${first}::timestamptz at time zone 'UTC')::date
    order by 1 desc`.execute(db);
  const current = monthIn(now);
  return [...new Set([current, ...used.rows.map(({ month }) => month).filter(month => month < current)])];
}

/**
 * Lists the months that a report of product movement exists for, the newest first, as YYYY-MM: the current one, and
 * earlier ones since the reseller's first service.
 */
export async function listMovementMonths(db: Database, { resellerId }: Caller, now: Date): Promise<string[]> {
  const { first } = await db
    .selectFrom('service_instances')
    .select(on => on.fn.min<Date | null>('created').as('first'))
    .where('reseller_id', '=', resellerId)
    .executeTakeFirstOrThrow();
  const months = Array.from({ length: monthsBack }, (_, back) =>
    monthIn(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back))),
  );
  return months.filter((month, back) => back === 0 || (first !== null && month >= monthIn(first)));
}

type Freshen = {
  readonly isAsked: boolean;
  now(): Date;
};

/**
 * Computes a month's stored report again when that is asked for or due. One that was computed after its month's end is
 * never due.
 */
export async function freshenMonth(
  db: Database,
  caller: Caller,
  report: Report,
  { isAsked, now }: Freshen,
): Promise<void> {
  const computed = await computedAt(db, caller, report);
  const isOver = computed !== null && computed >= spanOf(report.month).end;
  if (isAsked || (!isOver && isDue(computed, now()))) await compute(db, caller, report, now());
}

/**
 * Compares with the contracts of the business system again when that is due or asked for, or they were copied since;
 * while a copy is being made the stored report stays (document 2, section 4).
 * @param copy brings the copy of the contracts up to date
 */
export async function freshenReconciliation(
  db: Database,
  caller: Caller,
  { isAsked, now, copy }: Freshen & { copy(): Promise<void> },
): Promise<void> {
  const isBusy = async () => (await syncStatusOf(db, caller)) === 'in progress';
  if (await isBusy()) return;
  const computed = await computedAt(db, caller, reconciliation);
  const { completed = null } = (await readSync(db, caller.resellerId, 'contracts')) ?? {};
  const isOlder = computed !== null && completed !== null && computed < completed;
  if (!isAsked && !isOlder && !isDue(computed, now())) return;
  await copy();
  if (!(await isBusy())) await compute(db, caller, reconciliation, now());
}

/** When what is kept was computed. */
async function computedAt(db: Database, { resellerId }: Caller, { kind, month }: Report): Promise<Date | null> {
  const kept = await db
    .selectFrom('psa_reports')
    .select('computed')
    .where('reseller_id', '=', resellerId)
    .where('kind', '=', kind)
    .where('month', '=', month)
    .executeTakeFirst();
  return kept?.computed ?? null;
}

async function compute(db: Database, { resellerId }: Caller, { kind, month }: Report, now: Date): Promise<void> {
  await db.transaction().execute(async trx => {
    // Two that compute it at the same time: one after the other.
    await trx
      .insertInto('psa_reports')
      .values({ reseller_id: resellerId, kind, month, computed: now })
      .onConflict(on => on.columns(['reseller_id', 'kind', 'month']).doUpdateSet({ computed: now }))
      .execute();
    await keep(trx, resellerId, { kind, month }, now);
  });
}

/** Makes the kept rows what is so now. Those that were selected stay so. */
async function keep(trx: Write, resellerId: number, { kind, month }: Report, now: Date): Promise<void> {
  const computed = {
    movement: () => movement(resellerId, month, now),
    reconciliation: () => comparison(resellerId),
    charges: () => charges(resellerId, month),
  }[kind]();
  await sql`
    with computed as (${computed}), gone as (
      delete from psa_report_rows r
      where reseller_id = ${resellerId} and kind = ${kind} and month = ${month} and not exists (
        select from computed c where c.customer_id = r.customer_id and c.service = r.service)
    )
    insert into psa_report_rows
      (reseller_id, kind, month, customer_id, service, name, quantity, compared_with, price_change)
    select ${resellerId}::int, ${kind}::text, ${month}::text, customer_id, service, name, quantity, compared_with, price_change
    from computed
    on conflict (reseller_id, kind, month, customer_id, service) do update set name = excluded.name,
      quantity = excluded.quantity, compared_with = excluded.compared_with, price_change = excluded.price_change`.execute(
    trx,
  );
}

/** Builds SQL for the products whose quantity or price differs between the start of a month and its end, or now. */
function movement(resellerId: number, month: string, now: Date) {
  const { start, end } = spanOf(month);
  const isBefore = sql`(at.side = 'before')`;
  const held = sql`coalesce(changed.quantity_before, i.quantity)`;
  const price = sql`coalesce(changed.quantity_before * changed.price_before, i.quantity * i.monthly_price)`;
  return sql`
    select customer_id, service, name, quantity, compared_with, price_change from (
      select i.customer_id, p.service_id || '-' || p.sub_id as service, p.name,
        coalesce(sum(${held}) filter (where not ${isBefore}), 0)::int as quantity,
        coalesce(sum(${held}) filter (where ${isBefore}), 0)::int as compared_with,
        sum(case when ${isBefore} then -${price} else ${price} end) as price_change
      from service_instances i
      join products p using (service_id, sub_id)
      cross join (values ('before', ${start}::timestamptz),
        ('after', least(${end}::timestamptz, ${now}::timestamptz))) as at (side, moment)
      left join lateral (
        select m.quantity_before, m.price_before from orders m
        where m.customer_id = i.customer_id and m.instance_id = i.id and m.action = 'Modify' and m.status = 'Done'
          and m.created >= at.moment
        order by m.created limit 1
      ) changed on true
      where i.reseller_id = ${resellerId} and i.created < at.moment
        and (${isHeld('i')} or i.last_change >= at.moment)
        and i.was_active
      group by i.customer_id, p.service_id, p.sub_id, p.name
    ) moved where quantity <> compared_with or price_change <> 0`;
}

/** Builds SQL for the use of the cloud platform in a month, by subscription. */
function charges(resellerId: number, month: string) {
  const { start, end } = spanOf(month);
  return sql`
    select s.customer_id, s.subscription_id as service, s.name, 0 as quantity, 0 as compared_with,
      round(sum(d.cost), 2) as price_change
    from usage_subscriptions s
    join customers c on c.id = s.customer_id and c.reseller_id = ${resellerId}
    join usage_groups g on g.subscription_id = s.id
    join usage_resources r on r.group_id = g.id
    join usage_resource_days d on d.resource_id = r.id
    where d.day >= (${start}::timestamptz at time zone 'UTC')::date and d.day < (${end}::timestamptz at time zone 'UTC')::date
    group by s.id`;
}

/** Builds SQL for the products that matched customers hold, beside those that the business system's contracts bill. */
function comparison(resellerId: number) {
  const matched = sql`m.reseller_id = ${resellerId} and m.psa_id is not null and not m.ignored`;
  return sql`
    with customer as (
      select c.id, m.psa_id from psa_matches m
      join customers c on c.reseller_id = ${resellerId} and c.organisation_id::text = m.own_id
      where m.kind = 'customers' and ${matched}
    ), ours as (
      select i.customer_id, coalesce(m.psa_id, 'own ' || p.service_id || '-' || p.sub_id) as service,
        coalesce(min(m.psa_name), min(p.name)) as name, sum(i.quantity)::int as quantity
      from customer
      join service_instances i on i.customer_id = customer.id
      join products p using (service_id, sub_id)
      left join psa_matches m on m.kind = 'services' and ${matched} and m.own_id = p.service_id || '-' || p.sub_id
      where ${isHeld('i')} and i.was_active
      group by 1, 2
    ), theirs as (
      select customer.id as customer_id, l.service, coalesce(r.name, l.service) as name,
        round(sum(l.quantity))::int as quantity
      from customer
      join psa_contracts k on k.reseller_id = ${resellerId} and k.customer = customer.psa_id
      join psa_lines l on l.reseller_id = ${resellerId} and l.contract = k.id
      left join psa_records r on r.reseller_id = ${resellerId} and r.kind = 'services' and r.id = l.service
      group by 1, 2, 3
    )
    select customer_id, service, coalesce(theirs.name, ours.name) as name, coalesce(ours.quantity, 0) as quantity,
      coalesce(theirs.quantity, 0) as compared_with, 0 as price_change
    from ours full join theirs using (customer_id, service)`;
}

export type ReportQuery = TypeOf<typeof rowsQuery>;

/** Fields that the rows `r` of all reports have. */
export const reportRow = [
  { name: 'id', shape: id },
  { name: 'selected', shape: boolean },
  {
    name: 'cmCustomer',
    shape: cmCustomer,
    column: sql`json_build_object('id', c.organisation_id::text, 'name', c.name)`,
  },
] as const;
/** How many more there are than what they are compared with. */
export const moreThan = sql`r.quantity - r.compared_with`;

/**
 * Reads a page of a stored report, by customer and service, with the number of selected and unselected rows.
 * @param row the fields of a row `r`
 */
export async function readRows<F extends Selection>(
  db: Database,
  { resellerId }: Caller,
  { kind, month }: Report,
  { page, pageSize, search, selected }: ReportQuery,
  row: F,
) {
  const found = db
    .selectFrom('psa_report_rows as r')
    .innerJoin('customers as c', 'c.id', 'r.customer_id')
    .where('r.reseller_id', '=', resellerId)
    .where('r.kind', '=', kind)
    .where('r.month', '=', month)
    .$if(search !== '', query => query.where(searchKeyOf(sql`c.name`), 'like', containing(search)));
  const { all, chosen } = await found
    .select(({ fn }) => [
      fn.countAll<number>().as('all'),
      fn.countAll<number>().filterWhere('r.selected', '=', true).as('chosen'),
    ])
    .executeTakeFirstOrThrow();
  const counts = { all: Number(all), selected: Number(chosen), notSelected: Number(all) - Number(chosen) };
  const results = await found
    .$if(selected !== undefined, query => query.where('r.selected', '=', selected === 'yes'))
    .select(row.columns)
    .orderBy(sql`c.name collate "und-x-icu"`)
    .orderBy('r.name')
    .orderBy('r.id')
    .offset((page - 1) * pageSize)
    .limit(pageSize)
    .$castTo<RowOf<F>>()
    .execute();
  const total = selected === undefined ? counts.all : selected === 'yes' ? counts.selected : counts.notSelected;
  return { results, counts, total };
}

/**
 * Selects or deselects a row of a report.
 * @throws {CloudError} 404 for a row that the reseller does not have
 */
export async function selectRow(
  db: Database,
  { resellerId }: Caller,
  kind: ReportKind,
  { Id, Selected }: TypeOf<typeof selection>,
): Promise<void> {
  const found = await db
    .updateTable('psa_report_rows')
    .set({ selected: Selected === 'yes' })
    .where('id', '=', idOf(Id))
    .where('reseller_id', '=', resellerId)
    .where('kind', '=', kind)
    .executeTakeFirst();
  if (found.numUpdatedRows !== 1n) throw notFound();
}
