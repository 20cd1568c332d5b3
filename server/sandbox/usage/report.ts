import { type RawBuilder, sql } from 'kysely';
import { notFound } from '../http/errors.ts';
import type { TypeOf } from '../http/route.ts';
import { pageQuery, text } from '../http/schema.ts';
import type { Database } from '../tables.ts';

/** Document 2, section 2: in total, by group, by resource, by meter; and by service. */
export const groupings = ['total', 'group', 'resource', 'meter', 'service'] as const;
/** Days that a report may cover (document 2, section 9); the first is the default. */
export const periods = [7, 14, 28] as const;
type Grouping = (typeof groupings)[number];

export const subscription = { ...text(200), default: '' } as const;
export const reportQuery = pageQuery(
  {
    subscription,
    resourceGroup: { ...text(200), default: '' },
    by: { enum: groupings, default: groupings[0] },
    days: { type: 'integer', enum: periods, default: periods[0] },
  },
  1000,
);

/** More names than this and the smaller ones stand together as "Other": more are not told apart in a chart. */
const most = 6;
const day = 86_400_000;

/** Source of the sums of a grouping, and the names of its rows. */
type UsageGrouping = {
  readonly from: RawBuilder<unknown>;
  readonly key: RawBuilder<unknown>;
  readonly name: RawBuilder<unknown>;
  /** Tells two of one name apart. */
  readonly context: RawBuilder<unknown>;
  readonly unit: RawBuilder<unknown>;
  readonly quantity: RawBuilder<unknown>;
};

const none = sql`null::text`;
const ofMeters: UsageGrouping = {
  from: sql`usage_meter_days d join usage_meters m on m.id = d.meter_id join usage_groups g on g.id = d.group_id`,
  key: sql`m.id`,
  name: sql`m.name`,
  context: sql`m.service`,
  unit: sql`m.unit`,
  quantity: sql`sum(d.quantity)`,
};
const ofGroups: UsageGrouping = {
  from: sql`usage_meter_days d join usage_groups g on g.id = d.group_id`,
  key: sql`g.id`,
  name: sql`g.name`,
  context: sql`s.name`,
  unit: none,
  quantity: sql`null::numeric`,
};
const sources: Readonly<Record<Grouping, UsageGrouping>> = {
  meter: ofMeters,
  group: ofGroups,
  resource: {
    ...ofGroups,
    from: sql`usage_resource_days d join usage_resources r on r.id = d.resource_id join usage_groups g on g.id = r.group_id`,
    key: sql`r.id`,
    name: sql`r.name`,
    context: sql`g.name`,
  },
  service: {
    ...ofMeters,
    key: sql`m.service`,
    name: sql`m.service`,
    context: none,
    unit: none,
    quantity: sql`null::numeric`,
  },
  total: { ...ofGroups, key: sql`0::bigint`, name: sql`'Total'`, context: none },
};

type Sum = {
  readonly place: number;
  readonly names: number;
  readonly day: string;
  readonly name: string;
  readonly context: string | null;
  readonly unit: string | null;
  readonly quantity: number | null;
  readonly cost: number;
  readonly total: number;
};

/**
 * Reads what a customer used on the last whole days (UTC, up to yesterday): figures for a chart (document 2, section
 * 3), and a page of rows of the same figures in the same order. Sums are exact decimals of the database.
 * @throws {CloudError} 404 for a subscription or a group that the customer does not have
 */
export async function readUsage(db: Database, customerId: string, query: TypeOf<typeof reportQuery>, now: Date) {
  const today = Math.floor(now.getTime() / day) * day;
  const Label = Array.from({ length: query.days }, (_, index) =>
    new Date(today - (query.days - index) * day).toISOString().slice(0, 10),
  );
  await checkFilter(db, customerId, query);
  const sums = await readSums(db, customerId, query, Label[0]!, Label.at(-1)!);
  const places = [...new Set(sums.map(({ place }) => place))].sort((one, other) => one - other);
  const first = places.map(place => sums.find(sum => sum.place === place)!);
  const symbols = first.map(sum => symbolOf(sum, first));
  const at = new Map(sums.map(sum => [`${sum.place} ${sum.day}`, sum]));
  // A day on which nothing at all was counted is missing, and no day of no cost.
  const counted = new Set(sums.map(sum => sum.day));
  const costOn = (place: number, date: string) => (counted.has(date) ? (at.get(`${place} ${date}`)?.cost ?? 0) : null);
  const rows = Label.flatMap(date =>
    places.map((place, index) => ({
      Id: `${date} ${place}`,
      Date: date,
      Symbol: symbols[index]!,
      Quantity: isOther(first[index]!) ? null : (at.get(`${place} ${date}`)?.quantity ?? null),
      Unit: isOther(first[index]!) ? null : first[index]!.unit,
      Spend: costOn(place, date),
    })),
  );
  const { page, pageSize } = query;
  return {
    Label,
    Values: places.map((place, index) => ({
      Symbol: symbols[index]!,
      Values: Label.map(date => costOn(place, date)),
    })),
    Items: rows.slice((page - 1) * pageSize, page * pageSize),
    Total: rows.length,
    Spend: sums[0]?.total ?? 0,
  };
}

const isOther = ({ place, names }: Sum): boolean => place === most && names > most;

function symbolOf(sum: Sum, all: readonly Sum[]): string {
  if (isOther(sum)) return 'Other';
  const isTwice = all.some(other => other !== sum && !isOther(other) && other.name === sum.name);
  return isTwice && sum.context ? `${sum.name} (${sum.context})` : sum.name;
}

async function readSums(
  db: Database,
  customerId: string,
  { by, subscription, resourceGroup }: TypeOf<typeof reportQuery>,
  from: string,
  to: string,
): Promise<Sum[]> {
  const source = sources[by];
  const { rows } = await sql<Sum>`
    with found as (
      select d.day, ${source.key} as key, ${source.name} as name, ${source.context} as context, ${source.unit} as unit,
        ${source.quantity} as quantity, sum(d.cost) as cost
      from ${source.from} join usage_subscriptions s on s.id = g.subscription_id
      where s.customer_id = ${customerId} and d.day between ${from}::date and ${to}::date
        ${subscription === '' ? sql`` : sql`and s.subscription_id = ${subscription}`}
        ${resourceGroup === '' ? sql`` : sql`and lower(g.name) = lower(${resourceGroup})`}
      group by 1, 2, 3, 4, 5),
    ranked as (
      select key, row_number() over (order by sum(cost) desc, key) as rank, count(*) over () as names
      from found group by key)
    select least(rank, ${most}::int) as place, names, day::text, min(name) as name, min(context) as context,
      min(unit) as unit, sum(quantity) as quantity, sum(cost) as cost, sum(sum(cost)) over () as total
    from found join ranked using (key)
    group by 1, 2, 3`.execute(db);
  return rows;
}

async function checkFilter(
  db: Database,
  customerId: string,
  { subscription, resourceGroup }: Pick<TypeOf<typeof reportQuery>, 'subscription' | 'resourceGroup'>,
): Promise<void> {
  if (subscription !== '') {
    const held = await listSubscriptions(db, customerId);
    if (!held.some(({ Value }) => Value === subscription)) throw notFound();
  }
  if (resourceGroup !== '') {
    const wanted = resourceGroup.toLowerCase();
    const held = await listGroups(db, customerId, subscription);
    if (!held.some(({ Value }) => Value.toLowerCase() === wanted)) throw notFound();
  }
}

/**
 * Lists a customer's subscriptions of the cloud platform by name, as the items of a dropdown (document 2, section 3:
 * Text and Value).
 */
export async function listSubscriptions(db: Database, customerId: string) {
  return await db
    .selectFrom('usage_subscriptions')
    .where('customer_id', '=', customerId)
    .select(['name as Text', 'subscription_id as Value'])
    .orderBy(sql`name collate "und-x-icu"`)
    .orderBy('subscription_id')
    .execute();
}

/**
 * Lists a customer's resource groups by name, as the items of a dropdown, all or those of one subscription ('' for
 * all). Groups of the same name in several subscriptions are one item.
 */
export async function listGroups(db: Database, customerId: string, subscription: string) {
  return await db
    .selectFrom('usage_groups as g')
    .innerJoin('usage_subscriptions as s', 's.id', 'g.subscription_id')
    .where('s.customer_id', '=', customerId)
    .$if(subscription !== '', found => found.where('s.subscription_id', '=', subscription))
    .select(({ fn }) => [fn.min('g.name').as('Text'), fn.min('g.name').as('Value')])
    .groupBy(sql`lower(g.name)`)
    .orderBy(sql`lower(g.name) collate "und-x-icu"`)
    .execute();
}
