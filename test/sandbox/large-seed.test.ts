import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { insertLargeReseller } from '../../server/sandbox/seed/large.ts';
import { type StartedSandbox, startSandbox } from '../fixtures/sandbox.ts';

let sandbox: StartedSandbox;
before(async () => {
  sandbox = await startSandbox();
  await sandbox.db.transaction().execute(trx => insertLargeReseller(trx, new Date(), 'no password', 12_000));
  await sql`analyze`.execute(sandbox.db);
});
after(() => sandbox.close());

test('the large reseller has as many customers as asked for, of different names', async () => {
  const { rows } = await sql`
    select count(*) as customers, count(distinct name) as names, count(distinct organisation_id) as organisations
    from customers where reseller_id = 1003`.execute(sandbox.db);
  assert.deepEqual(rows, [{ customers: 12_000, names: 12_000, organisations: 12_000 }]);
});

test('what the customers’ rows say is what their services and users add up to', async () => {
  const { rows } = await sql`
    select count(*) as wrong
    from customers c
    join (select customer_id, count(*) as services, sum(quantity * monthly_price) as spend, min(status) filter
        (where status <> 'Active') as restless from service_instances where reseller_id = 1003 group by 1) held
      on held.customer_id = c.id
    join (select customer_id, count(*) as users from users group by 1) people on people.customer_id = c.id
    where c.reseller_id = 1003 and (c.services <> held.services or c.users <> people.users
      or c.monthly_spend <> held.spend
      or c.status <> case when c.suspended then 'Suspended' else coalesce(held.restless, 'Active') end)`.execute(
    sandbox.db,
  );
  assert.deepEqual(rows, [{ wrong: 0 }]);
});

test('the counters know of all of them', async () => {
  const { rows } = await sql`
    select sum(k.customers) as customers, sum(k.users) as users from customer_counts k where reseller_id = 1003`.execute(
    sandbox.db,
  );
  assert.deepEqual(rows, [{ customers: 12_000, users: 30_000 }]);
});
