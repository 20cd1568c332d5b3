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
    /** The value of a row: looked at once for each row then, and not for each value. */
    readonly of?: RawBuilder<string>;
  };
  /**
   * Rows that a query with a search counts at most, since it reads the text of each. Where more are found
   * `TotalIsExact` is false, and the total and the counts say "at least".
   */
  readonly upTo?: number;
  readonly order: RawBuilder<unknown>;
  /**
   * The id of a row of a list that can grow long: the ids of a page are chosen first, which an index alone can do, and its
   * rows are read after, so that page 1,000 costs little more than page 1.
   */
  readonly key?: RawBuilder<number>;
};

/** Lists a page of the rows that a query finds, with their number. */
export async function listPage<Q extends Paged, F extends Selection, Value extends string = never>(
  db: Database,
  query: Q,
  {
    fields,
    from,
    where = sql`true`,
    filters = {},
    counts,
    upTo = Number.POSITIVE_INFINITY,
    order,
    key,
  }: Listing<Q, F, Value>,
) {
  const conditionOf = (name: string, value: unknown) =>
    (filters as Readonly<Record<string, (value: unknown) => RawBuilder<unknown>>>)[name]!(value);
  const given = query as Readonly<Record<string, unknown>>;
  const isGiven = (name: string) => given[name] !== undefined && given[name] !== '';
  const found = (apart?: string) => {
    const names = Object.keys(filters).filter(name => name !== apart && isGiven(name));
    return sql`${from} where ${sql.join([where, ...names.map(name => conditionOf(name, given[name]))], sql` and `)}`;
  };
  const most = upTo !== undefined && isGiven('search') ? upTo : Number.POSITIVE_INFINITY;
  const atMost = Number.isFinite(most) ? sql`limit ${most + 1}` : sql``;
  const readCounts = async (): Promise<Readonly<Record<Value | 'All', number>>> => {
    const values = counts?.values ?? [];
    if (counts?.of) {
      const { rows } = await sql<{ value: string; rows: number }>`
        select value, count(*)::int as rows
        from (select ${counts.of} as value from ${found(counts.filter)} ${atMost}) counted group by 1`.execute(db);
      const of = (value: string) => rows.find(row => row.value === value)?.rows ?? 0;
      const All = rows.reduce((sum, row) => sum + row.rows, 0);
      return { All, ...Object.fromEntries(values.map(value => [value, of(value)])) } as Record<Value | 'All', number>;
    }
    const each = values.map(
      value => sql`count(*) filter (where ${conditionOf(counts!.filter, value)})::int as ${sql.id(value)}`,
    );
    const { rows } = await sql<Readonly<Record<Value | 'All', number>>>`
      select ${sql.join([sql`count(*)::int as "All"`, ...each])} from ${found(counts?.filter)}`.execute(db);
    return rows[0]!;
  };
  const countFound = async (): Promise<number> => {
    const { rows } = await sql<{ rows: number }>`
      select count(*)::int as rows from (select from ${found()} ${atMost}) counted`.execute(db);
    return rows[0]!.rows;
  };
  const onPage = sql`order by ${order} limit ${query.pageSize} offset ${(query.page - 1) * query.pageSize}`;
  const rows = key
    ? sql`${from} where ${key} = any(array(select ${key} from ${found()} ${onPage})) order by ${order}`
    : sql`${found()} ${onPage}`;
  const chosen = counts && isGiven(counts.filter) ? (given[counts.filter] as Value) : 'All';
  const [{ rows: Items }, Counts, ofChosen] = await Promise.all([
    sql<RowOf<F>>`select ${selected(fields)} from ${rows}`.execute(db),
    readCounts(),
    // Of those that were counted there may be fewer.
    chosen !== 'All' && Number.isFinite(most) ? countFound() : undefined,
  ]);
  const count = ofChosen ?? Counts[chosen];
  return { Items, Total: Math.min(count, most), TotalIsExact: count <= most, ...(counts && { Counts }) };
}
