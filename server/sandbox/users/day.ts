import { sql } from 'kysely';
import { findAccountManager } from '../customers/account-manager.ts';
import { differences, recordActivity } from '../customers/activity.ts';
import { refreshCustomer } from '../customers/refresh.ts';
import { chanceOf, type Day, timeOf } from '../days.ts';
import { joinGroups } from '../mail/group-members.ts';
import { allStaff, firstNames, jobTitles, lastNames } from '../seed/names.ts';
import { createRandom } from '../seed/random.ts';
import type { Write } from '../tables.ts';

/** Lets users sign in, fewer at weekends. */
export async function signInOfDay(trx: Write, day: Day): Promise<void> {
  const at = sql<Date>`${timeOf(day, 7)}::timestamptz + ${chanceOf(day, sql`email`, 600)} * interval '1 minute'`;
  await trx
    .updateTable('users')
    .set({ last_sign_in: at })
    .where('status', '=', 'Active')
    // Null: has never signed in, as most of the very many.
    .where('last_sign_in', '<', at)
    .where(chanceOf(day, sql`'signs in ' || email`, 10), '<', day.isWeekend ? 1 : 4)
    .execute();
}

/**
 * Adds a user who has no account yet to a customer of a reseller, on Mondays and Thursdays. An address that is taken
 * already adds none.
 */
export async function addUserOfDay(trx: Write, reseller: number, day: Day): Promise<void> {
  if (day.weekday !== 1 && day.weekday !== 4) return;
  const customer = await trx
    .selectFrom('customers')
    .select(['id', 'domain', 'account_manager'])
    .where('reseller_id', '=', reseller)
    .where('suspended', '=', false)
    .where('users', '>', 0)
    .where('last_change', '<', day.start)
    .orderBy(chanceOf(day, sql`'joins ' || id`, 1_000_000))
    .orderBy('organisation_id')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  if (!customer) return;
  const random = createRandom(day.start.getTime() / 1000 + reseller);
  const [first_name, last_name] = [random.pick(firstNames), random.pick(lastNames)];
  const display_name = `${first_name} ${last_name}`;
  const email = `${first_name}.${last_name}@${customer.domain}`.toLowerCase();
  const created = timeOf(day, 9, 15);
  const added = await trx
    .insertInto('users')
    .values({
      customer_id: customer.id,
      first_name,
      last_name,
      display_name,
      email,
      job_title: random.pick(jobTitles),
      type: 'endUser',
      created,
    })
    .onConflict(known => known.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!added) return;
  await joinGroups(trx, { id: added.id, customer_id: customer.id }, [allStaff]);
  await refreshCustomer(trx, customer.id, created);
  const manager = await findAccountManager(trx, reseller, customer.account_manager);
  const told = { detail: email, ...differences({}, { Name: display_name, Email: email }) };
  const event = { action: 'User created', target: display_name, users: [added.id], ...told } as const;
  await recordActivity(trx, customer.id, manager, created, event);
}
