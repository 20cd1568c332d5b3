import type { Caller } from '../auth/caller.ts';
import type { TypeOf } from '../http/route.ts';
import { pageQuery, search } from '../http/schema.ts';
import { countUpTo, exactTo } from '../search.ts';
import type { Database } from '../tables.ts';
import { addUp, countGroups, statusesOf, statusGroups } from './counts.ts';
import { matching, withMatched } from './matching.ts';
import { customer } from './shapes.ts';
import type { StatusGroup } from './tables.ts';

/** The columns that one may sort by; each has its index with the id as tie-breaker. */
export const sortColumns = {
  Name: 'c.name',
  Status: 'c.status',
  Services: 'c.services',
  Users: 'c.users',
  MonthlySpend: 'c.monthly_spend',
  LastChange: 'c.last_change',
} as const;
export type SortColumn = keyof typeof sortColumns;

const columns = Object.keys(sortColumns) as SortColumn[];
export const listQuery = pageQuery(
  {
    sort: { enum: columns.flatMap(name => [name, `-${name}`] as const), default: 'Name' },
    search,
    status: { enum: ['Active', 'Changing', 'Failed', 'Suspended'] },
  },
  1000,
);
type ListQuery = TypeOf<typeof listQuery>;

/**
 * Lists one page of the caller's customers, with the total and the counts of the status tabs. With a search they are
 * exact up to `exactTo`.
 */
export async function listCustomers(db: Database, caller: Caller, query: ListQuery) {
  const groups = await countGroups(db, caller, query.search);
  const all = addUp(groups);
  const { isExact, monthlySpend } = addUp(groups, query.status);
  const count = (only?: StatusGroup): number => {
    const group = addUp(groups, only);
    return group.isExact ? group.customers : exactTo;
  };
  const areFew = query.search !== '' && all.customers <= exactTo;
  return {
    Items: await pageOf(db, caller, query, areFew).execute(),
    Page: query.page,
    PageSize: query.pageSize,
    Total: count(query.status),
    TotalIsExact: isExact,
    Counts: {
      All: count(),
      ...Object.fromEntries(statusGroups.map(name => [name, count(name)])),
    },
    MonthlySpend: monthlySpend,
  };
}

/** Lists one page of the caller's customers by name, for a choice, with a total that is exact up to `exactTo`. */
export async function findCustomers(
  db: Database,
  caller: Caller,
  query: Pick<ListQuery, 'page' | 'pageSize' | 'search'>,
) {
  const found = await countUpTo(db, matching(db, caller, query.search).select('c.id'));
  const areFew = query.search !== '' && found <= exactTo;
  const Items = await pageOf(db, caller, { ...query, sort: 'Name' }, areFew).execute();
  return { Items, Total: Math.min(found, exactTo), TotalIsExact: found <= exactTo };
}

/**
 * Builds the query for one page of customers. Without a search it finds the page in an index alone and reads its rows
 * after, so that page 1,000 costs little more than page 1.
 */
export function pageOf(db: Database, caller: Caller, query: ListQuery, areFew: boolean) {
  const { page, pageSize, sort, search, status } = query;
  const direction = sort.startsWith('-') ? 'desc' : 'asc';
  const column = sortColumns[sort.replace('-', '') as SortColumn];
  return withMatched(db, caller, search, areFew)
    .with('page', on =>
      on
        .selectFrom('matched as c')
        .$if(status !== undefined, matched => matched.where('c.status', 'in', statusesOf[status as StatusGroup]))
        .select('c.id')
        .orderBy(column, direction)
        .orderBy('c.id', direction)
        .limit(pageSize)
        .offset((page - 1) * pageSize),
    )
    .selectFrom('page')
    .innerJoin('customers as c', 'c.id', 'page.id')
    .select(customer.columns)
    .orderBy(column, direction)
    .orderBy('c.id', direction);
}
