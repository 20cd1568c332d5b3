import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { limitAccount } from '../fixtures/limit-account.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { setUp } from '../fixtures/set-up.ts';

const sandbox = withSandbox();
const limitedName = 'engineer@northwind.test';
let limited: string;
let all: string;
setUp(async () => {
  await limitAccount(sandbox.db, limitedName, [10001, 10002, 10003, 10004, 10005]);
  limited = await sandbox.signIn(limitedName);
  all = await sandbox.signIn('reseller@northwind.test');
});

/** Compares what is kept for limited accounts with what the customers themselves say. */
async function assertKept(after: string): Promise<void> {
  const { rows } = await sql<object>`
    select k.customer_id from account_customers k join customers c on c.id = k.customer_id
    where (k.organisation_id, k.name, k.status, k.status_group, k.services, k.users, k.monthly_spend, k.last_change,
        k.suspended, k.partner_id)
      is distinct from (c.organisation_id, c.name, c.status, c.status_group, c.services, c.users, c.monthly_spend,
        c.last_change, c.suspended, c.partner_id)`.execute(sandbox.db);
  assert.deepEqual(rows, [], after);
  const { rows: sums } = await sql<object>`
    select account_id, status_group, customers::int, users::int, monthly_spend from account_customer_counts
    where customers <> 0 or users <> 0 or monthly_spend <> 0
    except
    select k.account_id, c.status_group, count(*)::int, sum(c.users)::int, sum(c.monthly_spend)
    from account_customers k join customers c on c.id = k.customer_id group by k.account_id, c.status_group`.execute(
    sandbox.db,
  );
  assert.deepEqual(sums, [], after);
}

const changes: Readonly<Record<string, () => Promise<unknown>>> = {
  'a name': () => sql`update customers set name = 'Zzz Renamed' where organisation_id = 10002`.execute(sandbox.db),
  'states that change both ways at once': () =>
    sql`update customers set status = case when organisation_id % 2 = 0 then 'Suspended' else 'DeletionFailed' end
      where organisation_id in (10001, 10002, 10003)`.execute(sandbox.db),
  'figures of all customers': () =>
    sql`update customers set monthly_spend = monthly_spend + organisation_id % 7, users = users + 1,
      last_change = last_change + interval '1 day'`.execute(sandbox.db),
  'a limit that changes': () => limitAccount(sandbox.db, limitedName, [10003, 10004, 10005, 10006, 10007]),
  'a word': () =>
    sql`update accounts set limit_word = 'contoso' where username = ${limitedName}`
      .execute(sandbox.db)
      .then(() =>
        sql`update customers set name = name || ' Contoso' where organisation_id = 10009`.execute(sandbox.db),
      ),
  'a customer that goes': () => sql`delete from customers where organisation_id = 10007`.execute(sandbox.db),
};

test('what a limited account’s list is found and added up by follows its customers', async () => {
  for (const [what, change] of Object.entries(changes)) {
    await change();
    await assertKept(what);
  }
});

test('every order of the list is that of the whole list, without the others', async () => {
  const seen = new Set<string>();
  for (const sort of ['Name', 'Status', 'Services', 'Users', 'MonthlySpend', 'LastChange'])
    for (const order of [sort, `-${sort}`]) {
      const read = async (token: string) =>
        (await sandbox.call(token, 'GET', `/api/customers?page=1&pageSize=100&sort=${order}`)).body.Result;
      const [whole, part] = [await read(all), await read(limited)];
      const ids = new Set(part.Items.map((row: { CustomerId: string }) => row.CustomerId));
      assert.ok(ids.size > 3, order);
      const expected = whole.Items.filter((row: { CustomerId: string }) => ids.has(row.CustomerId));
      assert.deepEqual(part.Items, expected, order);
      const total = expected.reduce((sum: number, row: { MonthlySpend: unknown }) => sum + Number(row.MonthlySpend), 0);
      assert.deepEqual([part.Total, Number(part.MonthlySpend).toFixed(2)], [ids.size, total.toFixed(2)], order);
      for (const id of ids) seen.add(String(id));
    }
  assert.ok(seen.size > 3);
});

test('an account that goes takes what was kept for it along', async () => {
  const { id } = await sandbox.db
    .selectFrom('accounts')
    .select('id')
    .where('username', '=', limitedName)
    .executeTakeFirstOrThrow();
  await sql`delete from accounts where id = ${id}`.execute(sandbox.db);
  const { rows } = await sql<object>`select from account_customer_counts where account_id = ${id}`.execute(sandbox.db);
  assert.deepEqual(rows, []);
});
