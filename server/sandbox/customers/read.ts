import { sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { notFound } from '../http/errors.ts';
import type { RowOf } from '../resource/fields.ts';
import { countUpTo, exactTo } from '../search.ts';
import type { Database } from '../tables.ts';
import { readMetered } from '../usage/metered.ts';
import { listSubscriptions } from '../usage/report.ts';
import { matching, withMatched } from './matching.ts';
import { visibleCustomer } from './scope.ts';
import { contact, customer } from './shapes.ts';

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
