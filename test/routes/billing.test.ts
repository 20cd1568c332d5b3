import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { readPdf } from '../fixtures/pdf-text.ts';
import { type Client, withPortal } from '../fixtures/portal.ts';
import { withRecordingProxy } from '../fixtures/recording-proxy.ts';
import { assertEvery, notEmpty } from '../fixtures/rows.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { setUp } from '../fixtures/set-up.ts';
import { readWorkbook } from '../fixtures/workbook.ts';

const sandbox = withSandbox();
const proxy = withRecordingProxy(sandbox);
const portal = withPortal(proxy);
let bookkeeper: Client;
let engineer: Client;
let rival: Client;
setUp(async () => {
  bookkeeper = await portal.signIn('bookkeeper@northwind.test');
  engineer = await portal.signIn('engineer@northwind.test');
  rival = await portal.signIn('rival@southridge.test');
});

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects to be there
type Json = any;
const read = async (who: Client, query: string): Promise<Json> => {
  const { body, text, status } = await who.get(`/ui/data/${query}`);
  assert.equal(status, 200, text);
  return body.Result;
};
const cents = (amount: string): number => Math.round(Number(amount) * 100);
const latestOf = async (who: Client): Promise<string> => (await read(who, 'billing.latest')).Id;

/** The answer to what the browser asks for a screen: its layout and first data. */
const open = (who: Client, path: string) => who.get(`/ui/screen?path=${encodeURIComponent(path)}`);
/** True where the caller is led elsewhere instead. */
const isClosed = async (who: Client, path: string): Promise<boolean> =>
  typeof (await open(who, path)).body.redirect === 'string';

const screens = [
  '/billing',
  '/billing/invoices',
  '/billing/invoices/pre-bill',
  '/billing/account-totals',
  '/billing/pricing',
];
const operations = [
  'billing.balance',
  'billing.latest',
  'billing.invoices',
  'billing.creditMemos',
  'billing.history',
  'billing.preBill',
  'billing.postBill',
  'billing.billDifference',
  'billing.customerChanges',
  'billing.accountTotals',
  'billing.prices',
];

test('a bookkeeper lands on billing and reaches its screens, and no other of the reseller', async () => {
  assert.equal((await bookkeeper.get('/')).headers.get('location'), '/billing');
  const id = await latestOf(bookkeeper);
  for (const path of [...screens, `/billing/invoices/invoice-detail/${id}`])
    assert.equal(await isClosed(bookkeeper, path), false, path);
  for (const path of [
    '/dashboard',
    '/customers',
    '/customers/customer/10001',
    '/services',
    '/orders',
    '/billing/psa/overview',
  ])
    assert.equal(await isClosed(bookkeeper, path), true, path);
  for (const operation of ['customers.list', 'dashboard.summary', 'services.list', 'orders.list'])
    assert.equal((await bookkeeper.get(`/ui/data/${operation}`)).status, 403, operation);
});

test('who sees no prices, or lacks the view, reaches nothing of billing and is told nothing of it', async () => {
  const id = await latestOf(bookkeeper);
  for (const path of [...screens, `/billing/invoices/invoice-detail/${id}`]) {
    assert.equal(await isClosed(engineer, path), true, path);
    const { text } = await open(engineer, path);
    // The address that was asked for is repeated as it was asked, also where there is none such.
    assert.doesNotMatch(text.replace(encodeURIComponent(path), ''), /£|"Gross"|FH-\d/);
  }
  for (const operation of operations)
    assert.equal((await engineer.get(`/ui/data/${operation}`)).status, 403, operation);
  const file = await engineer.file(`/ui/downloads/billing.invoiceFile?documentId=${id}`);
  const table = await engineer.get('/ui/files/invoices/invoices.csv?path=/billing/invoices');
  for (const { status, text } of [file, table]) assert.ok([403, 404].includes(status), text);
  const customer = await open(engineer, '/customers/customer/10001?tab=billing');
  assert.doesNotMatch(customer.text, /billing\.customer|FH-\d/);
});

test('the flag says whether the reporting or the monolith is asked', async () => {
  const asked = async (who: Client, query: string): Promise<string> => {
    proxy.exchanges.length = 0;
    await read(who, query);
    return notEmpty(proxy.exchanges.map(({ url }) => url).filter(url => /billing|Invoice/.test(url)))[0]!;
  };
  assert.equal(await asked(bookkeeper, 'billing.latest'), '/billing/invoices/latest');
  assert.equal(await asked(rival, 'billing.latest'), '/api/dashboard/getLatestInvoice');
  assert.match(await asked(bookkeeper, 'billing.invoices'), /^\/billing\/invoices\b/);
  assert.match(await asked(rival, 'billing.invoices'), /^\/api\/billing\/invoices\b/);
  const id = await latestOf(rival);
  assert.match(await asked(rival, 'billing.billDifference'), /^\/api\/billing\/invoices\/bill-difference/);
  assert.match(await asked(rival, `billing.invoiceLines?documentId=${id}`), /^\/api\/billing\/invoices\/FH-\d+\/lines/);
});

test('another reseller’s invoice is not found, as data and as file', async () => {
  const theirs = await latestOf(rival);
  for (const operation of ['billing.invoice', 'billing.invoiceLines', 'billing.customerChanges'])
    assert.equal((await bookkeeper.get(`/ui/data/${operation}?documentId=${theirs}`)).status, 404, operation);
  assert.equal((await bookkeeper.file(`/ui/downloads/billing.invoiceFile?documentId=${theirs}`)).status, 404);
});

test('screen, PDF, CSV and workbook of an invoice print the same cents, as numbers that add up', async () => {
  const id = await latestOf(bookkeeper);
  const invoice = await read(bookkeeper, `billing.invoice?documentId=${id}`);
  const bytesOf = async (path: string): Promise<Buffer> => {
    const address = path.startsWith('/ui/downloads/') ? await bookkeeper.linkTo(path) : path;
    const reply = await fetch(`${portal.url}${address}`, { headers: { cookie: bookkeeper.cookie } });
    assert.equal(reply.status, 200, path);
    return Buffer.from(await reply.arrayBuffer());
  };
  const fileOf = (ending: string) =>
    bytesOf(`/ui/files/invoice-detail/lines.${ending}?path=/billing/invoices/invoice-detail/${id}`);
  const [head, ...rows] = parse(await fileOf('csv'), { bom: true }) as string[][];
  const column = head!.indexOf('Amount (GBP)');
  assert.equal(rows.length, invoice.Lines);
  assertEvery(rows, row => /^-?\d+\.\d\d$/.test(row[column]!));
  assert.equal(
    rows.reduce((sum, row) => sum + cents(row[column]!), 0),
    cents(invoice.Net),
  );
  const csv = rows.map(row => row[column]);

  const workbook = readWorkbook(await fileOf('xlsx'));
  assert.deepEqual(workbook.rows[0], head);
  const starts = head!.indexOf('From');
  assertEvery(workbook.rows.slice(1), row => typeof row[column] === 'number' && row[starts] instanceof Date);
  assert.deepEqual(
    workbook.rows.slice(1).map(row => Number(row[column]).toFixed(2)),
    csv,
  );

  const shown: string[] = [];
  for (let page = 1; shown.length < invoice.Lines; page++)
    shown.push(
      ...notEmpty<Json>(
        (await read(bookkeeper, `billing.invoiceLines?documentId=${id}&page=${page}&pageSize=100`)).Items,
      ).map(({ Amount }) => Amount),
    );
  assert.deepEqual(shown, csv);
  const { text } = readPdf(await bytesOf(`/ui/downloads/billing.invoiceFile?documentId=${id}`));
  const printed = new Intl.NumberFormat('en-GB', { minimumFractionDigits: 2 });
  assertEvery(csv, amount => text.includes(printed.format(Number(amount))));
});

test('a pre-bill and its invoice add up to the difference that the screen and its files say', async () => {
  const found = await read(bookkeeper, 'billing.billDifference?pageSize=100');
  const [pre, post] = [await read(bookkeeper, 'billing.preBill'), await read(bookkeeper, 'billing.postBill')];
  assert.equal(found.InvoiceId, await latestOf(bookkeeper));
  assert.equal(cents(found.Change), cents(post.Net) - cents(pre.Net));
  const { text } = await bookkeeper.get('/ui/files/none/differences.csv?path=/billing/invoices/pre-bill');
  const [head, ...rows] = parse(text, { bom: true }) as string[][];
  assert.equal(rows.length, found.Total);
  const column = head!.indexOf('Change (GBP)');
  assert.equal(
    notEmpty(rows).reduce((sum, row) => sum + cents(row[column]!), 0),
    cents(found.Change),
  );
  assert.equal((await bookkeeper.get('/ui/data/billing.preBill?invoiceDate=2001-01-01')).status, 404);
});

test('an invoice and a credit memo are downloaded as PDF', async () => {
  const [memo] = (await read(bookkeeper, 'billing.creditMemos')).Items;
  for (const [operation, id] of [
    ['billing.invoiceFile?documentId=', await latestOf(bookkeeper)],
    ['billing.creditMemoFile?memoId=', memo.Id],
  ]) {
    const link = await bookkeeper.linkTo(`/ui/downloads/${operation}${id}`);
    const reply = await fetch(`${portal.url}${link}`, {
      headers: { cookie: bookkeeper.cookie },
    });
    assert.equal(reply.headers.get('content-type'), 'application/pdf');
    assert.match(reply.headers.get('content-disposition') ?? '', new RegExp(`${id}\\.pdf`));
    assert.ok(readPdf(Buffer.from(await reply.arrayBuffer())).text.includes(id));
  }
});

test('a price is set from its popup; what is no amount is refused with the field', async () => {
  const set = (Price: string) =>
    bookkeeper.press('set-price', 'set-price', 'call:billing.setPrice', { body: { Key: '13-1', Price } });
  const saved = await set('15.25');
  assert.equal(saved.status, 200, saved.text);
  const { Items } = await read(bookkeeper, 'billing.prices?search=hosted%20voice');
  assert.equal(Items[0].Price, '15.25');
  for (const bad of ['', '-1', '1.234', 'much']) {
    const { body } = await set(bad);
    assert.equal(body.Succeed, false, bad);
    assert.ok(body.Errors?.Price, bad);
  }
});

test('an invoice is compared with the business system by who sees both, and offered to nobody else', async () => {
  const reseller = await portal.signIn('reseller@northwind.test');
  const id = await latestOf(reseller);
  const screen = `/billing/invoices/invoice-detail/${id}`;
  const compared = await read(reseller, `psa.invoiceComparison?documentId=${id}&class=Ignored`);
  assertEvery<Json>(compared.Items, ({ Class }) => Class === 'Ignored');
  assert.equal(compared.Total, compared.Counts.Ignored);
  const [row] = compared.Items;
  const { Explanations } = await read(reseller, `psa.invoiceComparisonRow?documentId=${id}&rowId=${row.Id}`);
  assert.equal(Explanations[0].Reason, row.Reason);
  const file = await reseller.file(`/ui/downloads/psa.invoiceComparisonFile?documentId=${id}&class=Ignored`);
  assert.equal(file.text.trim().split('\r\n').length, 1 + compared.Total);
  assert.match((await open(reseller, screen)).text, /invoice-compare/);
  for (const [name, who] of Object.entries({ bookkeeper, engineer })) {
    assert.equal((await who.get(`/ui/data/psa.invoiceComparison?documentId=${id}`)).status, 403, name);
    assert.equal(await isClosed(who, `${screen}/compare`), true, name);
    assert.doesNotMatch((await open(who, screen)).text, /invoice-compare/, name);
  }
  assert.equal((await rival.get(`/ui/data/psa.invoiceComparison?documentId=${id}`)).status, 404, 'of somebody else');
});

/** Headings of the export; those of a released version are never changed, only followed by another version. */
const first = ['Invoice', 'Customer', 'Service', 'From', 'To', 'Quantity', 'Amount (GBP)'];
const second = [
  ...first,
  ...['Customer number', 'Product', 'Kind', 'Month', 'Days charged', 'Days of the month', 'Unit price (GBP)'],
  ...['Tax rate (%)', 'Currency'],
];
const third = [
  ...second,
  ...['Number at the billing platform', 'Charge number', 'Order', 'Ordered by', 'Service number'],
  ...['Sub-account number', 'Sub-account', 'Before rounding (GBP)', 'Meter number', 'Meter service', 'Meter'],
  ...['Usage month', 'Unit', 'Used', 'Usage cost (GBP)'],
];

test('each version of the export keeps its headings, begins with those before, and adds up to the printed cents', async () => {
  const id = await latestOf(bookkeeper);
  const invoice = await read(bookkeeper, `billing.invoice?documentId=${id}`);
  const screen = `/billing/invoices/invoice-detail/${id}/export`;
  const of = async (version: string, ending: string) =>
    fetch(
      `${portal.url}/ui/files/none/${version}.${ending}?path=${encodeURIComponent(`${screen}?version=${version}`)}`,
      { headers: { cookie: bookkeeper.cookie } },
    );
  const files: string[][][] = [];
  for (const [version, headings] of Object.entries({ v1: first, v2: second, v3: third })) {
    const reply = await of(version, 'csv');
    assert.match(
      reply.headers.get('content-disposition') ?? '',
      new RegExp(`^attachment; filename="Charges of ${id} ${version} `),
    );
    const [head, ...rows] = parse(await reply.text(), { bom: true }) as string[][];
    assert.deepEqual(head, headings, version);
    assert.equal(
      notEmpty(rows).reduce((sum, row) => sum + cents(row[6] || '0'), 0),
      cents(invoice.Net),
      version,
    );
    const workbook = readWorkbook(Buffer.from(await (await of(version, 'xlsx')).arrayBuffer()));
    assert.deepEqual(workbook.rows[0], headings, version);
    assert.equal(workbook.rows.length, rows.length + 1, version);
    files.push(rows);
  }
  const [one, two, three] = files as [string[][], string[][], string[][]];
  assert.equal(one.length, invoice.Lines);
  assert.deepEqual(
    two.map(row => row.slice(0, first.length)),
    one,
  );
  // Meters stand below their line and have no amount of their own.
  const meters = notEmpty(three.filter(row => row[third.indexOf('Meter number')] !== ''));
  assertEvery(meters, row => row[6] === '' && row[third.indexOf('Sub-account number')] !== '');
  assert.deepEqual(
    three.filter(row => row[6] !== '').map(row => row.slice(0, second.length)),
    two,
  );
  assertEvery(two, row => ['20', '0'].includes(row[second.indexOf('Tax rate (%)')]!));
});

test('the export is closed to who sees no prices, and to another reseller', async () => {
  const id = await latestOf(bookkeeper);
  assert.equal(await isClosed(engineer, `/billing/invoices/invoice-detail/${id}/export`), true);
  for (const version of ['first', 'second', 'third']) {
    assert.equal((await engineer.get(`/ui/data/billing.${version}Export?documentId=${id}`)).status, 403, version);
    assert.equal((await rival.get(`/ui/data/billing.${version}Export?documentId=${id}`)).status, 404, version);
  }
});

test('the address of a list of invoices says between which days they were issued', async () => {
  const all = await read(bookkeeper, 'billing.invoices?pageSize=100');
  const [to, from] = [all.Items[1].Issued, all.Items[3].Issued];
  const path = `/billing/invoices?from=${from}&to=${to}`;
  const { text } = await bookkeeper.get(`/ui/files/none/invoices.csv?path=${encodeURIComponent(path)}`);
  const rows = parse(text, { bom: true }) as string[][];
  assert.deepEqual(
    rows.slice(1).map(([number]) => number),
    all.Items.slice(1, 4).map(({ Id }: Json) => Id),
  );
  assert.equal((await bookkeeper.get('/ui/data/billing.invoices?from=yesterday')).status, 400);
});

test('an invoice is found by its number at the billing platform, and a link that names another one leads nowhere', async () => {
  const id = await latestOf(bookkeeper);
  const { ExternalInvoiceId } = await read(bookkeeper, `billing.invoice?documentId=${id}`);
  assert.equal((await read(bookkeeper, `billing.invoices?search=${ExternalInvoiceId}`)).Items[0].Id, id);
  const screen = `/billing/invoices/invoice-detail/${id}?externalInvoiceId=`;
  assert.equal((await open(bookkeeper, screen + ExternalInvoiceId)).status, 200);
  assert.equal((await bookkeeper.get(`/ui/data/billing.invoice?documentId=${id}&externalInvoiceId=INV1`)).status, 404);
});
