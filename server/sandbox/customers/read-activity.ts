import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { searchKey } from '../../../shared/rules/search-key.ts';
import type { Caller } from '../auth/caller.ts';
import { invalid } from '../http/errors.ts';
import type { TypeOf } from '../http/route.ts';
import { pageQuery, search, text } from '../http/schema.ts';
import type { RowOf, Selection } from '../resource/fields.ts';
import { containing, countUpTo, exactTo, longestWordOf } from '../search.ts';
import type { Database, Tables } from '../tables.ts';
import { customerIdOf } from './scope.ts';
import { activity, activityOfAll } from './shapes.ts';

export type Paging = { readonly page: number; readonly pageSize: number };
type Rows = SelectQueryBuilder<Tables, 'activity', object>;

/** Days as in "2027-02-28", both included; empty: without end. */
const day = { type: 'string', pattern: '^(\\d{4}-\\d{2}-\\d{2})?$', description: 'Included; in UTC.' } as const;
const filters = {
  actor: { ...text(200), default: '' },
  action: { ...text(100), default: '' },
  from: { ...day, default: '' },
  to: { ...day, default: '' },
  search,
} as const;
/** `actor` is the name, or the user name of who really signed in. */
export const activityQuery = pageQuery(filters, 1000);

/** The choices that narrow the activity of all customers most often. */
const shows = ['', 'Yesterday', 'ByMe', 'Failed'] as const;
/** `customer` is an OrganisationId. */
export const activityOfAllQuery = pageQuery(
  { ...filters, customer: { ...text(20), default: '' }, show: { enum: shows, default: '' } },
  1000,
);
type Query = TypeOf<typeof activityQuery>;
type QueryOfAll = TypeOf<typeof activityOfAllQuery>;

/** Names that one chooses from at most. */
const mostNames = 200;
const dayMilliseconds = 86_400_000;

/**
 * Lists a page of a customer's activity, the newest first, with the names and actions to filter by.
 * @throws {CloudError} 404 when the caller does not see the customer, 400 for a malformed date
 */
export async function listActivity(db: Database, caller: Caller, key: string, query: Query) {
  const customerId = await customerIdOf(db, caller, key);
  const all = seen(db, caller).where('customer_id', '=', customerId);
  const Actors = await all.select('actor as Name').distinct().orderBy('actor').limit(mostNames).execute();
  const Actions = await all.select('action as Name').distinct().orderBy('action').limit(mostNames).execute();
  return { ...(await pageOfActivity(db, filtered(all, query), query, activity)), Actors, Actions };
}

/**
 * Lists a page of the activity of all customers that the caller sees, and of what is about no customer, the newest first,
 * with the names and actions to filter by.
 * @throws {CloudError} 404 for a customer whom the caller does not see, 400 for a malformed date
 */
export async function listActivityOfAll(db: Database, caller: Caller, query: QueryOfAll, now: Date) {
  const { customer, show } = query;
  const customerId = customer === '' ? caller.customerId : await customerIdOf(db, caller, customer);
  const own = seen(db, caller).where('reseller_id', '=', caller.resellerId);
  const all = customerId === null ? own : own.where('customer_id', '=', customerId);
  // Of one of many customers no index has the names in order: those of all are offered.
  const choosable = caller.customerId === null ? own : all;
  const today = Math.floor(now.getTime() / dayMilliseconds) * dayMilliseconds;
  const rows = filtered(all, query)
    .$if(show === 'Yesterday', on =>
      on.where('at', '>=', new Date(today - dayMilliseconds)).where('at', '<', new Date(today)),
    )
    .$if(show === 'ByMe', on => on.where('account_id', '=', caller.accountId))
    .$if(show === 'Failed', on => on.where('action', 'like', '% failed'));
  const page = await pageOfActivity(db, rows, query, activityOfAll);
  const Customer = customer === '' ? null : await nameOf(db, customerId);
  const [Actors, Actions] = [await namesIn(db, choosable, 'actor'), await namesIn(db, choosable, 'action')];
  return { ...page, Customer, Actors, Actions };
}

const nameOf = async (db: Database, id: string | null) =>
  (await db.selectFrom('customers').select('name').where('id', '=', id).executeTakeFirst())?.name ?? null;

/** Finds lines by the longest word in their index, since short ones such as “number” are in nearly all of them. */
function containsWords(words: string) {
  const longest = longestWordOf(words);
  const found = sql<boolean>`search_text like ${containing(longest)}`;
  return longest === words ? found : sql<boolean>`(${found} and strpos(search_text, ${searchKey(words)}::text) > 0)`;
}

/** The rows whose views the caller has; those of a customer never have one that needs any. */
const seen = (db: Database, { customerId, views }: Caller): Rows =>
  // The first half says to the planner that nearly all rows are seen, which it knows of no other comparison of lists.
  db
    .selectFrom('activity')
    .where(sql<boolean>`(views = '{}' or views <@ ${customerId === null ? [...views] : []}::text[])`);

/** @throws {CloudError} 400 for a malformed date */
function filtered(rows: Rows, { actor, action, from, to }: Query): Rows {
  const start = startOf('from', from);
  const end = startOf('to', to);
  return rows
    .$if(actor !== '', on => on.where(({ or, eb }) => or([eb('actor', '=', actor), eb('real_actor', '=', actor)])))
    .$if(action !== '', on => on.where('action', '=', action))
    .$if(start !== undefined, on => on.where('at', '>=', start!))
    .$if(end !== undefined, on => on.where('at', '<', new Date(end!.getTime() + dayMilliseconds)));
}

/** The first moment of a day. */
function startOf(field: string, day: string): Date | undefined {
  if (day === '') return undefined;
  const start = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(start.getTime())) throw invalid({ [field]: ['Must be the correct format'] });
  return start;
}

type Page<F> = { readonly Items: RowOf<F>[]; readonly Total: number; readonly TotalIsExact: boolean };

/**
 * Reads one page of the rows that a query of `activity` selects, the newest first, and counts them up to a limit.
 * @param asked the page, and what to search for
 */
export async function pageOfActivity<F extends Selection>(
  db: Database,
  all: Rows,
  { page, pageSize, search: words = '' }: Paging & { readonly search?: string },
  fields: F,
): Promise<Page<F>> {
  const rows = words === '' ? all : all.where(containsWords(words));
  // In the order of an index the first that are counted lie close together.
  const inOrder = rows.select('id').orderBy('at', 'desc').orderBy('id', 'desc');
  // Few are found by their words, once, and sorted then; many are come across soon by walking from the newest.
  const few = words === '' ? undefined : await inOrder.limit(exactTo + 1).execute();
  const areFew = few !== undefined && few.length <= exactTo;
  const found = few?.length ?? (await countUpTo(db, inOrder));
  const Items = await db
    .with('page', on =>
      (areFew
        ? on.selectFrom('activity').where('id', '=', sql<number>`any(${few.map(({ id }) => id)}::bigint[])`)
        : rows
      )
        .select('id')
        .orderBy('at', 'desc')
        .orderBy('id', 'desc')
        .limit(pageSize)
        .offset((page - 1) * pageSize),
    )
    .selectFrom('page')
    .innerJoin('activity', 'activity.id', 'page.id')
    .select(fields.columns)
    .orderBy('activity.at', 'desc')
    .orderBy('activity.id', 'desc')
    .execute();
  return { Items: Items as RowOf<F>[], Total: Math.min(found, exactTo), TotalIsExact: found <= exactTo };
}

/**
 * Lists the values of a column in their order, each found in an index after the one before: there are many more rows.
 */
async function namesIn(db: Database, rows: Rows, column: 'actor' | 'action') {
  const next = (more: RawBuilder<boolean>) => sql`(${rows.where(more).select(column).orderBy(column).limit(1)})`;
  const { rows: names } = await sql<{ readonly Name: string }>`
    with recursive names(name) as (
      select ${next(sql`true`)}
      union all
      select ${next(sql`${sql.ref(`activity.${column}`)} > names.name`)} from names where names.name is not null)
    select name as "Name" from names where name is not null limit ${mostNames}`.execute(db);
  return names;
}
