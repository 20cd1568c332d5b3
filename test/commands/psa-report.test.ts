import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { sql } from 'kysely';
import { type Client, withClient, withPortal } from '../fixtures/portal.ts';
import { notEmpty } from '../fixtures/rows.ts';
import { withSandbox } from '../fixtures/sandbox.ts';

const sandbox = withSandbox();
const portal = withPortal(sandbox);
const reseller = withClient(portal, 'reseller@northwind.test');

const screen = '/billing/psa/report';
const reads = [
  'psa.movementMonths',
  'psa.movement',
  'psa.reconciliation',
  'psa.contracts',
  'psa.charges',
  'psa.chargeMonths',
];
const writes = [
  ['select-movement', 'call:psa.selectMovement'],
  ['select-reconciliation', 'call:psa.selectReconciliation'],
  ['refresh-movement', 'call:psa.refreshMovement'],
  ['refresh-reconciliation', 'call:psa.refreshReconciliation'],
  ['refresh-contracts', 'call:psa.refreshContracts'],
  ['select-charge', 'call:psa.selectCharge'],
  ['refresh-charges', 'call:psa.refreshCharges'],
] as const;

type Row = { id: string; selected: boolean; cmCustomer: { name: string } };
async function rowsOf(who: Client, query: string): Promise<Row[]> {
  const { body, text } = await who.get(`/ui/data/${query}`);
  const { response } = (body.Result ?? assert.fail(text)) as { response: { results: Row[] } };
  return response.results;
}

/** A month that something moved in. */
async function movedMonth(who: Client): Promise<string> {
  const { response } = (await who.get('/ui/data/psa.movementMonths')).body.Result as { response: { id: string }[] };
  for (const { id } of response) if ((await rowsOf(who, `psa.movement?date=${id}`)).length > 0) return id;
  return assert.fail('nothing ever moved');
}

const select = (who: Client, kind: 'movement' | 'reconciliation', Id: string, Selected = 'yes') =>
  who.press('psa-report', `select-${kind}`, `call:psa.select${kind === 'movement' ? 'Movement' : 'Reconciliation'}`, {
    body: { Id, Selected },
  });

test('a row of either report is selected, at the new service and at the monolith', async () => {
  for (const name of ['reseller@northwind.test', 'rival@southridge.test']) {
    const who = await portal.signIn(name);
    const movement = `psa.movement?date=${await movedMonth(who)}`;
    for (const [kind, query] of [
      ['movement', movement],
      ['reconciliation', 'psa.reconciliation'],
    ] as const) {
      const [row] = await rowsOf(who, query);
      assert.ok(row, `${name} ${kind}`);
      const answer = await select(who, kind, row.id);
      assert.equal(answer.status, 200, answer.text);
      assert.equal((await rowsOf(who, query)).find(({ id }) => id === row.id)?.selected, true);
    }
  }
});

test('without a month chosen the latest is read', async () => {
  const { response } = (await reseller.get('/ui/data/psa.movement')).body.Result as { response: { results: Row[] } };
  assert.ok(Array.isArray(response.results));
  assert.doesNotMatch((await reseller.get(`/ui/screen?path=${screen}`)).text, /"needs"/);
});

test('only the new service computes a report again', async () => {
  const rival = await portal.signIn('rival@southridge.test');
  for (const [node, call] of notEmpty(writes.filter(([name]) => name.startsWith('refresh')))) {
    assert.equal((await reseller.press('psa-report', node, call)).status, 200, node);
    assert.equal((await rival.press('psa-report', node, call)).status, 403, node);
  }
  assert.doesNotMatch((await rival.get(`/ui/screen?path=${screen}`)).text, /refresh-movement/);
});

test('the contracts of the business system are listed, for those of the new service', async () => {
  const { response } = (await reseller.get('/ui/data/psa.contracts')).body.Result as {
    response: { contract: { name: string }; service: { name: string }; quantity: number }[];
  };
  assert.ok(response.some(({ contract, service, quantity }) => contract.name && service.name && quantity > 0));
  const rival = await portal.signIn('rival@southridge.test');
  assert.equal((await rival.get('/ui/data/psa.contracts')).status, 403);
  assert.doesNotMatch((await rival.get(`/ui/screen?path=${screen}`)).text, /psa-contracts/);
});

test('either report is downloaded as CSV with numbers that can be summed, from the new service and from the monolith', async () => {
  for (const name of ['reseller@northwind.test', 'rival@southridge.test']) {
    const who = await portal.signIn(name);
    const month = await movedMonth(who);
    for (const [file, read, column, key] of [
      [`psa.movementFile?date=${month}`, `psa.movement?date=${month}&pageSize=100`, 'Change', 'change'],
      ['psa.reconciliationFile', 'psa.reconciliation?pageSize=100', 'Difference', 'difference'],
    ] as const) {
      const { status, headers, text } = await who.file(`/ui/downloads/${file}`);
      assert.deepEqual([status, headers.get('content-type')], [200, 'text/csv'], text);
      assert.match(
        headers.get('content-disposition') ?? '',
        /^attachment; filename="(Product movement|Reconciliation)/,
      );
      const rows: Record<string, string>[] = parse(text, { bom: true, columns: true });
      const shown = (await rowsOf(who, read)) as unknown as Record<string, number>[];
      assert.ok(shown.length > 0 && shown.length < 100, `${name} ${read}`);
      // What the cloud gives and what the portal makes of the table: one file, whichever one presses.
      const table = file.startsWith('psa.movement') ? 'movement' : 'reconciliation';
      const path = encodeURIComponent(`/billing/psa/report?tab=${table}&month=${month}`);
      const own = await who.get(`/ui/files/none/${table}.csv?path=${path}`);
      assert.equal(own.status, 200, own.text);
      assert.equal(text.split('\r\n')[0], own.text.split('\r\n')[0]);
      assert.equal((await who.get(`/ui/files/none/${table}.xlsx?path=${path}`)).status, 200);
      assert.deepEqual(
        rows.map(row => Number(row[column])),
        shown.map(row => row[key]),
      );
    }
  }
});

test('a downloaded report is narrowed as the page is', async () => {
  const month = await movedMonth(reseller);
  const [first] = await rowsOf(reseller, `psa.movement?date=${month}`);
  assert.ok(first);
  const query = new URLSearchParams({ date: month, search: first.cmCustomer.name });
  const { text } = await reseller.file(`/ui/downloads/psa.movementFile?${query}`);
  const rows: Record<string, string>[] = parse(text, { bom: true, columns: true });
  assert.deepEqual([...new Set(rows.map(row => row.Customer))], [first.cmCustomer.name]);
});

test('that a business system cannot be reached is said in the words of the cloud', async () => {
  const set = (base_url: string | null) =>
    sandbox.db.updateTable('psa_connections').set({ base_url }).where('reseller_id', '=', 1001).execute();
  await set('http://127.0.0.1:9');
  await sandbox.db
    .updateTable('psa_syncs')
    .set({ completed: new Date(0) })
    .where('reseller_id', '=', 1001)
    .execute();
  const answer = await reseller.press('psa-report', 'refresh-reconciliation', 'call:psa.refreshReconciliation');
  assert.deepEqual(
    [answer.body.Succeed, answer.body.Messages],
    [false, ['Contracts failed to load from PSA']],
    answer.text,
  );
  const read = (await reseller.get('/ui/data/psa.contracts')).body;
  assert.deepEqual(read.Messages, ['Contracts failed to load from PSA'], JSON.stringify(read));
  await set(null);
  assert.equal((await reseller.get('/ui/data/psa.contracts')).status, 200);
});

test('what the cloud says of a failed update is what is said', async () => {
  const answer = await select(reseller, 'movement', '1');
  assert.equal(answer.status, 404);
  assert.deepEqual(answer.body.Messages, ['This was not found.']);
});

test('who sees business systems but no prices gets none: not on the page, and not in the bytes', async () => {
  await sql`
    update account_permissions set views = array_append(views, 'pSA')
    where account_id = (select id from accounts where username = 'engineer@northwind.test')`.execute(sandbox.db);
  const engineer = await portal.signIn('engineer@northwind.test');
  const movement = `/ui/data/psa.movement?date=${await movedMonth(engineer)}`;
  const { text } = await engineer.get(movement);
  assert.match(text, /"quantityBefore"/);
  assert.doesNotMatch(text, /price/i);
  assert.doesNotMatch((await engineer.get(`/ui/screen?path=${screen}`)).text, /price/i);
  assert.match((await reseller.get(movement)).text, /"priceChange":"-?\d/);
  // A file is not cut to what is seen, so that one with prices is closed.
  assert.equal((await engineer.file('/ui/downloads/psa.movementFile')).status, 403);
  assert.match((await reseller.file('/ui/downloads/psa.movementFile')).text, /Change per month \(GBP\)/);
  const reconciliation = await engineer.file('/ui/downloads/psa.reconciliationFile');
  assert.equal(reconciliation.status, 200);
  assert.doesNotMatch(reconciliation.text, /price|month/i);
  const path = encodeURIComponent(screen);
  assert.doesNotMatch((await engineer.get(`/ui/files/none/movement.csv?path=${path}`)).text, /month/i);
  // Charges are nothing but prices.
  assert.equal((await engineer.get('/ui/data/psa.charges')).status, 403);
  assert.match((await reseller.get('/ui/data/psa.charges')).text, /"charge":"\d/);
});

test('without the view, or without PSA-V2, there is no screen and no call', async () => {
  const refused = `/access-denied?from=${encodeURIComponent(screen)}`;
  const sentTo: Readonly<Record<string, string>> = {
    'admin@contoso.test': '/customers/customer/10001',
    'user@contoso.test': '/end-user',
  };
  const isWithout = async (who: Client, name: string) => {
    for (const read of reads) assert.equal((await who.get(`/ui/data/${read}`)).status, 403, `${name} ${read}`);
    for (const file of ['psa.movementFile', 'psa.reconciliationFile'])
      assert.equal((await who.file(`/ui/downloads/${file}`)).status, 403, `${name} ${file}`);
    for (const [node, call] of writes) {
      const press = { node, layout: 'none', body: { Id: '1', Selected: 'yes' } };
      assert.equal((await who.post(`/ui/call/${call.slice('call:'.length)}`, press)).status, 403, `${name} ${call}`);
    }
    assert.equal((await who.get(`/ui/screen?path=${screen}`)).body.redirect, sentTo[name] ?? refused, name);
    assert.doesNotMatch((await who.get('/ui/boot')).text, /psa\/report/, name);
  };
  for (const name of ['admin@contoso.test', 'user@contoso.test']) await isWithout(await portal.signIn(name), name);

  assert.match((await reseller.get('/ui/boot')).text, /psa\/report/);
  const set = (enabled: boolean) =>
    sandbox.db.updateTable('feature_flags').set({ enabled }).where('name', '=', 'PSA-V2').execute();
  await set(false);
  const without = await portal.signIn('reseller@northwind.test');
  await isWithout(without, 'without PSA-V2');
  assert.doesNotMatch((await without.get('/ui/screen?path=/billing/psa/overview')).text, /psa\/report/);
  await set(true);
});
