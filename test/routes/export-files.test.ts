import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { eventually } from '../fixtures/eventually.ts';
import { limitAccount } from '../fixtures/limit-account.ts';
import { type Client, withClient, withPortal } from '../fixtures/portal.ts';
import { answerJson, withRecordingProxy } from '../fixtures/recording-proxy.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { readWorkbook } from '../fixtures/workbook.ts';

const sandbox = withSandbox();
const proxy = withRecordingProxy(sandbox);
const portal = withPortal(proxy);
const reseller = withClient(portal, 'reseller@northwind.test');
const engineer = withClient(portal, 'engineer@northwind.test');
const bookkeeper = withClient(portal, 'bookkeeper@northwind.test');

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects to be there
type Json = any;

afterEach(async () => {
  proxy.intercept(undefined);
  for (const who of [reseller, engineer, bookkeeper])
    for (const { Id } of (await filesOf(who)).Items) await remove(who, Id);
});

const filesOf = async (who: Client): Promise<Json> => (await who.get('/ui/data/exports.list')).body.Result;
const remove = (who: Client, exportId: string) =>
  who.press('exports', 'cancel-export', 'call:exports.remove', { with: { exportId } });
const ask = (who: Client, path = '/customers', file = 'customers.csv') => who.post(`/ui/files/none/${file}`, { path });
const download = (who: Client, id: string, operation = 'exports.csvFile') =>
  who.file(`/ui/downloads/${operation}?exportId=${id}`);
const lines = (text: string): string[] => text.trimEnd().split('\r\n');

/** Has the cloud list so many customers, a page at a time; `before` is awaited before each page but the first. */
function listCustomers(count: number, before: (page: number) => unknown = () => undefined): void {
  proxy.intercept(async ({ url }, response) => {
    if (!url.startsWith('/api/customers?')) return false;
    const query = new URL(url, 'http://cloud').searchParams;
    const [page, size] = [Number(query.get('page') ?? 1), Number(query.get('pageSize') ?? 25)];
    if (page > 1 && (await before(page)) === 'failed') return answerJson(response, 500, {});
    const Items = Array.from({ length: Math.max(0, Math.min(size, count - (page - 1) * size)) }, (_, index) => ({
      ...{ Name: `Customer ${(page - 1) * size + index + 1}`, OrganisationId: String((page - 1) * size + index + 1) },
      ...{ Status: 'Active', MonthlySpend: '12.50' },
    }));
    return answerJson(response, 200, { Succeed: true, Result: { Items, Total: count, TotalIsExact: true } });
  });
}

/** Waits until the newest file of a person is made, or is not made any more. */
async function untilMade(who: Client): Promise<Json> {
  const isOver = async () => (await filesOf(who)).Items.every(({ State }: Json) => State !== 'Running');
  await eventually(isOver, 'no file is being made');
  return (await filesOf(who)).Items[0];
}

test('five thousand rows are sent at once; one more and the file is made in the background, row for row', async () => {
  listCustomers(5000);
  const small = await ask(reseller);
  assert.deepEqual([small.status, lines(small.text).length], [200, 5001]);
  listCustomers(5001);
  const get = await reseller.get('/ui/files/none/customers.csv?path=/customers');
  assert.deepEqual([get.status, get.body.Resources.code], [409, 'EXPORT_LONG']);
  const started = await ask(reseller);
  assert.equal(started.status, 202, started.text);
  assert.deepEqual(started.body.effects, [{ do: 'open-popup', popup: 'exports' }]);
  const made = await untilMade(reseller);
  assert.deepEqual([made.State, made.Format, made.Rows, made.Total], ['Ready', 'csv', 5001, 5001]);
  const { status, headers, text } = await download(reseller, made.Id);
  assert.equal(status, 200);
  assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8');
  assert.match(headers.get('content-disposition') ?? '', /^attachment; filename="Customers \d{4}-\d\d-\d\d\.csv"/);
  const rows = lines(text);
  assert.equal(rows[0], lines(small.text)[0]);
  assert.equal(rows.length, 5002);
  assert.match(rows[5001]!, /^Customer 5001,/);
  assert.equal(Buffer.byteLength(text) + 3, made.Bytes, 'a byte order mark, which the reader takes away');
});

test('how far a file has come is seen from any page and told over the hub; cancelled, it is gone and reads no more', async () => {
  let release: (value?: unknown) => void = () => undefined;
  const held = new Promise(resolve => {
    release = resolve;
  });
  let asked = 0;
  listCustomers(6000, page => {
    asked = page;
    return page === 8 ? held : page > 8 && sleep(50);
  });
  const told: string[] = [];
  const stop = portal.store.listen(({ kind }) => void told.push(kind));
  assert.equal((await ask(reseller)).status, 202);
  await eventually(() => asked === 8, 'the eighth page is asked for');
  const [running] = (await filesOf(reseller)).Items;
  assert.deepEqual([running.State, running.Total, running.Reason], ['Running', 6000, null]);
  assert.equal((await download(reseller, running.Id)).status, 404);
  assert.equal((await remove(engineer, running.Id)).status, 404, 'of somebody else');
  assert.equal((await remove(reseller, running.Id)).status, 200);
  assert.deepEqual((await filesOf(reseller)).Items, []);
  release();
  await eventually(() => told.includes('exports'), 'the session is told');
  stop();
  assert.ok(asked < 60, `asked for ${asked} pages`);
});

test('a file is news to its person alone, once it is ready or has failed, until it is taken or noted as seen', async () => {
  const news = async (who: Client): Promise<Json> => (await who.get('/ui/data/exports.news')).body.Result;
  listCustomers(5001);
  await ask(reseller);
  const made = await untilMade(reseller);
  assert.deepEqual(await news(reseller), { Id: made.Id, Title: 'Customers', State: 'Ready' });
  assert.deepEqual(await news(engineer), {});
  const note = (who: Client) =>
    who.post('/ui/call/exports.told', { node: 'show-Ready', layout: 'navigation', with: { exportId: made.Id } });
  assert.equal((await note(engineer)).status, 200);
  assert.equal((await news(reseller)).Id, made.Id, 'somebody else has noted nothing');
  const told: string[] = [];
  const stop = portal.store.listen(({ kind }) => void told.push(kind));
  assert.equal((await download(reseller, made.Id)).status, 200);
  assert.deepEqual(await news(reseller), {}, 'who has the file knows that it is ready');
  await eventually(() => told.includes('exports'), 'the session is told');
  stop();
  listCustomers(5101, () => 'failed');
  await ask(reseller);
  const failed = await untilMade(reseller);
  assert.deepEqual(await news(reseller), { Id: failed.Id, Title: 'Customers', State: 'Failed' });
});

test('two files are made for a person at once, and five are kept', async () => {
  let release: (value?: unknown) => void = () => undefined;
  const held = new Promise(resolve => {
    release = resolve;
  });
  listCustomers(5100, () => held);
  assert.equal((await ask(reseller)).status, 202);
  assert.equal((await ask(reseller, '/customers', 'customers.xlsx')).status, 202);
  const third = await ask(reseller);
  assert.deepEqual([third.status, third.body.Resources.code], [422, 'EXPORTS_BUSY']);
  release();
  await untilMade(reseller);
  const { Items } = await filesOf(reseller);
  const workbook = Items.find(({ Format }: Json) => Format === 'xlsx');
  const link = await reseller.linkTo(`/ui/downloads/exports.workbook?exportId=${workbook.Id}`);
  const reply = await fetch(`${portal.url}${link}`, {
    headers: { cookie: reseller.cookie },
  });
  assert.equal(readWorkbook(Buffer.from(await reply.arrayBuffer())).rows.length, 5101);
  assert.equal((await download(reseller, workbook.Id)).status, 404, 'a workbook is no CSV file');
  for (let more = 0; more < 4; more++) {
    assert.equal((await ask(reseller)).status, 202);
    await untilMade(reseller);
  }
  assert.equal((await filesOf(reseller)).Items.length, 5);
});

test('a file has what its person sees, and is hers alone while she sees it', async () => {
  listCustomers(5001);
  await ask(reseller);
  const { Id } = await untilMade(reseller);
  await ask(engineer);
  const without = await untilMade(engineer);
  assert.match((await download(reseller, Id)).text, /12\.50/);
  assert.doesNotMatch((await download(engineer, without.Id)).text, /12\.50|\(GBP\)/);
  assert.equal((await download(engineer, Id)).status, 404);
  assert.equal((await portal.client().file(`/ui/downloads/exports.csvFile?exportId=${Id}`)).status, 401);
  const owner = async (identity: string) =>
    portal.store.run(db => db.updateTable('exports').set({ owner: identity }).where('id', '=', Id).execute());
  const { owner: hers } = await portal.store.run(db =>
    db.selectFrom('exports').select('owner').where('id', '=', without.Id).executeTakeFirstOrThrow(),
  );
  // As if the rights of its person had been narrowed since.
  await owner(hers);
  const narrowed = await download(engineer, Id);
  assert.deepEqual([narrowed.status, narrowed.body.Resources.code], [403, 'EXPORT_WITHDRAWN']);
  proxy.intercept(({ url }, response) =>
    url.startsWith('/api/customers?')
      ? answerJson(response, 403, { Succeed: false, Error: 'PermissionNotFound' })
      : false,
  );
  assert.ok((await download(engineer, without.Id)).status >= 400, 'the cloud gives her the list no more');
});

test('a page that fails once is asked for again; a cloud that goes on failing is told, and nothing is left', async () => {
  let failures = 1;
  listCustomers(5050, page => (page === 20 && failures-- > 0 ? 'failed' : undefined));
  await ask(reseller);
  assert.deepEqual(await untilMade(reseller).then(({ State, Rows }) => [State, Rows]), ['Ready', 5050]);
  listCustomers(5050, page => (page === 20 ? 'failed' : undefined));
  await ask(reseller);
  const failed = await untilMade(reseller);
  assert.deepEqual([failed.State, failed.Reason], ['Failed', 'Cloud']);
  const parts = await portal.store.run(db =>
    db.selectFrom('export_parts').select('part').where('export_id', '=', failed.Id).execute(),
  );
  assert.deepEqual(parts, []);
});

test('who signs out gets no file of what is still to be read', async () => {
  const leaving = await portal.signIn('reseller@northwind.test');
  let release: (value?: unknown) => void = () => undefined;
  const held = new Promise(resolve => {
    release = resolve;
  });
  let asked = 0;
  proxy.intercept(async ({ url }, response) => {
    if (!url.startsWith('/api/customers?')) return false;
    asked += 1;
    if (asked === 2) await held;
    // From then on it is the cloud itself that answers, which has ended her tokens.
    if (asked > 2) return false;
    const Items = Array.from({ length: 100 }, (_, index) => ({ Name: `Customer ${index}`, OrganisationId: '1' }));
    return answerJson(response, 200, { Succeed: true, Result: { Items, Total: 5050, TotalIsExact: true } });
  });
  assert.equal((await ask(leaving)).status, 202);
  await eventually(() => asked === 2, 'the second page is asked for');
  await leaving.post('/auth/sign-out');
  release();
  const made = await untilMade(reseller);
  assert.deepEqual([made.State, made.Reason], ['Failed', 'Refused']);
});

test('what a process left undone has failed after a minute, and a file goes after a day', async () => {
  listCustomers(5001);
  await ask(reseller);
  const { Id } = await untilMade(reseller);
  const change = (values: Json) =>
    portal.store.run(db => db.updateTable('exports').set(values).where('id', '=', Id).execute());
  await change({ state: 'running', seen_at: new Date(Date.now() - 61_000) });
  const [left] = (await filesOf(reseller)).Items;
  assert.deepEqual([left.State, left.Reason], ['Failed', 'Stopped']);
  await change({ state: 'ready', expires_at: new Date(Date.now() - 1) });
  assert.equal((await download(reseller, Id)).status, 404);
  assert.deepEqual((await filesOf(reseller)).Items, []);
});

test('the lines of a long invoice are made in the background, as they are shown and to the cent', async () => {
  const { Id } = (await bookkeeper.get('/ui/data/billing.latest')).body.Result;
  await sql`
    with invoice as (select id from invoices where external_id = ${`INV${Id.slice(3).padStart(8, '0')}`}),
    more as (
      insert into invoice_lines (invoice_id, key, kind, customer_id, organisation_id, customer, service, starts, ends,
        quantity, unit_price, rate, exact, amount)
      select invoice.id, 'made ' || n, 'Once', l.customer_id, l.organisation_id, l.customer, 'Made ' || n, l.starts,
        l.ends, 1, 0.01, l.rate, 0.01, 0.01
      from invoice cross join generate_series(1, 5000) n
      cross join lateral (select * from invoice_lines where invoice_id = invoice.id order by id limit 1) l
      returning 1
    )
    update invoices set lines = lines + (select count(*) from more), net = net + 50, gross = gross + 50
    from invoice where invoices.id = invoice.id`.execute(sandbox.db);
  const path = `/billing/invoices/invoice-detail/${Id}`;
  assert.equal((await ask(bookkeeper, path, 'lines.csv')).status, 202);
  const made = await untilMade(bookkeeper);
  const invoice = (await bookkeeper.get(`/ui/data/billing.invoice?documentId=${Id}`)).body.Result;
  assert.deepEqual([made.State, made.Rows], ['Ready', invoice.Lines]);
  const [head, ...rows] = lines((await download(bookkeeper, made.Id)).text);
  const column = head!.split(',').indexOf('Amount (GBP)');
  // No cell has a comma in it.
  const cents = rows.map(row => Math.round(Number(row.split(',')[column]) * 100));
  assert.equal(
    cents.reduce((sum, one) => sum + one, 0),
    Math.round(Number(invoice.Net) * 100),
  );
});

test('a file made before its person was limited to certain customers is withdrawn, and made again it is there', async () => {
  listCustomers(5001);
  assert.equal((await ask(engineer)).status, 202);
  const before = await untilMade(engineer);
  assert.equal((await download(engineer, before.Id)).status, 200);
  await limitAccount(sandbox.db, 'engineer@northwind.test', [10001, 10002]);
  const withdrawn = await download(engineer, before.Id);
  assert.deepEqual([withdrawn.status, withdrawn.body.Resources.code], [403, 'EXPORT_WITHDRAWN']);
  await ask(engineer);
  const after = await untilMade(engineer);
  assert.equal((await download(engineer, after.Id)).status, 200);
  await limitAccount(sandbox.db, 'engineer@northwind.test', [10001]);
  assert.equal((await download(engineer, after.Id)).status, 403);
});
