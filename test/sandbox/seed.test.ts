import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import type { Database } from '../../server/sandbox/database/connect.ts';
import { featureFlags } from '../../server/sandbox/seed/catalogue.ts';
import { seed } from '../../server/sandbox/seed/seed.ts';
import { type StartedSandbox, startSandbox } from '../fixtures/sandbox.ts';

let sandbox: StartedSandbox;
before(async () => {
  sandbox = await startSandbox();
});
after(() => sandbox.close());

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
  'mailbox_aliases',
  'activity',
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

async function empty(db: Database): Promise<void> {
  await sql`truncate settings, resellers, people, products, feature_flags, announcements, outbox, policies, agreements restart identity cascade`.execute(
    db,
  );
}

test('the same moment gives the same data to the last row', async () => {
  const moment = new Date('2027-03-04T05:06:07.000Z');
  const prints = [];
  for (const _ of [1, 2]) {
    await empty(sandbox.db);
    await seed(sandbox.db, 'small', moment);
    prints.push(await fingerprint(sandbox.db));
  }
  assert.deepEqual(prints[0], prints[1]);
});

test('a database that has data is left alone', async () => {
  const before = await fingerprint(sandbox.db);
  await seed(sandbox.db, 'large', new Date());
  assert.deepEqual(await fingerprint(sandbox.db), before);
});

test('the data never look old or come from the future', async () => {
  const moment = new Date();
  await empty(sandbox.db);
  await seed(sandbox.db, 'small', moment);
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

test('Northwind has 40 customers, Southridge 12, and services are in every status', async () => {
  const { rows } = await sql`select reseller_id, count(*) as n from customers group by 1 order by 1`.execute(
    sandbox.db,
  );
  assert.deepEqual(rows, [
    { reseller_id: 1001, n: 40 },
    { reseller_id: 1002, n: 12 },
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
    .selectFrom('service_instances')
    .where('due', '<', new Date(Date.now() + 301_000))
    .select('next_status')
    .execute();
  assert.equal(soon.length, 5);
  assert.ok(soon.some(row => row.next_status === 'ActivationFailed'));
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
  for (const { email } of users) assert.match(email, /^[a-z.'@-]+\.test$/);
  for (const { domain } of customers) assert.match(domain, /\.test$/);
});
