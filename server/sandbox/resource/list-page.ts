import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../tables.ts';
import { type RowOf, type Selection, selected } from './fields.ts';

type Paged = { readonly page: number; readonly pageSize: number };

/** A list that is read with SQL of its own: what it selects from, and how its rows are narrowed, counted and ordered. */
type Listing<Q, F extends Selection, Value extends string> = {
  readonly fields: F;
  /** SQL after "from", joins included. */
  readonly from: RawBuilder<unknown>;
  readonly where?: RawBuilder<unknown>;
  /** By parameter of the query, the condition of its value. An absent or empty one leaves every row. */
  readonly filters?: { readonly [name in keyof Q]?: (value: NonNullable<Q[name]>) => RawBuilder<unknown> };
  /** `Counts`: of the rows that the rest of the query finds, `All` and how many each value of this filter leaves. */
  readonly counts?: {
    readonly filter: keyof Q & string;
    readonly values: readonly Value[];
    /** The value of a row, where it is computed: once for each row then, and not for each value. */
    readonly of?: RawBuilder<string>;
  };
  readonly order: RawBuilder<unknown>;
};

/** Lists a page of the rows that a query finds, with their number. */
export async function listPage<Q extends Paged, F extends Selection, Value extends string = never>(
  db: Database,
  query: Q,
  { fields, from, where = sql`true`, filters = {}, counts, order }: Listing<Q, F, Value>,
) {
  const conditionOf = (name: string, value: unknown) =>
    (filters as Readonly<Record<string, (value: unknown) => RawBuilder<unknown>>>)[name]!(value);
  const given = query as Readonly<Record<string, unknown>>;
  const isGiven = (name: string) => given[name] !== undefined && given[name] !== '';
  const found = (apart?: string) => {
    const names = Object.keys(filters).filter(name => name !== apart && isGiven(name));
    return sql`${from} where ${sql.join([where, ...names.map(name => conditionOf(name, given[name]))], sql` and `)}`;
  };
  const isOf = (value: Value) => (counts!.of ? sql`value = ${value}` : conditionOf(counts!.filter, value));
  const values = (counts?.values ?? []).map(
    value => sql`count(*) filter (where ${isOf(value)})::int as ${sql.id(value)}`,
  );
  const counted = counts?.of
    ? sql`(select ${counts.of} as value from ${found(counts.filter)} offset 0) counted`
    : found(counts?.filter);
  const [{ rows: Items }, { rows: totals }] = await Promise.all([
    sql<RowOf<F>>`
      select ${selected(fields)} from ${found()} order by ${order}
      limit ${query.pageSize} offset ${(query.page - 1) * query.pageSize}`.execute(db),
    sql<Readonly<Record<Value | 'All', number>>>`
      select ${sql.join([sql`count(*)::int as "All"`, ...values])} from ${counted}`.execute(db),
  ]);
  const Counts = totals[0]!;
  const chosen = counts && isGiven(counts.filter) ? (given[counts.filter] as Value) : 'All';
  return { Items, Total: Counts[chosen], ...(counts && { Counts }) };
}
