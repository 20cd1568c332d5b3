import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { withEditedSchemas } from '../fixtures/edited-schemas.ts';
import { withClient, withPortal } from '../fixtures/portal.ts';
import { withRecordingProxy } from '../fixtures/recording-proxy.ts';
import { withSandbox } from '../fixtures/sandbox.ts';

const token = 'a-token-for-figures';
const sandbox = withSandbox();
const proxy = withRecordingProxy(sandbox);
const schemas = withEditedSchemas();
const portal = withPortal(proxy, () => ({ env: { METRICS_TOKEN: token }, schemasDir: schemas.folder }));
const reseller = withClient(portal, 'reseller@northwind.test');
const engineer = withClient(portal, 'engineer@northwind.test');
const admin = withClient(portal, 'admin@contoso.test');
const user = withClient(portal, 'user@contoso.test');

afterEach(() => proxy.intercept(undefined));

/** Counted breaches, as `<operation> <field> <count>`. */
async function breaches(): Promise<string[]> {
  const { text } = await portal.client().get('/metrics', { authorization: `Bearer ${token}` });
  assert.match(text, /^# TYPE contract_breaches_total counter$/m);
  const line = /^contract_breaches_total\{operation="([^"]*)",field="([^"]*)"\} (\d+)$/gm;
  return [...text.matchAll(line)].map(([, operation, field, count]) => `${operation} ${field} ${count}`).sort();
}

const logged = (): string[] =>
  portal
    .log()
    .split('\n')
    .filter(line => line.includes('a reply breaks its contract'))
    .map(line => JSON.parse(line) as { readonly operation: string; readonly field: string })
    .map(({ operation, field }) => `${operation} ${field}`);

/** Has the cloud answer one address with this text. */
function answer(path: string, text: string): void {
  proxy.intercept(({ url }, response) => {
    if (url.split('?')[0] !== path) return false;
    response.writeHead(200, { 'content-type': 'application/json' }).end(text);
    return true;
  });
}

/** Opens every screen of a caller whose address needs nothing, and those of a customer. */
async function openAll(caller: typeof reseller, customer: string): Promise<number> {
  const { body } = await caller.get('/ui/boot');
  const patterns = (body.routes as readonly [string, string, string][]).map(([pattern]) => pattern);
  const addresses = patterns
    .map(pattern => pattern.replace(/\{(orgId|customerId|customer|organisationId)\}/, customer))
    .filter(address => !address.includes('{'));
  for (const address of addresses) await caller.get(`/ui/screen?path=${encodeURIComponent(address)}`);
  return addresses.length;
}

test('the sandbox keeps its contracts on every screen', async () => {
  const { OrganisationId } = (await reseller.get('/ui/data/customers.list?pageSize=1')).body.Result.Items[0];
  const opened: number[] = [];
  for (const caller of [reseller, engineer, admin, user]) opened.push(await openAll(caller, OrganisationId));
  assert.ok(Math.min(...opened) > 4 && Math.max(...opened) > 20, opened.join());
  assert.deepEqual(await breaches(), []);
});

test('a field that breaks its contract counts as absent, is counted each time and logged once; the rest is there', async () => {
  const item = { OrganisationId: '1', Name: 'Contoso', Status: 'Active', Domain: 'a.test', Services: 1, Users: 2 };
  const items = [
    { ...item, MonthlySpend: { Amount: 3 }, LastChange: '2026-01-01T00:00:00Z' },
    { ...item, MonthlySpend: 7, LastChange: 1767225600 },
    { ...item, MonthlySpend: true, LastChange: '2026-01-01T00:00:00Z' },
  ];
  const counts = { All: 3, Active: 3, Changing: 0, Failed: 0, Suspended: 0 };
  const result = { Items: items, Total: 3, TotalIsExact: true, Counts: counts, MonthlySpend: 9 };
  answer('/api/customers', JSON.stringify({ Succeed: true, Result: result }));
  for (let time = 1; time <= 3; time++) {
    const { status, body } = await reseller.get('/ui/data/customers.list');
    assert.equal(status, 200);
    assert.deepEqual(
      body.Result.Items.map((row: object) => [Object.hasOwn(row, 'MonthlySpend'), Object.hasOwn(row, 'LastChange')]),
      [
        [false, true],
        [true, false],
        [false, true],
      ],
    );
    assert.equal(body.Result.Items[1].Name, 'Contoso');
    assert.deepEqual(await breaches(), [
      `customers.list Items.LastChange ${time}`,
      `customers.list Items.MonthlySpend ${time}`,
    ]);
  }
  const screen = await reseller.get('/ui/screen?path=/customers');
  assert.deepEqual([screen.status, screen.body.data.customers.Result.Total], [200, 3]);
  assert.deepEqual(logged().sort(), ['customers.list Items.LastChange', 'customers.list Items.MonthlySpend']);
});

test('a field that a caller does not read is not looked at', async () => {
  const before = await breaches();
  answer(
    '/api/customers',
    '{"Succeed":true,"Result":{"Items":[],"Total":0,"TotalIsExact":true,"Page":"one","Counts":{"All":0,"Active":0,"Changing":0,"Failed":0,"Suspended":0},"MonthlySpend":{}}}',
  );
  assert.equal((await engineer.get('/ui/data/customers.list')).body.Result.Total, 0);
  assert.deepEqual(await breaches(), before);
});

test('an operation without an envelope has all of its reply as its Result, once it says so', async () => {
  answer('/api/footer/opt-outs', '{"Newsletter":true,"Offers":false,"Surveys":false,"UsageFigures":true,"Extra":1}');
  const read = () => reseller.get('/ui/data/optOuts.get');
  assert.deepEqual([(await read()).status, (await read()).body.Resources.code], [502, 'UPSTREAM_GARBLED']);
  await schemas.editLive(portal, 'policies/operations.json', text =>
    text.replace('"path": "/api/footer/opt-outs",', '"path": "/api/footer/opt-outs", "envelope": false,'),
  );
  assert.deepEqual((await read()).body, {
    Succeed: true,
    Result: { Newsletter: true, Offers: false, Surveys: false, UsageFigures: true },
  });
});
