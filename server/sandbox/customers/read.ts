import { type SelectQueryBuilder, sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { invalid, notFound } from '../http/errors.ts';
import type { TypeOf } from '../http/route.ts';
import { pageQuery, search, text } from '../http/schema.ts';
import type { RowOf } from '../resource/fields.ts';
import { containing, countUpTo, exactTo, searchKeyOf } from '../search.ts';
import type { Database, Tables } from '../tables.ts';
import { readMetered } from '../usage/metered.ts';
import { listSubscriptions } from '../usage/report.ts';
import { matching, withMatched } from './matching.ts';
import { customerIdOf, visibleCustomer } from './scope.ts';
import { activity, contact, customer } from './shapes.ts';

/**
 * Reads one customer with everything that its page shows.
 * @throws {CloudError} 404 when the caller does not see it
 */
export async function readCustomer(db: Database, caller: Caller, key: string, now: Date) {
  const row = await visibleCustomer(db, caller, key)
    .select([...customer.columns, ...contact.columns])
    // Every customer has one until it is closed.
    .select(({ selectFrom, exists, not }) =>
      not(
        exists(
          selectFrom('popup_records as r')
            .whereRef('r.customer_id', '=', 'c.id')
            .where('r.popup_id', '=', 'close-account-note')
            .where(sql`r.values ->> 'Note'`, '=', ''),
        ),
      ).as('HasAccountNote'),
    )
    .$castTo<RowOf<typeof customer> & RowOf<typeof contact> & { readonly HasAccountNote: boolean }>()
    .executeTakeFirstOrThrow(notFound);
  return {
    ...row,
    MeteredLast7Days: await readMetered(db, row.CustomerId, now),
    HasUsage: (await listSubscriptions(db, row.CustomerId)).length > 0,
  };
}

/** Lists at most 20 customers of the caller whose name or domain contains the text, by name. */
export async function suggestCustomers(db: Database, caller: Caller, search: string) {
  const found = search === '' ? exactTo : await countUpTo(db, matching(db, caller, search).select('c.id'));
  return await withMatched(db, caller, search, found < exactTo)
    .with('first', on => on.selectFrom('matched').select('id').orderBy('name').orderBy('id').limit(20))
    .selectFrom('first')
    .innerJoin('customers as c', 'c.id', 'first.id')
    .select(['c.organisation_id as OrganisationId', 'c.name as Name', 'c.status as Status'])
    .orderBy('c.name')
    .orderBy('c.id')
    .execute();
}

export type Paging = { readonly page: number; readonly pageSize: number };

/** Days as in "2027-02-28", both included; empty: without end. */
const day = { type: 'string', pattern: '^(\\d{4}-\\d{2}-\\d{2})?$', description: 'Included; in UTC.' } as const;
/** `actor` is the name, or the user name of who really signed in. */
export const activityQuery = pageQuery(
  {
    actor: { ...text(200), default: '' },
    action: { ...text(100), default: '' },
    from: { ...day, default: '' },
    to: { ...day, default: '' },
    search,
  },
  1000,
);

/** Names that one chooses from at most. */
const mostNames = 200;

/**
 * Lists a page of a customer's activity, the newest first, with the names and actions to filter by.
 * @throws {CloudError} 404 when the caller does not see the customer, 400 for a malformed date
 */
export async function listActivity(db: Database, caller: Caller, key: string, query: TypeOf<typeof activityQuery>) {
  const { actor, action, search } = query;
  const customerId = await customerIdOf(db, caller, key);
  const from = startOf('from', query.from);
  const to = startOf('to', query.to);
  const afterTo = to && new Date(to.getTime() + 86_400_000);
  const words = searchKeyOf(sql`concat_ws(chr(10), actor, real_actor, action, target, detail, before, after)`);
  const views = caller.customerId === null ? caller.views : [];
  const all = db
    .selectFrom('activity')
    .where('customer_id', '=', customerId)
    .where(sql<boolean>`views <@ ${[...views]}::text[]`);
  const rows = all
    .$if(actor !== '', on => on.where(({ or, eb }) => or([eb('actor', '=', actor), eb('real_actor', '=', actor)])))
    .$if(action !== '', on => on.where('action', '=', action))
    .$if(from !== undefined, on => on.where('at', '>=', from!))
    .$if(afterTo !== undefined, on => on.where('at', '<', afterTo!))
    .$if(search !== '', on => on.where(words, 'like', containing(search)));
  const { Items, Total } = await pageOfActivity(rows, query);
  const Actors = await all.select('actor as Name').distinct().orderBy('actor').limit(mostNames).execute();
  const Actions = await all.select('action as Name').distinct().orderBy('action').limit(mostNames).execute();
  return { Items, Total, Actors, Actions };
}

/** Reads one page of the rows that a query of `activity` selects, the newest first, and counts them all. */
export async function pageOfActivity(rows: SelectQueryBuilder<Tables, 'activity', object>, { page, pageSize }: Paging) {
  const Items = await rows
    .select(activity.columns)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(pageSize)
    .offset((page - 1) * pageSize)
    .execute();
  const { Total } = await rows.select(sql<number>`count(*)`.as('Total')).executeTakeFirstOrThrow();
  return { Items, Total };
}

/** The first moment of a day. */
function startOf(field: string, day: string): Date | undefined {
  if (day === '') return undefined;
  const start = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(start.getTime())) throw invalid({ [field]: ['Must be the correct format'] });
  return start;
}
