import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { type Client, withClient, withPortal } from '../fixtures/portal.ts';
import { withSandbox } from '../fixtures/sandbox.ts';

const sandbox = withSandbox();
const portal = withPortal(sandbox);
const reseller = withClient(portal, 'reseller@northwind.test');

type Option = { readonly id: string; readonly name: string };
type Row = Option & {
  readonly price?: number | null;
  readonly selectedOption: Option | null;
  readonly ignored: boolean;
  readonly suggestion: Option | null;
};
type Settings = { readonly enabled: boolean; readonly ignoreSalesOrders?: boolean };
type Integration = { readonly name: string; readonly state: string };
type Kind = 'customers' | 'services';
const sources = { customers: 'psa.customerMatches', services: 'psa.serviceMatches' } as const;

async function read(who: Client, kind: Kind): Promise<{ response: Row[]; version: number }> {
  const { body, text } = await who.get(`/ui/data/${sources[kind]}`);
  assert.ok(body.Result, text);
  return body.Result as never;
}

const save = (who: Client, kind: string, version: unknown, Changes: unknown) =>
  who.press('psa-match', kind, 'command:psa.match', {
    with: { kind, version: version as number },
    body: { Changes: typeof Changes === 'string' ? Changes : JSON.stringify(Changes) },
  });

test('what was changed is saved together and read again', async () => {
  for (const kind of ['customers', 'services'] as const) {
    const { response, version } = await read(reseller, kind);
    const [one, other] = response.filter(row => row.suggestion);
    assert.ok(one?.suggestion && other);
    const answer = await save(reseller, kind, version, [
      [one.id, one.suggestion.id, false],
      [other.id, null, true],
    ]);
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(answer.body.effects, [{ do: 'refresh-operations', operations: [sources[kind], 'psa.overview'] }]);
    const { response: now } = await read(reseller, kind);
    assert.equal(now.find(({ id }) => id === one.id)?.selectedOption?.id, one.suggestion.id);
    assert.equal(now.find(({ id }) => id === other.id)?.ignored, true);
  }
});

test('over what somebody else has changed nothing is saved, and the list is read again', async () => {
  const { response, version } = await read(reseller, 'customers');
  const [one, other] = response.filter(row => row.suggestion);
  assert.ok(one && other);
  assert.equal((await save(reseller, 'customers', version, [[one.id, null, true]])).status, 200);
  const answer = await save(reseller, 'customers', version, [[other.id, null, true]]);
  assert.equal(answer.status, 409, answer.text);
  assert.equal(answer.body.Resources?.code, 'RECORD_CHANGED');
  assert.deepEqual(answer.body.effects, [
    { do: 'refresh-operations', operations: ['psa.customerMatches', 'psa.overview'] },
  ]);
});

test('what is no list of changes is refused, and what is wrong with one is said by the cloud', async () => {
  const { response, version } = await read(reseller, 'customers');
  for (const [kind, over, changes] of [
    ['customers', version, 'nonsense'],
    ['customers', version, '{}'],
    ['customers', version, []],
    ['customers', version, [['10001', 1, false]]],
    ['customers', version, [['10001', null]]],
    ['customers', 'x', [['10001', null, true]]],
  ] as const)
    assert.equal((await save(reseller, kind, over, changes)).status, 400, JSON.stringify(changes));
  const taken = response.find(row => row.selectedOption)?.selectedOption?.id;
  const free = response.find(row => !row.selectedOption);
  const answer = await save(reseller, 'customers', version, [[free?.id, taken, false]]);
  assert.equal(answer.status, 422, answer.text);
  assert.match(answer.text, /This is matched with another customer\./);
});

const calls = ['psa.overview', 'psa.customerMatches', 'psa.customers', 'psa.serviceMatches', 'psa.services'];

test('who does not see business systems gets nothing of them: no screen, no read, no write', async () => {
  const sentTo = {
    'engineer@northwind.test': '/access-denied?from=',
    'admin@contoso.test': '/customers/customer/10001',
    'user@contoso.test': '/end-user',
  };
  for (const [name, to] of Object.entries(sentTo)) {
    const who = await portal.signIn(name);
    for (const call of calls) assert.equal((await who.get(`/ui/data/${call}`)).status, 403, `${name} ${call}`);
    for (const path of ['/billing/psa/overview', '/billing/psa/match'])
      assert.equal(
        (await who.get(`/ui/screen?path=${path}`)).body.redirect,
        to.endsWith('=') ? to + encodeURIComponent(path) : to,
        `${name} ${path}`,
      );
    const press = {
      node: 'customers',
      layout: 'none',
      with: { kind: 'customers', version: 0 },
      body: { Changes: '[]' },
    };
    assert.equal((await who.post('/ui/command/psa.match', press)).status, 403, name);
    assert.doesNotMatch((await who.get('/ui/boot')).text, /psa/i);
  }
});

test('who sees business systems but no prices gets none: not on the page, and not in the bytes', async () => {
  await sql`
    update account_permissions set views = array_append(views, 'pSA')
    where account_id = (select id from accounts where username = 'engineer@northwind.test')`.execute(sandbox.db);
  const engineer = await portal.signIn('engineer@northwind.test');
  const { text } = await engineer.get('/ui/data/psa.serviceMatches');
  assert.match(text, /"selectedOption"/);
  assert.doesNotMatch(text, /price/i);
  assert.doesNotMatch((await engineer.get('/ui/screen?path=/billing/psa/match?tab=services')).text, /price/i);
  assert.match((await reseller.get('/ui/data/psa.serviceMatches')).text, /"price":"\d/);
  const options = (await reseller.get('/ui/data/psa.services')).text;
  assert.doesNotMatch(options, /price/i, 'nothing shows the prices of the business system');
});

test('without UseNewPSAService the monolith is asked, and nothing can be refreshed', async () => {
  const rival = await portal.signIn('rival@southridge.test');
  const { response, version } = await read(rival, 'customers');
  assert.equal(response.length, 12);
  const open = response.find(row => row.suggestion);
  assert.ok(open?.suggestion);
  assert.equal((await save(rival, 'customers', version, [[open.id, open.suggestion.id, false]])).status, 200);
  assert.equal((await rival.get('/ui/data/psa.overview')).status, 200);
  const press = (who: Client) => who.press('psa-overview', 'refresh', 'call:psa.refresh');
  assert.equal((await press(rival)).status, 403);
  assert.equal((await press(reseller)).status, 200);
});

test('without PSAScreenOverview there is no overview, and matching goes on', async () => {
  const set = (enabled: boolean) =>
    sandbox.db.updateTable('feature_flags').set({ enabled }).where('name', '=', 'PSAScreenOverview').execute();
  await set(false);
  const who = await portal.signIn('reseller@northwind.test');
  assert.equal(
    (await who.get('/ui/screen?path=/billing/psa/overview')).body.redirect,
    '/access-denied?from=%2Fbilling%2Fpsa%2Foverview',
  );
  assert.ok((await who.get('/ui/screen?path=/billing/psa/match')).body.hash);
  await set(true);
});

test('the business system is switched off and on again, at the new service and at the monolith', async () => {
  for (const [name, system] of [
    ['reseller@northwind.test', 'ConnectWise'],
    ['rival@southridge.test', 'Autotask'],
  ]) {
    const who = await portal.signIn(String(name));
    const data = async (operation: string) =>
      ((await who.get(`/ui/data/${operation}`)).body.Result as { response: Settings & Integration[] }).response;
    const set = (enabled: boolean) =>
      who.press('psa-settings', 'settings', 'call:psa.saveSettings', { body: { enabled } });
    const own = (await data('psa.integrations')).find(one => one.name === system);
    assert.equal(own?.state, 'completed', name);
    assert.equal((await data('psa.settings')).enabled, true);
    const answer = await set(false);
    assert.equal(answer.status, 200, answer.text);
    assert.equal((await data('psa.overview')).enabled, false);
    const refused = await who.get('/ui/data/psa.customerMatches');
    assert.deepEqual([refused.status, refused.body.Messages], [409, ['The business system is switched off.']]);
    assert.equal((await set(true)).status, 200);
    assert.equal((await who.get('/ui/data/psa.customerMatches')).status, 200);
  }
  const admin = await portal.signIn('admin@contoso.test');
  for (const read of ['psa.settings', 'psa.integrations'])
    assert.equal((await admin.get(`/ui/data/${read}`)).status, 403);
});

test('sales orders are ignored and taken into account again, at the new service and at the monolith', async () => {
  for (const name of ['reseller@northwind.test', 'rival@southridge.test']) {
    const who = await portal.signIn(name);
    const isIgnored = async (): Promise<unknown> => {
      const { response } = (await who.get('/ui/data/psa.settings')).body.Result as { response: Settings };
      return response.ignoreSalesOrders;
    };
    const set = (ignore: unknown) =>
      who.press('psa-settings', 'settings', 'call:psa.ignoreSalesOrders', { body: { ignore } });
    assert.equal(await isIgnored(), false, name);
    for (const ignore of [true, false]) {
      const answer = await set(ignore);
      assert.equal(answer.status, 200, answer.text);
      assert.deepEqual(answer.body.effects, [{ do: 'refresh-operations', operations: ['psa.settings'] }]);
      assert.equal(await isIgnored(), ignore, name);
    }
    assert.equal((await set('perhaps')).status, 422);
  }
  const records = await portal.store.run(db =>
    db.selectFrom('audit').selectAll().where('action', '=', 'psa.sales-orders').execute(),
  );
  assert.ok(records.length >= 4, JSON.stringify(records));
  const admin = await portal.signIn('admin@contoso.test');
  const press = { node: 'settings', layout: 'none', body: { ignore: true } };
  assert.equal((await admin.post('/ui/call/psa.ignoreSalesOrders', press)).status, 403);
});

test('a business system has a page of its own by its name, connected or not, and another name is told those that there are', async () => {
  for (const [name, own, other] of [
    ['reseller@northwind.test', 'connectwise', 'autotask'],
    ['rival@southridge.test', 'Autotask', 'ConnectWise'],
  ] as const) {
    const who = await portal.signIn(name);
    const connected = await who.get(`/ui/screen?path=/billing/psa/${own}`);
    assert.deepEqual(connected.body.data.system.Result, {
      Name: own.toLowerCase() === 'autotask' ? 'Autotask' : 'ConnectWise',
      State: 'completed',
      Enabled: true,
      Connected: true,
    });
    const { Result } = (await who.get(`/ui/screen?path=/billing/psa/${other}`)).body.data.system;
    assert.deepEqual([Result.State, Result.Enabled, Result.Connected], ['unknown', false, false]);
    const none = (await who.get('/ui/screen?path=/billing/psa/nothing')).body.data.system.Result;
    assert.deepEqual([none.Name, none.Known.split(', ').includes('ConnectWise')], [undefined, true]);
    for (const path of ['overview', 'match', 'report'])
      assert.equal((await who.get(`/billing/psa/${path}`, { accept: 'text/html' })).status, 200, path);
  }
  const admin = await portal.signIn('admin@contoso.test');
  assert.equal(
    (await admin.get('/ui/screen?path=/billing/psa/connectwise')).body.redirect,
    '/customers/customer/10001',
  );
  assert.equal((await admin.get('/ui/data/psa.system?service=connectwise')).status, 403);
});

test('the overview names the services that are not matched, and those alone', async () => {
  const { response } = (await reseller.get('/ui/data/psa.overview')).body.Result as {
    response: { services: { unmatched: number }; unmatchedServices: Option[] };
  };
  const open = (await read(reseller, 'services')).response.filter(row => !row.selectedOption && !row.ignored);
  assert.ok(open.length > 0);
  assert.equal(response.services.unmatched, open.length);
  assert.deepEqual(
    response.unmatchedServices,
    open.map(({ id, name }) => ({ id, name })),
  );
});

test('the first copy is asked for with the trigger Setup, which is offered until there is one', async () => {
  await sandbox.db.updateTable('feature_flags').set({ enabled: true }).where('name', '=', 'PSADataCaching').execute();
  await sandbox.db
    .updateTable('psa_syncs')
    .set({ status: 'NotSynchronized', type: 'Manual', completed: null })
    .where('reseller_id', '=', 1001)
    .execute();
  const who = await portal.signIn('reseller@northwind.test');
  const setUp = (triggerType: string) =>
    who.press('psa-overview', 'set-up-copy', 'call:psa.setUpCopy', { body: { triggerType } });
  assert.equal((await setUp('Setup')).status, 200);
  const syncs = await sandbox.db.selectFrom('psa_syncs').selectAll().where('reseller_id', '=', 1001).execute();
  assert.deepEqual(
    syncs.map(({ status, type }) => `${status} ${type}`),
    ['New Setup', 'New Setup', 'New Setup'],
  );
  assert.equal((await setUp('Manual')).status, 403, 'what the layout does not send');
  const rival = await portal.signIn('rival@southridge.test');
  assert.equal((await rival.press('psa-overview', 'set-up-copy', 'call:psa.setUpCopy')).status, 403);
});
