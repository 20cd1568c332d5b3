import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { type Reply, withSandbox, withTokens } from '../fixtures/sandbox.ts';
import { setUp } from '../fixtures/set-up.ts';

let clock = new Date('2026-11-02T09:00:00Z');
const sandbox = withSandbox({
  seededAt: new Date('2026-11-02T09:00:00Z'),
  now: () => clock,
  tokenSeconds: 86_400,
  ipAccessExempt: ['Bookkeeper@northwind.test'],
});
const tokens = withTokens(sandbox, [
  'reseller@northwind.test',
  'engineer@northwind.test',
  'bookkeeper@northwind.test',
  'admin@contoso.test',
  'user@contoso.test',
  'rival@southridge.test',
]);
const office = '203.0.113.24';
const abroad = '192.0.2.88';

/** Calls from an address, as a portal does that hands it on. */
const from = (address: string, who: string, method: string, path: string, body?: unknown): Promise<Reply> =>
  sandbox.call(tokens[who]!, method, `/api/IpLockdown/${path}`, body, { 'x-forwarded-for': address });
const post = (path: string, body: unknown = {}, address = office) => from(address, 'reseller', 'POST', path, body);
const get = async (path: string, address = office) => {
  const { status, body } = await from(address, 'reseller', 'GET', path);
  assert.equal(status, 200, JSON.stringify(body));
  return body.Result;
};
const refusal = ({ status, body }: Reply) => [status, body.Refusals?.[0]?.Code ?? body.Error];
const statusOf = async (who: string, address: string): Promise<number> =>
  (await sandbox.call(tokens[who]!, 'GET', '/api/users/login-user', undefined, { 'x-forwarded-for': address })).status;

const addRule = (Address: string, more: object = {}) =>
  post('rules', { Address, Does: 'Allow', Note: '', Hours: '0', ...more });
const change = async (On: boolean, more: object = {}) =>
  from(office, 'reseller', 'PUT', 'draft', { On, Elsewhere: 'Refuse', Admins: false, ...more });
const save = async (address = office, Confirmed = false) => {
  const { Version } = await get('GetIpAccessSettings/draft', address);
  return post(`SaveIpLockdownSetting/${Version}`, { Confirmed }, address);
};
/** Each test begins without rules. */
const clear = async () => {
  clock = new Date('2026-11-02T09:00:00Z');
  await sql`delete from ip_access`.execute(sandbox.db);
  await sql`delete from ip_access_sets`.execute(sandbox.db);
};
const lockIn = async (address = '203.0.113.0/24') => {
  await addRule(address);
  await change(true);
  assert.deepEqual((await save()).status, 200);
};
setUp(clear);

test('rules are changed without effect, say who would be out, and hold once they are saved', async () => {
  await clear();
  assert.equal((await addRule('203.0.113.7/24', { Note: 'Bristol office' })).status, 200);
  await change(true);
  assert.equal(await statusOf('engineer', abroad), 200);
  const { Items, Out, People } = await get('who/draft/30');
  assert.ok(People >= 4 && Out >= 2);
  const names = Items.map(({ UserName, Address }: { UserName: string; Address: string }) => `${UserName} ${Address}`);
  assert.ok(names.includes('mfa@northwind.test 192.0.2.88'));
  assert.ok(names.includes('reseller@northwind.test 198.51.100.7'));
  assert.ok(!names.some((name: string) => name.startsWith('bookkeeper')));
  const draft = await get('GetIpAccessSettings/draft');
  assert.deepEqual(
    [draft.On, draft.IsChanged, draft.Fits, draft.IsIn, draft.Address],
    [true, true, '203.0.113.0/24', true, office],
  );
  assert.deepEqual((await save()).body.Result, { TrialUntil: null });
  assert.deepEqual(
    [
      await statusOf('engineer', office),
      await statusOf('engineer', abroad),
      await statusOf('engineer', `::ffff:${office}`),
    ],
    [200, 403, 200],
  );
  const [event] = (
    await sql<{ action: string; before: string; after: string }>`
      select action, before, after from activity where target = 'IP access' order by id desc limit 1`.execute(
      sandbox.db,
    )
  ).rows;
  assert.deepEqual(event, {
    action: 'IP access changed',
    before: 'IP access: Off',
    after: 'IP access: On; Rule 1: Allow 203.0.113.0/24 Bristol office',
  });
});

test('they hold for the people of their reseller, for administrators of customers where they say so, and for nobody else', async () => {
  await clear();
  await lockIn();
  assert.deepEqual(refusal(await from(abroad, 'engineer', 'GET', 'rules')), [403, 'AddressNotAllowed']);
  for (const who of ['admin', 'user', 'rival', 'bookkeeper']) assert.equal(await statusOf(who, abroad), 200, who);
  await change(true, { Admins: true });
  assert.equal((await save()).status, 200);
  assert.deepEqual([await statusOf('admin', abroad), await statusOf('user', abroad)], [403, 200]);
});

test('what is no address is refused at its field, and rules that never decide are told', async () => {
  await clear();
  for (const wrong of ['999.1.1.1', '203.0.113.0/40', 'example.com', '203.0.113.9-203.0.113.1'])
    assert.deepEqual(refusal(await addRule(wrong)), [400, 'AddressMalformed'], wrong);
  assert.equal((await post('validateInputRule', { Address: '::ffff:1.2.3.4' })).body.Result.Name, '1.2.3.4');
  await addRule('203.0.113.0/24');
  await addRule('203.0.113.9', { Does: 'Refuse' });
  const reached = async () =>
    (await get('rules')).Items.map((one: { Name: string; IsReached: boolean }) => `${one.Name} ${one.IsReached}`);
  assert.deepEqual(await reached(), ['203.0.113.0/24 true', '203.0.113.9 false']);
  await post('rules/2/up');
  assert.deepEqual(await reached(), ['203.0.113.9 true', '203.0.113.0/24 true']);
  await from(office, 'reseller', 'DELETE', 'rules/2');
  assert.deepEqual(await reached(), ['203.0.113.0/24 true']);
  await post('draft/discard');
  assert.deepEqual([await reached(), (await get('GetIpAccessSettings/draft')).IsChanged], [[], false]);
});

test('rules that shut out their author must be said to, and come back by themselves unless they are kept from inside', async () => {
  await clear();
  await addRule('198.51.100.0/24');
  await change(true);
  assert.deepEqual(refusal(await save()), [409, 'AuthorShutOut']);
  assert.equal((await save(office, true)).body.Result.TrialUntil, '2026-11-02T09:10:00.000Z');
  assert.deepEqual([await statusOf('reseller', office), await statusOf('engineer', office)], [200, 403]);
  assert.deepEqual(refusal(await post('keep')), [409, 'AddressOutside']);
  assert.deepEqual(refusal(await post('pause', { Hours: '1' })), [409, 'RulesOnTrial']);
  clock = new Date('2026-11-02T09:09:59Z');
  await sandbox.tickOnce();
  assert.equal(await statusOf('engineer', office), 403);
  clock = new Date('2026-11-02T09:10:00Z');
  await sandbox.tickOnce();
  assert.equal(await statusOf('engineer', office), 200);
  assert.deepEqual(refusal(await post('keep')), [409, 'TrialOver']);

  await addRule('198.51.100.0/24');
  await change(true);
  await save(office, true);
  assert.equal((await post('keep', {}, '198.51.100.7')).status, 200);
  clock = new Date('2026-11-02T12:00:00Z');
  await sandbox.tickOnce();
  assert.deepEqual([await statusOf('reseller', office), await statusOf('reseller', '198.51.100.7')], [403, 200]);
});

test('a temporary rule ends by itself, and a pause lets everybody in until it is over', async () => {
  await clear();
  await lockIn();
  await addRule(abroad, { Hours: '1' });
  assert.equal((await save()).status, 200);
  assert.equal(await statusOf('engineer', abroad), 200);
  clock = new Date('2026-11-02T10:00:00Z');
  assert.equal(await statusOf('engineer', abroad), 403);
  assert.equal((await post('pause', { Hours: '8' })).status, 200);
  assert.equal(await statusOf('engineer', abroad), 200);
  assert.deepEqual(refusal(await post('pause', { Hours: '1' })), [409, 'RulesNotInForce']);
  assert.deepEqual(refusal(await post('resume', {}, abroad)), [409, 'AuthorShutOut']);
  clock = new Date('2026-11-02T18:00:00Z');
  await sandbox.tickOnce();
  assert.equal(await statusOf('engineer', abroad), 403);
});

test('what was saved is undone, and the undoing too; never so that it shuts out whoever undoes', async () => {
  await clear();
  assert.deepEqual(refusal(await post('undo')), [409, 'RulesBeforeMissing']);
  await lockIn();
  assert.equal((await post('undo')).status, 200);
  assert.equal(await statusOf('engineer', abroad), 200);
  assert.deepEqual(refusal(await post('undo', {}, abroad)), [409, 'AuthorShutOut']);
  assert.equal((await post('undo')).status, 200);
  assert.equal(await statusOf('engineer', abroad), 403);
});

test('who saves what others have changed meanwhile is told, and so is who changes nothing', async () => {
  await clear();
  const { Version } = await get('GetIpAccessSettings/draft');
  assert.deepEqual(refusal(await post(`SaveIpLockdownSetting/${Version}`, { Confirmed: false })), [
    409,
    'RulesUnchanged',
  ]);
  await addRule('203.0.113.0/24');
  assert.deepEqual(refusal(await post(`SaveIpLockdownSetting/${Version}`, { Confirmed: false })), [
    409,
    'RulesChanged',
  ]);
});
