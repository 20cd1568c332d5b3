import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { contentDisposition, fileName } from '../../shared/rules/file-name.ts';
import { eventually } from '../fixtures/eventually.ts';
import { type Client, withClient, withPortal } from '../fixtures/portal.ts';
import { answerJson, withRecordingProxy } from '../fixtures/recording-proxy.ts';
import { assertEvery } from '../fixtures/rows.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { readWorkbook } from '../fixtures/workbook.ts';

const sandbox = withSandbox();
const proxy = withRecordingProxy(sandbox);
const portal = withPortal(proxy);
const reseller = withClient(portal, 'reseller@northwind.test');
const engineer = withClient(portal, 'engineer@northwind.test');

async function download(browser: Client, path: string, table = 'customers') {
  return browser.get(
    `/ui/files/${await browser.hashOf('/customers').catch(() => 'none')}/${table}.csv?path=${encodeURIComponent(path)}`,
  );
}

/** The Client reads text; a workbook is bytes. */
async function workbookOf(browser: Client, path: string, table: string) {
  const address = `${portal.url}/ui/files/none/${table}.xlsx?path=${encodeURIComponent(path)}`;
  const reply = await fetch(address, { headers: { cookie: browser.cookie } });
  assert.equal(reply.status, 200);
  return { headers: reply.headers, bytes: Buffer.from(await reply.arrayBuffer()) };
}

const lines = (text: string): string[] => text.trimEnd().split('\r\n');

test('a download is the whole current filter, whatever page is shown', async () => {
  const { status, headers, text } = await download(reseller, '/customers?page=3&size=25');
  assert.equal(status, 200);
  assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8');
  assert.equal(lines(text).length, 41);
  const changing = await download(reseller, '/customers?status=Suspended');
  const { body } = await reseller.get('/ui/data/customers.list?status=Suspended&pageSize=100');
  assert.equal(lines(changing.text).length, body.Result.Items.length + 1);
});

test('82: two files of one account are made at once, one more is refused, and another account gets its own', async t => {
  let release = (): void => undefined;
  const released = new Promise<void>(resolve => {
    release = resolve;
  });
  t.after(() => proxy.intercept(undefined));
  let asked = 0;
  proxy.intercept(async ({ url }) => {
    if (!url.startsWith('/api/customers')) return false;
    asked += 1;
    await released;
    return false;
  });
  const made = [download(reseller, '/customers'), download(reseller, '/customers')];
  await eventually(() => asked === 2);
  const { status, body } = await download(reseller, '/customers');
  assert.deepEqual([status, body.Resources.code], [422, 'EXPORTS_BUSY']);
  const other = download(engineer, '/customers');
  await eventually(() => asked === 3);
  release();
  for (const file of await Promise.all([...made, other])) assert.equal(file.status, 200);
  assert.equal((await download(reseller, '/customers')).status, 200);
});

test('the activity of a customer is exported by who, what and when as the address says', async () => {
  const all = '/customers/customer/10001?tab=activity';
  const file = async (query: string) => lines((await download(reseller, `${all}${query}`, 'activity')).text).slice(1);
  const rows = await file('');
  const cloud = await file('&activityActor=Cloud&activityAction=Service%20activated');
  assert.ok(cloud.length > 0 && cloud.length < rows.length);
  for (const row of cloud) assert.match(row, /^Service activated,.*Activating,Active,Cloud,/);
  assert.deepEqual(await file('&activityTo=1999-12-31'), []);
  assert.equal((await download(reseller, `${all}&activityFrom=yesterday`, 'activity')).status, 400);
});

test('the services of a customer are exported as the filter says, and with prices only for who sees them', async () => {
  const all = '/customers/customer/10001?tab=services';
  const rows = async (browser: Client, query = '') => lines((await download(browser, all + query, 'services')).text);
  const { body } = await reseller.get('/ui/data/customers.services?customerId=10001&pageSize=100');
  const own = await rows(reseller);
  assert.equal(
    own[0]?.replace('\uFEFF', ''),
    'Service,User,Status,Reason,Quantity,"Per month, recurring (GBP)",Last change (Europe/London)',
  );
  assert.equal(own.length, body.Result.Items.length + 1);
  assert.match(own[1] ?? '', /,\d+\.\d\d,/);
  const found = await rows(reseller, '&servicesSearch=exchange');
  assert.deepEqual([found.length, found[1]?.split(',')[0]], [2, 'Hosted Exchange']);
  const other = await rows(engineer);
  assert.equal(other[0]?.replace('\uFEFF', ''), 'Service,User,Status,Reason,Quantity,Last change (Europe/London)');
  assert.equal(other.length, own.length);
  assert.doesNotMatch(other.join(), /,\d+\.\d\d,/);
});

test('a workbook has the rows of the file of text: numbers are numbers, days are dates, and no text is a formula', async () => {
  const path = '/customers/customer/10001?tab=services';
  const { text } = await download(reseller, path, 'services');
  const [head, ...expected] = parse(text, { bom: true }) as string[][];
  const { bytes, headers } = await workbookOf(reseller, path, 'services');
  assert.equal(headers.get('content-type'), 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet');
  assert.match(headers.get('content-disposition') ?? '', /filename="[^"]+ \d{4}-\d\d-\d\d\.xlsx"/);
  const { rows, xml } = readWorkbook(bytes);
  assert.deepEqual(rows[0], head);
  assert.equal(rows.length, expected.length + 1);
  const change = rows.slice(1).map(row => row[6]);
  assertEvery(change, cell => cell instanceof Date);
  for (const [index, row] of rows.slice(1).entries()) {
    const wanted = expected[index] ?? [];
    assert.deepEqual(
      [row[0], row[4], row[5] === null ? '' : Number(row[5]).toFixed(2)],
      [wanted[0], wanted[4] === '' ? null : Number(wanted[4]), wanted[5]],
    );
    const wall = (row[6] as Date).toISOString();
    assert.equal(`${wall.slice(8, 10)}/${wall.slice(5, 7)}/${wall.slice(0, 4)} ${wall.slice(11, 16)}`, wanted[6]);
  }
  assert.doesNotMatch(xml, /<f>|<f /);
  const other = readWorkbook((await workbookOf(engineer, path, 'services')).bytes);
  assert.deepEqual(other.rows[0], ['Service', 'User', 'Status', 'Reason', 'Quantity', 'Last change (Europe/London)']);
  assert.doesNotMatch(other.xml, /GBP/);
});

test('a text that a spreadsheet would run is a text in a workbook, whatever is in it', async () => {
  const item = { Name: '=1+1', OrganisationId: '1', Domain: 'a\u0000<b>&.test' };
  proxy.intercept(({ url }, response) =>
    url.startsWith('/api/customers?')
      ? answerJson(response, 200, { Succeed: true, Result: { Items: [item], Total: 1 } })
      : false,
  );
  const { bytes } = await workbookOf(reseller, '/customers', 'customers');
  proxy.intercept(undefined);
  const { rows, xml } = readWorkbook(bytes);
  assert.deepEqual(rows[1]?.slice(0, 2), ['=1+1', 'a<b>&.test']);
  assert.doesNotMatch(xml, /<f>|<f /);
});

test('times are those of the browser’s zone, which the head names; a zone that is none is that of the portal', async () => {
  const path = encodeURIComponent('/customers/customer/10001?tab=services');
  const timesIn = async (zone: string) => {
    const { text } = await reseller.get(`/ui/files/none/services.csv?path=${path}&zone=${encodeURIComponent(zone)}`);
    const [head = [], ...rows] = parse(text, { bom: true }) as string[][];
    return { head: head.at(-1), times: rows.map(row => row.at(-1) ?? '') };
  };
  const { body } = await reseller.get('/ui/data/customers.services?customerId=10001&pageSize=100');
  const changed = (body.Result.Items as { LastChange: string }[]).map(({ LastChange }) => LastChange);
  for (const [zone, named] of [
    ['America/Los_Angeles', 'America/Los_Angeles'],
    ['UTC', 'UTC'],
    ['Mars/Base', 'Europe/London'],
  ] as const) {
    const { head, times } = await timesIn(zone);
    assert.equal(head, `Last change (${named})`);
    const clock = new Intl.DateTimeFormat('en-GB', { timeZone: named, dateStyle: 'short', timeStyle: 'short' });
    assert.deepEqual(
      times,
      changed.map(moment => clock.format(new Date(moment)).replace(',', '')),
    );
  }
});

test('a file about one thing says in its name which one', async () => {
  const [invoice] = (await reseller.get('/ui/data/billing.invoices')).body.Result.Items as { Id: string }[];
  const nameOf = async (path: string, table: string) => {
    const { headers } = await reseller.get(`/ui/files/none/${table}.csv?path=${encodeURIComponent(path)}`);
    return decodeURIComponent(/filename\*=UTF-8''(.+)$/.exec(headers.get('content-disposition') ?? '')?.[1] ?? '');
  };
  assert.match(
    await nameOf(`/billing/invoices/invoice-detail/${invoice?.Id}`, 'lines'),
    new RegExp(`^Invoice ${invoice?.Id} - Lines \\d{4}-\\d\\d-\\d\\d\\.csv$`),
  );
  assert.match(await nameOf('/customers/customer/10001?tab=services', 'services'), /^10001 - Services \d{4}/);
});

test('a download is an attachment with a name of its own and is not kept', async () => {
  const { headers } = await download(reseller, '/customers');
  assert.match(
    headers.get('content-disposition') ?? '',
    /^attachment; filename="Customers \d{4}-\d\d-\d\d\.csv"; filename\*=UTF-8''Customers%20\d{4}-\d\d-\d\d\.csv$/,
  );
  assert.equal(headers.get('cache-control'), 'no-store');
});

test('columns and values that the caller may not see are not in the file', async () => {
  const own = await download(reseller, '/customers');
  const other = await download(engineer, '/customers');
  assert.match(lines(own.text)[0] ?? '', /Customer,Domain,.*Per month, recurring \(GBP\)/);
  assert.match(lines(own.text)[1] ?? '', /,\d+\.\d\d,/);
  assert.doesNotMatch(lines(other.text)[0] ?? '', /Per month/);
  assert.doesNotMatch(lines(other.text)[1] ?? '', /,\d+\.\d\d,/);
});

test('a table that the caller does not have is not found', async () => {
  const endUser = await portal.signIn('user@contoso.test');
  assert.equal((await download(endUser, '/customers')).status, 404);
  assert.equal((await download(portal.client(), '/customers')).status, 404);
  assert.equal((await download(reseller, '/customers', 'nothing')).status, 404);
  assert.equal((await download(reseller, '/dashboard')).status, 404);
});

/** The cells of CSV, as a spreadsheet reads them whose lists are separated by `delimiter`. */
const cellsOf = (csv: string, delimiter: ',' | ';'): string[][] =>
  parse(csv, { bom: true, delimiter, relax_quotes: delimiter === ';', relax_column_count: delimiter === ';' });

/** The file of a report of which the cloud gives these rows. */
async function reportOf(rows: readonly Record<string, unknown>[]): Promise<string> {
  proxy.intercept(({ url }, response) =>
    url.startsWith('/api/azure-charges/latest?')
      ? answerJson(response, 200, { Succeed: true, Result: { response: { results: rows, total: rows.length } } })
      : false,
  );
  const path = encodeURIComponent('/billing/psa/report?tab=charges');
  const { status, text } = await reseller.get(`/ui/files/none/charges.csv?path=${path}`);
  proxy.intercept(undefined);
  assert.equal(status, 200, text);
  return text;
}

const chargeOf = (customer: string, charge: unknown) => ({ id: '1', cmCustomer: { name: customer }, charge });

test('any number is one in the file, whatever its sign and size', async () => {
  const number = fc.oneof(
    fc.integer(),
    fc.integer().map(cents => cents / 100),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(number, { minLength: 1, maxLength: 20 }), async numbers => {
      const [titles = [], ...rows] = cellsOf(await reportOf(numbers.map(charge => chargeOf('Contoso', charge))), ',');
      const column = titles.findIndex(title => title.startsWith('Charge'));
      assert.deepEqual(
        rows.map(row => Number(row[column])),
        numbers.map(one => (one === 0 ? 0 : one)),
      );
    }),
    { numRuns: 20 },
  );
});

test('a text that looks like a number is a text, and an amount of money is a number', async () => {
  const [, row = []] = cellsOf(await reportOf([chargeOf('-2+3', '-18')]), ',');
  assert.equal(row[0], "'-2+3");
  assert.ok(row.includes('-18.00'), JSON.stringify(row));
});

test('no text begins a formula, a cell or a row, whichever separator a spreadsheet goes by', async () => {
  const signs = [
    '=',
    '+',
    '-',
    '@',
    '\t',
    '\r',
    '\n',
    '\r\n',
    '"',
    "'",
    ',',
    ';',
    ' ',
    '|',
    '%',
    '＝',
    '＋',
    '－',
    '＠',
  ];
  const piece = fc.constantFrom(...signs, 'a', '1', 'HYPERLINK("http://evil.test")', "cmd|' /C calc'!A0");
  const cell = fc.array(piece, { minLength: 1, maxLength: 6 }).map(pieces => pieces.join(''));
  await fc.assert(
    fc.asyncProperty(fc.array(cell, { minLength: 1, maxLength: 20 }), async names => {
      const csv = await reportOf(names.map((name, index) => chargeOf(name, index)));
      const [titles = [], ...rows] = cellsOf(csv, ',');
      assert.equal(rows.length, names.length, 'no text begins a row of its own');
      for (const row of rows) assert.equal(row.length, titles.length, 'no text begins a cell of its own');
      for (const value of [...rows, ...cellsOf(csv, ';')].flat())
        assert.doesNotMatch(value, /^[=+\-@＝＋－＠\t\r\n]/, JSON.stringify(csv));
      assert.doesNotMatch(csv, /\t/);
    }),
    { numRuns: 100 },
  );
});

test('a text without formulas is in the file as it is', async () => {
  const names = ['a;b', 'O’Hara "and" sons; London', 'Café, Zoë', '2-3', '5;'];
  const [, ...rows] = cellsOf(await reportOf(names.map(name => chargeOf(name, 1))), ',');
  assert.deepEqual(
    rows.map(([name]) => name),
    ['a;b', 'O’Hara "and" sons; London', 'Café, Zoë', '2-3', "5;'"],
  );
});

test('a cloud that fails at the first page is answered as a failure, not as a file', async () => {
  proxy.intercept(({ url }, response) => (url.startsWith('/api/customers?') ? answerJson(response, 500, {}) : false));
  const reply = await download(reseller, '/customers');
  proxy.intercept(undefined);
  assert.deepEqual([reply.status, reply.body.Resources.code], [502, 'UPSTREAM_FAILED']);
});

test('a cloud that fails later cuts the file off, so that nobody takes it for whole', async () => {
  const full = Array.from({ length: 100 }, (_, index) => ({
    Name: `Customer ${index}`,
    OrganisationId: String(index),
  }));
  let pages = 0;
  proxy.intercept(({ url }, response) => {
    if (!url.startsWith('/api/customers?')) return false;
    pages += 1;
    return pages > 3
      ? answerJson(response, 500, {})
      : answerJson(response, 200, { Succeed: true, Result: { Items: full, Total: 5000 } });
  });
  await assert.rejects(download(reseller, '/customers'));
  proxy.intercept(undefined);
});

test('any title makes one well-formed header', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), name => {
      const header = contentDisposition(name);
      assert.match(header, /^attachment; filename="[A-Za-z0-9 ._-]*"; filename\*=UTF-8''[A-Za-z0-9%._~!*'()-]*$/);
      assert.ok(!/['()*]/.test(header.split("UTF-8''")[1] ?? ''));
    }),
  );
});

const paper = (browser: Client, query = 'agreementId=2') => browser.file(`/ui/downloads/agreements.download?${query}`);

test('what the cloud gives as a file is an attachment with a name of its own and is not kept', async () => {
  const { status, headers, text } = await paper(reseller);
  assert.equal(status, 200);
  assert.match(text, /^%PDF-/);
  assert.equal(headers.get('content-type'), 'application/pdf');
  assert.equal(headers.get('cache-control'), 'no-store');
  assert.equal(headers.get('x-content-type-options'), 'nosniff');
  assert.match(headers.get('content-disposition') ?? '', /^attachment; filename="agreement-2-v\d+\.pdf"/);
});

test('a file is there for who is shown the way to it, as a file and as nothing else', async () => {
  const visitor = portal.client();
  const administrator = await portal.signIn('buyer@zephyrcycles.test');
  assert.equal((await paper(visitor)).status, 401);
  assert.equal((await paper(administrator)).status, 403);
  assert.equal((await reseller.get('/ui/data/agreements.download?agreementId=2')).status, 403);
  assert.equal((await reseller.file('/ui/downloads/customers.list')).status, 403);
  assert.equal((await paper(reseller, 'agreementId=2&agreementId=3')).status, 400);
  assert.equal((await paper(reseller, 'agreementId=..%2F2')).status, 400);
  const missing = await paper(reseller, 'agreementId=99');
  assert.deepEqual([missing.status, missing.headers.get('content-disposition')], [404, null]);
});

test('a name of the cloud leads nowhere, hides nothing and has the ending of its type', () => {
  assert.equal(fileName('invoice 7.PDF', 'application/pdf'), 'invoice 7.pdf');
  assert.equal(fileName('../../etc/passwd', 'text/csv'), 'etc passwd.csv');
  assert.equal(fileName('bill\u202Efdp.exe', 'application/pdf'), 'bill fdp.exe.pdf');
  assert.equal(fileName('', 'application/pdf'), 'file.pdf');
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), given => {
      const name = fileName(given, 'text/csv');
      assert.match(name, /^[^\p{C}\\/:*?"<>|]{1,200}\.csv$/u);
      assert.doesNotThrow(() => contentDisposition(name));
    }),
  );
});
