import { randomBytes } from 'node:crypto';
import { type Insertable, sql } from 'kysely';
import { hashPassword } from '../auth/passwords.ts';
import { refreshCustomer } from '../customers/refresh.ts';
import type { Database } from '../database/connect.ts';
import type { Tables } from '../database/tables.ts';
import type { Write } from '../http/idempotency.ts';
import { insertRights, insertStaff, resellers, seedPassword, staff } from './accounts.ts';
import { insertAgreements, insertSignatures } from './agreements.ts';
import { insertCatalogue } from './catalogue.ts';
import type { SeedContext, SeedCustomer } from './context.ts';
import { makeCustomer } from './customer.ts';
import { insertLargeReseller } from './large.ts';
import { insertLinks } from './links.ts';
import { insertMessages } from './messages.ts';
import { northwindCustomers, southridgeCustomers } from './names.ts';
import { insertPolicies } from './policies.ts';
import { createRandom } from './random.ts';
import { insertPeople } from './sign-on.ts';
import { insertUsage } from './usage.ts';
import { insertVoiceCatalogue, insertVoiceOrders } from './voice.ts';

const northwindManagers = [
  { actor: 'Priya Raman', actor_type: 'reseller' },
  { actor: 'Ewan Fraser', actor_type: 'admin' },
] as const;
const southridgeManagers = [{ actor: 'Rhys Colville', actor_type: 'reseller' }] as const;

export type SeedSize = 'small' | 'large';

/**
 * Fills an empty database; of one that has been filled only catalogue and agreements are brought up to date. The same on every machine but for the passwords'
 * salt, with all dates counted back from `now` so that the data never looks old.
 */
export async function seed(db: Database, size: SeedSize, now: Date): Promise<void> {
  const passwordHash = await hashPassword(seedPassword);
  const isFilled = await db.transaction().execute(async trx => {
    // Two processes that start together on one PostgreSQL: the second waits here and then finds the first's work.
    await sql`select pg_advisory_xact_lock(hashtext(current_schema()))`.execute(trx);
    await insertCatalogue(trx);
    await insertAgreements(trx);
    await insertVoiceCatalogue(trx);
    if (await trx.selectFrom('settings').select('name').where('name', '=', 'seed').executeTakeFirst()) return true;
    await insertCommon(trx, size, now);
    await insertStaff(trx, staff, passwordHash);
    await insertPeople(trx, passwordHash);
    await insertCustomers(trx, now, passwordHash);
    await restartSequences(trx);
    if (size === 'large') await insertLargeReseller(trx, now, passwordHash);
    await insertSignatures(trx);
    await insertMonthlyFigures(trx, now);
    return false;
  });
  // Pages are read from the indexes alone only once the rows are known to be visible to all.
  if (!isFilled)
    await sql`vacuum analyze customers, users, service_instances, usage_resource_days, usage_meter_days`.execute(db);
}

async function insertCommon(trx: Write, size: SeedSize, now: Date): Promise<void> {
  const secret = randomBytes(32).toString('base64url');
  await trx
    .insertInto('settings')
    .values([
      { name: 'seed', value: size },
      { name: 'seeded', value: now.toISOString() },
      { name: 'token-secret', value: secret },
    ])
    .execute();
  await trx.insertInto('resellers').values(resellers).execute();
}

async function insertCustomers(trx: Write, now: Date, passwordHash: string): Promise<void> {
  const random = createRandom(20_260);
  const ids = { nextOrganisation: 10_001, nextInstance: 30_001, nextUser: 20_001 };
  const northwind: SeedContext = { random, now, resellerId: 1001, managers: northwindManagers, ...ids };
  const northwinds = northwindCustomers.map(([name, label]) => makeCustomer(northwind, name, label));
  const southridge: SeedContext = { ...northwind, resellerId: 1002, managers: southridgeManagers };
  const southridges = southridgeCustomers.map(([name, label]) => makeCustomer(southridge, name, label));
  const all = [...northwinds, ...southridges];
  nameSwitcher(northwinds);
  nameBuyer(northwinds);
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
    'user_services',
    all.flatMap(({ userServices }) => userServices),
  );
  await insertAll(
    trx,
    'activity',
    all.flatMap(({ activity }) => activity),
  );
  await insertPartners(trx);
  for (const { customer } of all) await refreshCustomer(trx, customer.id, customer.last_change as Date);
  await insertCustomerAccounts(trx, all, passwordHash);
  await insertMailboxAliases(trx, now);
  await insertMessages(trx);
  await insertLinks(trx, now);
  await insertUsage(trx, now);
  await insertPolicies(trx);
  await insertVoiceOrders(trx, now);
  const engineer = sql<number>`(select id from accounts where username = 'engineer@northwind.test')`;
  await trx
    .insertInto('feature_overrides')
    .values({ account_id: engineer, feature_name: 'LiveChat', enabled: false })
    .execute();
}

/** An administrator of Contoso who may switch into the view of a mailbox of her own. */
const switcher = 'switcher@contoso.test';
function nameSwitcher(customers: readonly SeedCustomer[]): void {
  const users = customers.find(({ customer }) => customer.name === 'Contoso')?.users ?? [];
  const chosen = users.findLast(user => user.mailbox_address !== null && user.status === 'Active');
  if (!chosen) throw new Error('Contoso has no mailbox to switch to.');
  const name = { first_name: 'Sofia', last_name: 'Trent', display_name: 'Sofia Trent' };
  Object.assign(chosen, { ...name, email: switcher, mailbox_address: switcher, type: 'endUserAdmin' });
}

/** An administrator who may buy for the own organisation. */
const buyer = 'buyer@zephyrcycles.test';
function nameBuyer(customers: readonly SeedCustomer[]): void {
  const { customer, users } = customers.find(one => one.customer.name === 'Zephyr Cycles')!;
  const name = { first_name: 'Bella', last_name: 'Foss', display_name: 'Bella Foss' };
  Object.assign(users[0]!, { ...name, email: buyer, status: 'Active' });
  if (users[0]!.mailbox_address) users[0]!.mailbox_address = buyer;
  customer.contact_name = name.display_name;
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
        views: [
          ...(isAdmin ? (['customers', 'customerUsers', 'manageService'] as const) : []),
          ...(user.email === switcher ? (['switchUser'] as const) : []),
          ...(user.email === buyer ? (['marketplaceOrder'] as const) : []),
        ],
        permissions: [
          ...(isAdmin ? (['createCustomerAdmin'] as const) : []),
          ...(user.email === buyer ? (['addProducts'] as const) : []),
          ...(held.includes('Hosted Exchange') ? (['hostedExchange'] as const) : []),
          ...(held.includes('Email Security') && !isAdmin ? (['advancedSecurity'] as const) : []),
        ],
      });
    }
  }
}

/** Two customers whose office suite is in hands already: ours, and another partner's. */
async function insertPartners(trx: Write): Promise<void> {
  for (const [index, name] of ['Drayton Pharmacy', 'Thistledown Nurseries'].entries()) {
    const partner_id = index + 1;
    await trx.updateTable('customers').set({ partner_id }).where('name', '=', name).execute();
  }
}

async function insertMailboxAliases(trx: Write, now: Date): Promise<void> {
  const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);
  const { id: user_id } = await trx
    .selectFrom('users')
    .select('id')
    .where('email', '=', 'user@contoso.test')
    .executeTakeFirstOrThrow();
  await trx
    .insertInto('mailbox_aliases')
    .values([
      { user_id, alias: 'una.marsh@contoso.test', created: daysAgo(410) },
      { user_id, alias: 'bookings@contoso.test', created: daysAgo(96) },
      { user_id, alias: 'una@contoso-events.test', created: daysAgo(2), delayed_domain: true },
    ])
    .execute();
}

/** How the last twelve months ended: a little less each, the further back. */
async function insertMonthlyFigures(trx: Write, now: Date): Promise<void> {
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
