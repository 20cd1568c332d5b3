import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { insertLargeReseller } from '../../server/sandbox/seed/large.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { setUp } from '../fixtures/set-up.ts';

const sandbox = withSandbox();
setUp(async () => {
  await sandbox.db.transaction().execute(trx => insertLargeReseller(trx, new Date(), 'no password', 1000));
  await sql`analyze`.execute(sandbox.db);
});

test('the large reseller has as many customers as asked for, of different names', async () => {
  const { rows } = await sql`
    select count(*) as customers, count(distinct name) as names, count(distinct organisation_id) as organisations
    from customers where reseller_id = 1003`.execute(sandbox.db);
  assert.deepEqual(rows, [{ customers: 1000, names: 1000, organisations: 1000 }]);
});

test('what the customers’ rows say is what their services and users add up to', async () => {
  const { rows } = await sql`
    select count(*) as wrong
    from customers c
    join (select customer_id, count(*) as services, sum(monthly_charge) as spend, min(status) filter
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
  assert.deepEqual(rows, [{ customers: 1000, users: 2500 }]);
});

test('every service that changes has its job, which has but its last phase to do', async () => {
  const { rows } = await sql`
    select i.status, count(*) as services, count(j.id) as jobs, min(cardinality(j.done)) as done
    from service_instances i left join jobs j on j.instance_id = i.id and j.state = 'running'
    where i.reseller_id = 1003 and i.status in ('Activating', 'Deleting') group by 1 order by 1`.execute(sandbox.db);
  assert.deepEqual(rows, [
    { status: 'Activating', services: 10, jobs: 10, done: 3 },
    { status: 'Deleting', services: 4, jobs: 4, done: 2 },
  ]);
});

test('they end one after the other: the first within half a day, the last within a week', async () => {
  const { rows } = await sql`
    select min(j.due) <= now() + interval '12 hours' as soon, max(j.due) <= now() + interval '7 days' as later,
      count(distinct j.due) as moments
    from jobs j join service_instances i on i.id = j.instance_id where i.reseller_id = 1003`.execute(sandbox.db);
  assert.deepEqual(rows, [{ soon: true, later: true, moments: 14 }]);
});

test('what changes there ends as its job says, and its customer’s row with it', async () => {
  const first = () =>
    sql<{ id: number; kind: string }>`
      select j.instance_id as id, j.kind from jobs j join service_instances i on i.id = j.instance_id
      where j.state = 'running' and i.reseller_id = 1003 and j.kind = 'activate' order by j.due limit 1`.execute(
      sandbox.db,
    );
  const [job] = (await first()).rows;
  assert.ok(job);
  await sql`update jobs set due = now() - interval '1 minute' where instance_id = ${job.id}`.execute(sandbox.db);
  await sandbox.tickOnce();
  const { rows } = await sql`
    select i.status, c.status as customer from service_instances i join customers c on c.id = i.customer_id
    where i.id = ${job.id}`.execute(sandbox.db);
  assert.deepEqual(rows, [{ status: 'Active', customer: 'Active' }]);
});
