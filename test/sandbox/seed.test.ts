import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import { featureFlags } from '../../server/sandbox/marketplace/seed.ts';
import { parts, seed } from '../../server/sandbox/seed/seed.ts';
import type { Database } from '../../server/sandbox/tables.ts';
import { notEmpty } from '../fixtures/rows.ts';
import { type StartedSandbox, startSandbox, withSandbox } from '../fixtures/sandbox.ts';
import { seedAgain } from '../fixtures/seed-again.ts';

const sandbox = withSandbox();

const tables = [
  'resellers',
  'accounts',
  'account_permissions',
  'feature_flags',
  'feature_overrides',
  'customers',
  'customer_counts',
  'monthly_figures',
  'users',
  'mailboxes',
  'mail_addresses',
  'activity',
  'activity_users',
  'products',
  'service_instances',
  'user_services',
  'notifications',
  'announcements',
  'people',
  'identities',
  'quarantined_mails',
  'archive_requests',
  'policies',
  'policy_sections',
  'agreements',
  'distribution_groups',
  'group_members',
  'mail_contacts',
];

/** A fingerprint of each table; what is random on purpose (salts, secrets) is left out. */
async function fingerprint(db: Database): Promise<Record<string, string>> {
  const prints: Record<string, string> = {};
  for (const table of tables) {
    const { rows } = await sql<{ print: string }>`
      select md5(coalesce(string_agg(row::text, ',' order by row::text), '')) as print
      from (select to_jsonb(t) - 'password_hash' as row from ${sql.table(table)} t) rows`.execute(db);
    prints[table] = rows[0]!.print;
  }
  return prints;
}

test('the same moment gives the same data to the last row, and none look old or come from the future', async () => {
  const { value } = await sandbox.db
    .selectFrom('settings')
    .select('value')
    .where('name', '=', 'seeded')
    .executeTakeFirstOrThrow();
  const moment = new Date(value);
  const seededBefore = await fingerprint(sandbox.db);
  await seedAgain(sandbox.db, moment);
  const seededNow = await fingerprint(sandbox.db);
  const { rows } = await sql<{ cost: string }>`
    select distinct substring(password_hash from '^.*\\$.*=\\d+\\$') as cost from accounts where password_hash is not null`.execute(
    sandbox.db,
  );
  assert.deepEqual(rows, [{ cost: '$argon2id$v=19$m=19456,t=2,p=1$' }], 'the cost that OWASP recommends');
  assert.deepEqual(seededNow, seededBefore);
  for (const [table, column] of [
    ['activity', 'at'],
    ['customers', 'last_change'],
    ['notifications', 'created'],
  ] as const) {
    const { rows } = await sql<{
      latest: Date;
    }>`select max(${sql.ref(column)}) as latest from ${sql.table(table)}`.execute(sandbox.db);
    const age = moment.getTime() - rows[0]!.latest.getTime();
    assert.ok(age >= 0 && age < 86_400_000, table);
  }
});

test('a database that has data is left alone', async () => {
  const before = await fingerprint(sandbox.db);
  await seed(sandbox.db, 'large', new Date());
  assert.deepEqual(await fingerprint(sandbox.db), before);
});

/** What somebody does to the data before the next version comes. */
async function live({ db }: StartedSandbox): Promise<void> {
  await db
    .updateTable('customers')
    .set({ name: 'Contoso Europe', partner_id: 2 })
    .where('name', '=', 'Contoso')
    .execute();
  await db.updateTable('accounts').set({ enabled: false }).where('username', '=', 'engineer@northwind.test').execute();
  await db
    .updateTable('quarantined_mails')
    .set({ released: new Date(0) })
    .execute();
  await db.deleteFrom('customers').where('name', '=', 'Drayton Pharmacy').execute();
  await db.deleteFrom('users').where('email', '=', 'user@contoso.test').execute();
}

const newer = {
  parts: ['account ', 'identity ', 'reseller ', 'signatures ', 'user ', 'usage', 'policies', 'voice orders'],
  accounts: ['mfa@northwind.test', 'link@northwind.test', 'unsigned@millbrook.test', 'seller@millbrook.test'],
  users: ['switcher@contoso.test', 'buyer@zephyrcycles.test'],
  tables: ['identities', 'people', 'usage_subscriptions', 'policies', 'voice_orders'],
};

/** Makes the data that of a version that did not know some parts yet. */
async function forget({ db }: StartedSandbox): Promise<void> {
  await sql`truncate ${sql.join(newer.tables.map(table => sql.table(table)))} cascade`.execute(db);
  await db.deleteFrom('agreement_signatures').execute();
  await db.deleteFrom('accounts').where('username', 'in', newer.accounts).execute();
  await db.deleteFrom('resellers').where('id', '=', 1006).execute();
  await db.deleteFrom('users').where('email', 'in', newer.users).execute();
}

async function count(db: Database): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const further = ['agreement_signatures', 'usage_days', 'usage_meter_days', 'voice_orders', 'voice_sites'];
  for (const table of [...tables, ...further]) {
    const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(db);
    counts[table] = rows[0]!.n;
  }
  return counts;
}

const changed = (db: Database) =>
  db
    .selectFrom('customers')
    .innerJoin('accounts', join => join.onTrue())
    .select(['name', 'partner_id', 'username', 'accounts.enabled'])
    .where('organisation_id', '=', 10_001)
    .where('username', '=', 'engineer@northwind.test')
    .execute();

const records = (names: readonly string[]) => names.map(name => `seeded ${name}`);

/** A sandbox of a test's own, with all data in it. */
async function fresh(t: TestContext): Promise<StartedSandbox> {
  const own = await startSandbox();
  t.after(() => own.close());
  return own;
}

test('every part is recorded, and none is put in again', async t => {
  const sandbox = await fresh(t);
  const kept = await sandbox.db.selectFrom('settings').select('name').where('name', 'like', 'seeded %').execute();
  const names = parts.map(({ name }) => name);
  assert.deepEqual(kept.map(({ name }) => name).sort(), records(names).sort());
  assert.equal(new Set(names).size, names.length);
  await forget(sandbox);
  const before = await fingerprint(sandbox.db);
  await seed(sandbox.db, 'small', new Date());
  assert.deepEqual(await fingerprint(sandbox.db), before);
});

test('a part that is new is put in once and leaves what people changed', async t => {
  const sandbox = await fresh(t);
  await live(sandbox);
  const counts = await count(sandbox.db);
  await forget(sandbox);
  const lived = await fingerprint(sandbox.db);
  const isNew = (name: string) => newer.parts.some(start => name.startsWith(start));
  const names = parts.map(({ name }) => name).filter(isNew);
  await sandbox.db.deleteFrom('settings').where('name', 'in', records(names)).execute();
  const told: string[] = [];
  await seed(sandbox.db, 'small', new Date(), { tell: part => told.push(part) });
  assert.deepEqual(told, names);
  assert.deepEqual(await count(sandbox.db), counts);
  const grown = await fingerprint(sandbox.db);
  for (const table of ['activity', 'quarantined_mails', 'notifications']) {
    assert.equal(grown[table], lived[table], table);
  }
  assert.deepEqual(await changed(sandbox.db), [
    { name: 'Contoso Europe', partner_id: 2, username: 'engineer@northwind.test', enabled: false },
  ]);
  await seed(sandbox.db, 'small', new Date());
  assert.deepEqual(await fingerprint(sandbox.db), grown);
});

test('a folder of before parts were recorded gets what it lacks, and nothing that it has', async t => {
  const sandbox = await fresh(t);
  await live(sandbox);
  const forgetRecords = () => sandbox.db.deleteFrom('settings').where('name', 'like', 'seeded %').execute();
  await forgetRecords();
  const whole = await fingerprint(sandbox.db);
  const counts = await count(sandbox.db);
  await seed(sandbox.db, 'small', new Date());
  assert.deepEqual(await fingerprint(sandbox.db), whole);
  await forgetRecords();
  await forget(sandbox);
  await seed(sandbox.db, 'small', new Date());
  assert.deepEqual(await count(sandbox.db), counts);
  const switcher = await sandbox.signIn('switcher@contoso.test');
  const { body } = await sandbox.call(switcher, 'GET', '/api/permissions');
  assert.ok(body.Result.usersPermissions.views.includes('switchUser'));
  assert.ok(await sandbox.signIn('unsigned@millbrook.test'));
});

test('no seeded service has more users than were bought', async () => {
  const { rows } = await sql<{ customer: string; product: string; quantity: number; used: number }>`
    select c.name as customer, p.name as product, i.quantity, count(*)::int as used
    from service_instances i join user_services held on held.instance_id = i.id
    join customers c on c.id = i.customer_id
    join products p on p.service_id = i.service_id and p.sub_id = i.sub_id
    group by c.name, p.name, i.id, i.quantity`.execute(sandbox.db);
  notEmpty(rows);
  assert.deepEqual(
    rows.filter(({ quantity, used }) => used > quantity),
    [],
  );
});

test('Northwind has 40 customers, Southridge 12, Fairbank 2,000, Corrib 6, and services are in every status', async () => {
  const { rows } = await sql`select reseller_id, count(*) as n from customers group by 1 order by 1`.execute(
    sandbox.db,
  );
  assert.deepEqual(rows, [
    { reseller_id: 1001, n: 40 },
    { reseller_id: 1002, n: 12 },
    { reseller_id: 1007, n: 2000 },
    { reseller_id: 1008, n: 6 },
  ]);
  const statuses = await sandbox.db.selectFrom('service_instances').select('status').distinct().execute();
  assert.equal(statuses.length, 7);
  const { users } = await sandbox.db
    .selectFrom('users')
    .select(({ fn }) => fn.countAll<number>().as('users'))
    .executeTakeFirstOrThrow();
  assert.ok(users > 300);
});

test('some services change within the first five minutes, one of them failing', async () => {
  const soon = await sandbox.db
    .selectFrom('jobs')
    .where('due', '<', new Date(Date.now() + 301_000))
    .select('fails')
    .execute();
  assert.equal(soon.length, 5);
  assert.ok(soon.some(({ fails }) => fails !== null));
});

test('every flag that the specification names is there, on or off', async () => {
  const rows = await sandbox.db.selectFrom('feature_flags').selectAll().execute();
  assert.deepEqual(Object.fromEntries(rows.map(({ name, enabled }) => [name, enabled])), featureFlags);
  const { CrossSell, Analytics } = featureFlags;
  assert.deepEqual([CrossSell, Analytics], [true, false]);
});

test('all addresses are made up', async () => {
  const users = await sandbox.db.selectFrom('users').select('email').execute();
  const customers = await sandbox.db.selectFrom('customers').select('domain').execute();
  for (const { email } of notEmpty(users)) assert.match(email, /^[a-z.'@-]+\.test$/);
  for (const { domain } of notEmpty(customers)) assert.match(domain, /\.test$/);
});
