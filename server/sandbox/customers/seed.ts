import { type Insertable, sql } from 'kysely';
import { insertGroups } from '../mail/seed.ts';
import { insertNotifications } from '../notifications/seed.ts';
import { administratorViews, insertRights } from '../seed/accounts.ts';
import type { SeedContext, SeedCustomer } from '../seed/context.ts';
import { northwindCustomers, southridgeCustomers } from '../seed/names.ts';
import { createRandom } from '../seed/random.ts';
import type { Tables, Write } from '../tables.ts';
import { findActivityUsers } from './migrations/027-activity-users.ts';
import { refreshCustomer } from './refresh.ts';
import { makeCustomer } from './seed-customer.ts';

const firstOrganisation = 10_001;

const northwindManagers = [
  { actor: 'Priya Raman', actor_type: 'reseller' },
  { actor: 'Ewan Fraser', actor_type: 'admin' },
] as const;
const southridgeManagers = [{ actor: 'Rhys Colville', actor_type: 'reseller' }] as const;

/** Inserts the seeded customers with their services, users, activity and notifications. */
export async function insertCustomers(trx: Write, now: Date, passwordHash: string): Promise<void> {
  const random = createRandom(20_260);
  const ids = { nextOrganisation: firstOrganisation, nextInstance: 30_001, nextUser: 20_001 };
  const northwind: SeedContext = { random, now, resellerId: 1001, managers: northwindManagers, ...ids };
  const northwinds = northwindCustomers.map(([name, label]) => makeCustomer(northwind, name, label));
  const southridge: SeedContext = { ...northwind, resellerId: 1002, managers: southridgeManagers };
  const southridges = southridgeCustomers.map(([name, label]) => makeCustomer(southridge, name, label));
  const all = [...northwinds, ...southridges];
  await insertAll(
    trx,
    'customers',
    all.map(({ customer }) => customer),
  );
  await insertAll(
    trx,
    'users',
    all.flatMap(({ users }) => users),
  );
  await insertAll(
    trx,
    'service_instances',
    all.flatMap(({ instances }) => instances.map(({ name, ...row }) => row)),
  );
  await insertAll(
    trx,
    'jobs',
    all.flatMap(({ jobs }) => jobs),
  );
  await insertAll(
    trx,
    'user_services',
    all.flatMap(({ userServices }) => userServices),
  );
  await insertAll(
    trx,
    'mailboxes',
    all.flatMap(({ mailboxes }) => mailboxes),
  );
  await insertAll(
    trx,
    'activity',
    all.flatMap(({ activity }) => activity),
  );
  // The statement of a migration, from when mailboxes were columns of users.
  await sql.raw(findActivityUsers.replace('u.mailbox_address', 'u.email')).execute(trx);
  await sql`
    update activity set account_id = a.id from accounts a
    where a.reseller_id = activity.reseller_id and a.customer_id is null and a.display_name = activity.actor`.execute(
    trx,
  );
  for (const { customer } of all) await refreshCustomer(trx, customer.id, customer.last_change as Date);
  await insertCustomerAccounts(trx, all, passwordHash);
  await insertMailAddresses(trx, now);
  await insertGroups(
    trx,
    all.flatMap(({ groups }) => groups),
  );
  await insertNotifications(trx);
  const engineer = sql<number>`(select id from accounts where username = 'engineer@northwind.test')`;
  await trx
    .insertInto('feature_overrides')
    .values({ account_id: engineer, feature_name: 'LiveChat', enabled: false })
    .execute();
  await restartSequences(trx);
  await insertMonthlyFigures(trx, now);
}

/**
 * Finds a seeded customer by the name that it was seeded with; also when it has another name now; undefined when it is
 * gone.
 */
export function findCustomer(trx: Write, name: string) {
  const index = [...northwindCustomers, ...southridgeCustomers].findIndex(([given]) => given === name);
  return trx
    .selectFrom('customers')
    .select(['id', 'reseller_id', 'last_change'])
    .where('organisation_id', '=', firstOrganisation + index)
    .executeTakeFirst();
}

/** Marks two seeded customers whose office suite has a partner: this reseller, and another one. */
export async function insertPartners(trx: Write): Promise<void> {
  for (const [index, name] of ['Drayton Pharmacy', 'Thistledown Nurseries'].entries()) {
    const customer = await findCustomer(trx, name);
    if (!customer) continue;
    const partner_id = index + 1;
    await trx
      .updateTable('customers')
      .set({ partner_id })
      .where('id', '=', customer.id)
      .where('partner_id', '=', 0)
      .execute();
  }
}

/** Every user of a customer may sign in; what for follows from what the user has. */
async function insertCustomerAccounts(trx: Write, all: readonly SeedCustomer[], passwordHash: string): Promise<void> {
  for (const { customer, users, userServices, instances } of all) {
    for (const user of users) {
      const held = userServices
        .filter(({ user_id }) => user_id === user.id)
        .map(({ instance_id }) => instances.find(({ id }) => id === instance_id)?.name);
      const { id } = await trx
        .insertInto('accounts')
        .values({
          username: user.email,
          email: user.email,
          display_name: user.display_name,
          user_type: user.type,
          password_hash: passwordHash,
          enabled: user.status === 'Active',
          reseller_id: customer.reseller_id,
          customer_id: customer.id,
          user_id: user.id,
          hide_pricing: true,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      const isAdmin = user.type === 'endUserAdmin';
      await insertRights(trx, id, {
        views: isAdmin ? administratorViews : [],
        permissions: [
          ...(isAdmin ? (['createCustomerAdmin'] as const) : []),
          ...(held.includes('Hosted Exchange') ? (['hostedExchange'] as const) : []),
          ...(held.includes('Email Security') && !isAdmin ? (['advancedSecurity'] as const) : []),
          ...(user.email === 'user@contoso.test' ? (['ownAliases'] as const) : []),
        ],
      });
    }
  }
}

async function insertMailAddresses(trx: Write, now: Date): Promise<void> {
  await sql`
    insert into mail_addresses (customer_id, mailbox_id, address, is_primary, created)
    select u.customer_id, m.id, u.email, true, u.created from mailboxes m join users u on u.id = m.user_id
    order by m.id`.execute(trx);
  const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);
  const mailbox = await trx
    .selectFrom('mailboxes as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select(['m.id as mailbox_id', 'm.customer_id'])
    .where('u.email', '=', 'user@contoso.test')
    .executeTakeFirstOrThrow();
  await trx
    .insertInto('mail_addresses')
    .values([
      { ...mailbox, address: 'una.marsh@contoso.test', created: daysAgo(410) },
      { ...mailbox, address: 'bookings@contoso.test', created: daysAgo(96) },
      { ...mailbox, address: 'una@contoso-events.test', created: daysAgo(2) },
    ])
    .execute();
}

/** Inserts the figures of the last twelve months' ends, each month a little less than the next. */
export async function insertMonthlyFigures(trx: Write, now: Date): Promise<void> {
  await sql`
    insert into monthly_figures (reseller_id, month, customers, users, monthly_spend)
    select reseller_id, (date_trunc('month', ${now}::timestamptz at time zone 'UTC') - n * interval '1 month')::date,
      floor(sum(customers) * (1 - n * 0.03)), floor(sum(users) * (1 - n * 0.026)),
      round(sum(monthly_spend) * (1 - n * 0.031), 2)
    from customer_counts, generate_series(1, 12) n
    group by reseller_id, n
    on conflict do nothing`.execute(trx);
}

async function insertAll<T extends keyof Tables>(trx: Write, table: T, rows: readonly Insertable<Tables[T]>[]) {
  for (let start = 0; start < rows.length; start += 500) {
    await trx
      .insertInto(table)
      .values(rows.slice(start, start + 500))
      .execute();
  }
}

/** The seeded rows brought their ids along. */
async function restartSequences(trx: Write): Promise<void> {
  await sql`
    select setval(pg_get_serial_sequence('customers', 'organisation_id'), (select max(organisation_id) from customers)),
      setval(pg_get_serial_sequence('users', 'id'), (select max(id) from users)),
      setval(pg_get_serial_sequence('service_instances', 'id'), (select max(id) from service_instances))`.execute(trx);
}
