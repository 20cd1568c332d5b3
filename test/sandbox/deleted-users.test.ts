import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { createDeletedExpiry } from '../../server/sandbox/users/deleted.ts';
import { endedWithUser, keptLinks, keptTables } from '../../server/sandbox/users/kept-rows.ts';
import { notEmpty } from '../fixtures/rows.ts';
import { withSandbox, withTokens } from '../fixtures/sandbox.ts';

const sandbox = withSandbox();
const tokens = withTokens(sandbox, ['reseller@northwind.test', 'admin@contoso.test', 'rival@southridge.test']);
const at = '/api/customers/10001';
type Who = 'reseller' | 'admin' | 'rival';
const call = (method: string, path: string, body?: object, who: Who = 'reseller') =>
  sandbox.call(tokens[who]!, method, `${at}${path}`, body);
const get = async (path: string) => (await call('GET', path)).body.Result;
const refusal = ({ status, body }: Awaited<ReturnType<typeof call>>) => [status, body.Refusals?.[0]?.Code];
const restore = (userId: number, who: Who = 'reseller') =>
  call('POST', `/deleted-users/${userId}/restore`, undefined, who);
const create = async (email: string, more: object = {}): Promise<number> => {
  const person = { FirstName: 'Ida', LastName: 'Moor', Email: email, Type: 'endUser' };
  const { status, body } = await call('POST', '/users', { ...person, ...more });
  assert.equal(status, 201, JSON.stringify(body));
  return Number(body.Result.userId);
};

/** All rows about a user that come back, as JSON by table. */
async function rowsOf(userId: number): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const { table, user = [], account = [] } of keptTables) {
    const columns = [...user.map(one => [one, 'users']), ...account.map(one => [one, 'accounts'])] as const;
    for (const [column, of] of columns) {
      const ids = of === 'users' ? sql`${userId}` : sql`(select id from accounts where user_id = ${userId})`;
      const { rows } = await sql<{ row: object }>`
        select to_jsonb(t) - 'version' as row from ${sql.table(table!)} t where t.${sql.ref(column!)} in (${ids})
        order by to_jsonb(t)::text`.execute(sandbox.db);
      found[`${table}.${column}`] = rows.map(({ row }) => row);
    }
  }
  return found;
}

test('every table that refers to a user or an account is named: its rows come back, or end', async () => {
  const { rows } = await sql<{ name: string; column: string; action: string }>`
    select c.conrelid::regclass::text as name, a.attname as column, c.confdeltype as action
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any(c.conkey)
    where c.contype = 'f' and c.confrelid in ('users'::regclass, 'accounts'::regclass)`.execute(sandbox.db);
  const kept = new Set([
    ...keptTables.flatMap(({ table, user = [], account = [] }) => [...user, ...account].map(one => `${table}.${one}`)),
    ...keptLinks.map(({ table, column }) => `${table}.${column}`),
  ]);
  const unnamed = notEmpty(rows).filter(
    ({ name, column }) => !kept.has(`${name}.${column}`) && !endedWithUser.includes(name),
  );
  assert.deepEqual(unnamed, []);
});

test('a deleted user is gone at once, and restoring brings back all but the sign-ins', async () => {
  const theirs = await sandbox.signIn('user@contoso.test');
  const before = await rowsOf(20002);
  assert.ok(
    (before['user_services.user_id'] as object[]).length > 0 &&
      (before['account_roles.account_id'] as object[]).length > 0,
  );
  const services = await get('/services?user=20002&pageSize=100');
  const { Users, MonthlySpend } = await get('');
  const check = await get('/users/20002/can-delete');
  assert.deepEqual([check.Obstacle, check.Days], [null, 30]);

  assert.equal((await call('DELETE', '/users/20002')).status, 200);
  assert.equal((await sandbox.call(theirs, 'GET', '/api/users/login-user')).status, 401);
  await assert.rejects(sandbox.signIn('user@contoso.test'), /wrong/);
  assert.equal((await call('GET', '/users/20002')).status, 404);
  assert.deepEqual((await get('/users?search=Una%20Marsh')).Items, []);
  // The services go on costing, as was said.
  assert.deepEqual([(await get('')).Users, (await get('')).MonthlySpend], [Users - 1, MonthlySpend]);
  const [deleted] = (await get('/deleted-users?search=Una')).Items;
  assert.deepEqual(
    [deleted.UserId, deleted.DisplayName, deleted.DeletedBy, deleted.Services],
    ['20002', 'Una Marsh', 'Priya Raman', services.Items.length],
  );
  assert.equal(new Date(deleted.Until).getTime() - new Date(deleted.Deleted).getTime(), 30 * 86_400_000);
  assert.equal((await call('GET', '/deleted-users', undefined, 'rival')).status, 404);
  assert.equal((await restore(20002, 'rival')).status, 404);

  const { Obstacle, Findings } = await get('/deleted-users/20002/can-restore');
  assert.deepEqual(
    [Obstacle, Findings],
    [
      null,
      [
        { Code: 'ServicesBack', Count: services.Items.length, Detail: '' },
        { Code: 'MailboxBack', Count: 1, Detail: 'user@contoso.test' },
      ],
    ],
  );
  assert.equal((await restore(20002)).status, 200);
  const after = await rowsOf(20002);
  const latest = (await get('/activity')).Items[0];
  assert.deepEqual([latest.Action, latest.Target], ['User restored', 'Una Marsh']);
  // Of the activity there is one event more.
  const events = (rows: Record<string, unknown>) => (rows['activity_users.user_id'] as object[]).length;
  assert.equal(events(after), events(before) + 1);
  const apart = { 'activity_users.user_id': 0 };
  assert.deepEqual({ ...after, ...apart }, { ...before, ...apart });
  assert.deepEqual(await get('/services?user=20002&pageSize=100'), services);
  assert.equal((await get('')).Users, Users);
  assert.equal(typeof (await sandbox.signIn('user@contoso.test')), 'string');
  assert.equal((await sandbox.call(theirs, 'GET', '/api/users/login-user')).status, 401);
  assert.deepEqual(refusal(await restore(20002)), [409, 'RestoreOver']);
});

test('a service that was ordered for a user stays with the customer, and is theirs again once they are restored', async () => {
  const id = await create('ordered@contoso.test');
  const service = await sandbox.db
    .selectFrom('service_instances as i')
    .innerJoin('customers as c', 'c.id', 'i.customer_id')
    .select('i.id')
    .where('c.organisation_id', '=', 10001)
    .where('i.status', '=', 'Active')
    .where('i.user_id', 'is', null)
    .orderBy('i.id', 'desc')
    .executeTakeFirstOrThrow();
  await sandbox.db.updateTable('service_instances').set({ user_id: id }).where('id', '=', service.id).execute();
  const { MonthlySpend } = await get('');
  assert.deepEqual((await get(`/users/${id}/can-delete`)).Findings, [{ Code: 'ServicesKept', Count: 1, Detail: '' }]);
  await call('DELETE', `/users/${id}`);
  const holder = sandbox.db.selectFrom('service_instances').select('user_id').where('id', '=', service.id);
  assert.equal((await holder.executeTakeFirst())?.user_id, null);
  assert.equal((await get('')).MonthlySpend, MonthlySpend);
  assert.equal((await restore(id)).status, 200);
  assert.equal((await holder.executeTakeFirst())?.user_id, id);
  await sandbox.db.updateTable('service_instances').set({ user_id: null }).where('id', '=', service.id).execute();
});

test('restoring is refused where the address or the sign-in name has gone to somebody else, and said before', async () => {
  const first = await create('taken@contoso.test');
  await call('DELETE', `/users/${first}`);
  const second = await create('Taken@contoso.test');
  assert.equal((await get(`/deleted-users/${first}/can-restore`)).Obstacle, 'EmailTakenSince');
  assert.deepEqual(refusal(await restore(first)), [409, 'EmailTakenSince']);
  await sandbox.db.updateTable('users').set({ email: 'moved@contoso.test' }).where('id', '=', second).execute();
  assert.equal((await get(`/deleted-users/${first}/can-restore`)).Obstacle, 'SignInNameTakenSince');
  assert.deepEqual(refusal(await restore(first)), [409, 'SignInNameTakenSince']);
  await call('DELETE', `/users/${second}`);
  assert.equal((await restore(first)).status, 200);
});

test('nobody restores who holds more than they do, or an administrator without the right to make one', async () => {
  const id = await create('above@contoso.test', { Type: 'endUserAdmin' });
  await call('DELETE', `/users/${id}`);
  const rights = sandbox.db
    .updateTable('account_permissions as p')
    .from('accounts as a')
    .whereRef('a.id', '=', 'p.account_id')
    .where('a.username', '=', 'admin@contoso.test');
  const held = await sandbox.db
    .selectFrom('account_permissions as p')
    .innerJoin('accounts as a', 'a.id', 'p.account_id')
    .select(['p.views', 'p.permissions'])
    .where('a.username', '=', 'admin@contoso.test')
    .executeTakeFirstOrThrow();
  await rights.set({ permissions: ['createCustomerAdmin'], views: held.views.slice(1) }).execute();
  assert.deepEqual(refusal(await restore(id, 'admin')), [409, 'HoldsMore']);
  await rights.set({ permissions: [], views: ['customerUsers'] }).execute();
  assert.equal((await restore(id, 'admin')).status, 403);
  await rights.set(held).execute();
  assert.equal((await restore(id)).status, 200);
});

test('a role that is no more is not brought back, and rights are those that the roles give today', async () => {
  const id = await create('roles@contoso.test');
  const account = await sandbox.db
    .selectFrom('accounts')
    .select('id')
    .where('user_id', '=', id)
    .executeTakeFirstOrThrow();
  await call('DELETE', `/users/${id}`);
  const [row] = await sandbox.db.selectFrom('deleted_users').select('kept').where('user_id', '=', id).execute();
  const { rows, links } = row!.kept;
  const roles = rows.account_roles!.map(one => ({ ...one, role_id: 999_999 }));
  await sandbox.db
    .updateTable('deleted_users')
    // Kept by an older version, which had another column.
    .set({
      kept: JSON.stringify({ rows: { ...rows, account_roles: roles, users: [{ ...rows.users![0], gone: 1 }] }, links }),
    } as never)
    .where('user_id', '=', id)
    .execute();
  assert.equal((await restore(id)).status, 200);
  const held = sandbox.db.selectFrom('account_permissions').select(['views', 'permissions']);
  assert.deepEqual(await held.where('account_id', '=', account.id).executeTakeFirst(), { views: [], permissions: [] });
});

test('after thirty days a deleted user is gone for good', async () => {
  const id = await create('over@contoso.test');
  await call('DELETE', `/users/${id}`);
  await sandbox.db.updateTable('deleted_users').set({ until: new Date() }).where('user_id', '=', id).execute();
  assert.deepEqual(refusal(await restore(id)), [409, 'RestoreOver']);
  assert.equal((await get('/deleted-users?search=over@contoso.test')).Total, 1);
  await createDeletedExpiry({ db: sandbox.db, now: () => new Date() }).run();
  assert.equal((await get('/deleted-users?search=over@contoso.test')).Total, 0);
});
