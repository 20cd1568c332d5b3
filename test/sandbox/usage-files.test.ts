import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { forgetWaiting } from '../../server/sandbox/usage/files.ts';
import { daysAgo, focusFile } from '../fixtures/focus-file.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { setUp } from '../fixtures/set-up.ts';

const sandbox = withSandbox();
let token: string;
setUp(async () => {
  token = await sandbox.signIn('reseller@northwind.test');
});

/** Customers that use nothing yet, one for each test. */
let customer = 10_010;
const next = () => `/api/customers/${++customer}/usage`;
const load = (usage: string, file: string | Buffer, query = '', by = token) =>
  sandbox.call(by, 'POST', `${usage}/files?${query}`, file, { 'content-type': 'text/csv' });
const report = async (usage: string, query = '') => (await sandbox.call(token, 'GET', `${usage}?${query}`)).body.Result;
const nothingStaged = async () =>
  assert.deepEqual(await sandbox.db.selectFrom('usage_staged').selectAll().execute(), []);

test('the sums of a report are those of the file, to the last decimal', async () => {
  const usage = next();
  const costs = ['0.1', '0.2', '0.000000000123', '12345.678901', '1e-7', '-0.3', '.5'];
  const file = focusFile(costs.map((BilledCost, hour) => ({ BilledCost, ConsumedQuantity: `0.${hour}` })));
  const { status, body } = await load(usage, file, 'name=may.csv');
  assert.equal(status, 200);
  const day = daysAgo(1).slice(0, 10);
  const sum = '12346.178901100123';
  const { FileId, Change, ...counts } = body.Result;
  assert.match(FileId, /^\d+$/);
  const none = { Replaced: 0, Unchanged: 0, Gone: 0 };
  assert.deepEqual(counts, { Rows: 7, From: day, To: day, Spend: Number(sum), Added: 1, ...none });
  assert.equal(Change, Number(sum));
  const found = await report(usage, 'by=meter');
  assert.equal(found.Spend, Number(sum));
  assert.deepEqual(found.Items.at(-1), {
    Id: `${day} 1`,
    Date: day,
    Symbol: 'D2s v5',
    Quantity: 2.1,
    Unit: 'Hours',
    Spend: found.Spend,
  });
  const kept = await sql<{ cost: string }>`
    select sum(cost)::text as cost from usage_days d join usage_meters m on m.id = d.meter_id
    where m.name = 'D2s v5'`.execute(sandbox.db);
  assert.equal(kept.rows[0]?.cost, sum);
  await nothingStaged();
});

/** What a load says that it changes. */
const changesOf = async (usage: string, file: string, query = '') => {
  const { status, body } = await load(usage, file, query);
  assert.equal(status, 200, JSON.stringify(body));
  const { Added, Replaced, Unchanged, Gone, Change } = body.Result;
  return [Added, Replaced, Unchanged, Gone, Change];
};
const spent = async (usage: string) => (await report(usage)).Spend;
const [tenth, eleventh] = [
  { ChargePeriodStart: daysAgo(2), BilledCost: '100.00' },
  { ChargePeriodStart: daysAgo(1), BilledCost: '10.00' },
];

test('what is loaded again replaces and never adds, whatever its line ends and at how many places', async () => {
  const usage = next();
  const file = focusFile([tenth]);
  await Promise.all([load(usage, file), load(usage, file), load(usage, file.replaceAll('\r\n', '\n'))]);
  assert.equal(await spent(usage), 100);
  assert.deepEqual(await changesOf(usage, file), [0, 0, 1, 0, 0]);
  assert.deepEqual(await changesOf(usage, focusFile([tenth, eleventh])), [1, 0, 1, 0, 10]);
  assert.equal(await spent(usage), 110);
  const corrected = focusFile([
    { ...tenth, BilledCost: '80.00' },
    { ...eleventh, ResourceId: '/other', BilledCost: '1' },
  ]);
  assert.deepEqual(await changesOf(usage, corrected), [1, 1, 0, 1, -29]);
  assert.equal(await spent(usage), 81);
  await nothingStaged();
});

test('another source, subscription or day is left as it is', async () => {
  const usage = next();
  await load(usage, focusFile([tenth, eleventh]));
  for (const [other, sum] of [
    [{ ProviderName: 'Other cloud', ...tenth }, 210],
    [{ SubAccountId: '22222222-2222-4222-8222-222222222222', ...tenth }, 310],
    [{ ...tenth, ChargePeriodStart: daysAgo(3) }, 410],
  ] as const) {
    assert.deepEqual(await changesOf(usage, focusFile([other])), [1, 0, 0, 0, 100]);
    assert.equal(await spent(usage), sum);
  }
});

const filesOf = (usage: string, of = '') => sandbox.call(token, 'GET', `${usage}/files${of}`);
const fileOf = async (usage: string, file: string, query = ''): Promise<string> =>
  (await load(usage, file, query)).body.Result.FileId;
const act = async (usage: string, id: string, verb: 'load' | 'undo', by = token) =>
  (await sandbox.call(by, 'POST', `${usage}/files/${id}/${verb}`)).status;

test('a preview says by subscription what a file would change, changes nothing, and is loaded once', async () => {
  const usage = next();
  await load(usage, focusFile([tenth]));
  const other = { ...eleventh, SubAccountId: '22222222-2222-4222-8222-222222222222', SubAccountName: 'Office' };
  const id = await fileOf(usage, focusFile([{ ...tenth, BilledCost: '90.5' }, eleventh, other]), 'preview=true');
  assert.equal(await spent(usage), 100);
  const { Status, Added, Replaced, Unchanged, Gone, Before, After, Change, Currency } = (await filesOf(usage, `/${id}`))
    .body.Result;
  assert.deepEqual([Status, Added, Replaced, Unchanged, Gone], ['Waiting', 2, 1, 0, 0]);
  assert.deepEqual([Before, After, Change, Currency], [100, 110.5, 10.5, 'GBP']);
  const { Items } = (await filesOf(usage, `/${id}/subscriptions`)).body.Result;
  assert.deepEqual(
    Items.map((row: Record<string, unknown>) => [row.Subscription, row.Added, row.Replaced, row.Before, row.After]),
    [
      ['Laboratory', 1, 1, 100, 100.5],
      ['Office', 1, 0, 0, 10],
    ],
  );
  assert.deepEqual([await act(usage, id, 'undo'), await act(usage, id, 'load')], [409, 200]);
  assert.deepEqual([await act(usage, id, 'load'), await spent(usage)], [409, 110.5]);
  assert.equal((await filesOf(usage, `/${id}`)).body.Result.Status, 'Loaded');
  await nothingStaged();
});

test('a preview that is out of date is shown anew before anything is loaded', async () => {
  const usage = next();
  const id = await fileOf(usage, focusFile([tenth, eleventh]), 'preview=true');
  await load(usage, focusFile([tenth]));
  assert.deepEqual([await act(usage, id, 'load'), await spent(usage)], [409, 100]);
  const { Added, Unchanged, Change } = (await filesOf(usage, `/${id}`)).body.Result;
  assert.deepEqual([Added, Unchanged, Change], [1, 1, 10]);
  assert.deepEqual([await act(usage, id, 'load'), await spent(usage)], [200, 110]);
});

test('of files that wait the newest five stay, and none for longer than a day', async () => {
  const usage = next();
  const ids: string[] = [];
  for (let file = 0; file < 6; file += 1) ids.push(await fileOf(usage, focusFile([tenth]), 'preview=true'));
  assert.deepEqual([await act(usage, ids[0]!, 'load'), (await filesOf(usage)).body.Result.Total], [404, 5]);
  await forgetWaiting(sandbox.db, new Date(Date.now() + 86_400_000 + 60_000));
  assert.equal((await filesOf(usage)).body.Result.Total, 0);
  await nothingStaged();
});

test('what an invoice has charged is not taken back, but corrected', async () => {
  const usage = next();
  const month = { ...tenth, ChargePeriodStart: firstOfMonthBefore() };
  const id = await fileOf(usage, focusFile([month]));
  await chargeAll(usage);
  assert.equal((await filesOf(usage, `/${id}`)).body.Result.Status, 'Billed');
  assert.equal(await act(usage, id, 'undo'), 409);
  const corrected = await fileOf(usage, focusFile([{ ...month, BilledCost: '1' }]));
  assert.equal(await act(usage, corrected, 'undo'), 200);
});

/** The first day of the month before, as a stamp. */
const firstOfMonthBefore = () => {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1)).toISOString();
};

/** Has the last line of the customer's invoices charge what was loaded, as if the line had come after it. */
async function chargeAll(usage: string): Promise<void> {
  const customer = sandbox.db.selectFrom('customers').where('organisation_id', '=', Number(usage.split('/')[3]));
  await sandbox.db
    .updateTable('usage_files')
    .set({ lines_before: 0 })
    .where('customer_id', '=', customer.select('id'))
    .execute();
  await sql`
    insert into invoice_usage (line_id, subscription_id, month, meter_id, service, meter, unit, quantity, cost)
    select (select max(id) from invoice_lines where customer_id = s.customer_id), s.id,
      date_trunc('month', d.day::timestamp)::date, d.meter_id, '', '', '', 1, d.cost
    from usage_subscriptions s
    join usage_groups g on g.subscription_id = s.id
    join usage_meter_days d on d.group_id = g.id
    where s.customer_id = (${customer.select('id')})`.execute(sandbox.db);
}

test('a file is taken back whole, the latest first and once', async () => {
  const usage = next();
  const first = await fileOf(usage, focusFile([tenth, eleventh]));
  const second = await fileOf(
    usage,
    focusFile([
      { ...tenth, BilledCost: '5' },
      { ...eleventh, ResourceId: '/other' },
    ]),
  );
  assert.equal(await spent(usage), 15);
  assert.deepEqual([await act(usage, first, 'undo'), await spent(usage)], [409, 15]);
  assert.deepEqual([await act(usage, second, 'undo'), await spent(usage)], [200, 110]);
  assert.deepEqual(
    [await act(usage, second, 'undo'), await act(usage, first, 'undo'), await spent(usage)],
    [409, 200, 0],
  );
  assert.deepEqual([await act(usage, '0', 'undo'), await act(usage, 'x', 'undo')], [404, 404]);
  const activity = await sandbox.call(token, 'GET', usage.replace('/usage', '/activity?search=usage'));
  assert.deepEqual(
    activity.body.Result.Items.map(({ Action }: { Action: string }) => Action),
    ['Usage taken back', 'Usage taken back', 'Usage loaded', 'Usage loaded'],
  );
  assert.equal(await act(usage, first, 'undo', await sandbox.signIn('rival@southridge.test')), 404);
});

test('what a row is about follows from its columns, those of Azure first', async () => {
  const usage = next();
  const id = '/subscriptions/s/resourceGroups/RG-From-Id/providers/p/disks/disk-1';
  await load(
    usage,
    focusFile(
      [
        { ResourceId: id, ResourceName: '', BilledCost: '4' },
        { ResourceId: id.toUpperCase(), ResourceName: 'disk-1', BilledCost: '4' },
        { ResourceId: '', ResourceName: 'NULL', ChargeCategory: 'Tax', BilledCost: '1' },
      ],
      ['x_ResourceGroupName', 'x_SkuMeterName', 'ConsumedUnit'],
    ),
  );
  const symbols = async (by: string) =>
    (await report(usage, `by=${by}`)).Values.map((series: { Symbol: string }) => series.Symbol);
  assert.deepEqual(await symbols('group'), ['RG-From-Id', 'Tax']);
  assert.deepEqual(await symbols('resource'), ['disk-1', 'Tax']);
  assert.deepEqual(await symbols('meter'), ['Virtual Machines']);
});

test('bad rows are told by their lines, and nothing of the file is loaded', async () => {
  const usage = next();
  const file = focusFile([
    {},
    { BilledCost: 'a lot' },
    { Tags: 'two\nlines', ChargePeriodStart: '2026-02-30T00:00:00Z' },
    { SubAccountId: '' },
    { BillingCurrency: 'EUR' },
    { ConsumedQuantity: '1,5' },
    { ResourceName: 'a\u0000b' },
    { ChargePeriodStart: '2026-02-03T00:00:00+02:00' },
    {},
  ]);
  const { status, body } = await load(usage, `${file}1,2,3\r\n`);
  assert.deepEqual([status, body.Succeed, body.Error], [400, false, 'Invalid']);
  assert.deepEqual(body.Messages, [
    'Nothing was loaded.',
    'Line 3: BilledCost is "a lot", which is no number.',
    'Line 5: ChargePeriodStart is "2026-02-30T00:00:00Z", which is no date in UTC.',
    'Line 6: SubAccountId is empty, and BillingAccountId too.',
    'Line 7: BillingCurrency is "EUR", where rows before have "GBP".',
    'Line 8: ConsumedQuantity is "1,5", which is no number.',
    'Line 9: a value that is too long or has control characters.',
    'Line 10: ChargePeriodStart is "2026-02-03T00:00:00+02:00", which is no date in UTC.',
    'Line 12: 3 values, where the header has 20.',
  ]);
  assert.deepEqual((await report(usage)).Items, []);
  await nothingStaged();
});

test('of many bad rows the first are told, and how many more there are', async () => {
  const { body } = await load(next(), focusFile(Array(3000).fill({ BilledCost: '' })));
  assert.equal(body.Messages.length, 22);
  assert.equal(body.Messages.at(-1), 'And 2980 more.');
});

test('what is no such file is refused whole', async () => {
  const usage = next();
  const cases = [
    ['', 'The file has no rows.'],
    [focusFile([]), 'The file has no rows.'],
    [
      focusFile([{}], ['BilledCost', 'SubAccountId', 'BillingAccountId']),
      'The header has no BilledCost, SubAccountId.',
    ],
    [`${focusFile([{}])}"never closed`, 'Line 3, column 1: a value opens a quote that nothing closes.'],
    [`${focusFile([{}])}Ann "Annie",1`, /^Line 3, column 1: a quote stands inside a value\./],
    ['x'.repeat(2_000_000), /^Line 1, column 1: the line is too long/],
    [gzipSync(focusFile([{}])), 'This file is compressed. Unpack it first.'],
    [Buffer.from('PK\x03\x04\0'), /^This is a workbook/],
  ] as const;
  for (const [file, message] of cases) {
    const { status, body } = await load(usage, file);
    assert.equal(status, 400);
    if (typeof message === 'string') assert.equal(body.Messages[1], message);
    else assert.match(body.Messages[1], message);
  }
  const json = await sandbox.call(token, 'POST', `${usage}/files`, { BilledCost: 1 });
  assert.equal(json.status, 415);
  await nothingStaged();
});

test('taxes and credits of a whole bill stand under its account, as the standard has them', async () => {
  const usage = next();
  const bill = { SubAccountId: '', SubAccountName: '', ResourceId: '', BillingAccountId: 'b-1' };
  const file = focusFile([
    { ChargePeriodStart: daysAgo(1).replace('Z', '+00:00') },
    {
      ...bill,
      BillingAccountName: 'The bill',
      ChargeCategory: 'Tax',
      ChargePeriodStart: daysAgo(1).replace('Z', ' UTC'),
    },
    { ...bill, BillingAccountName: 'The bill', ChargeCategory: 'Credit', BilledCost: '-0.20' },
  ]);
  assert.equal((await load(usage, file)).status, 200);
  assert.equal((await report(usage)).Spend, 2);
  const { body } = await sandbox.call(token, 'GET', `${usage}/subscriptions`);
  assert.deepEqual(
    body.Result.map(({ Text }: { Text: string }) => Text),
    ['Laboratory', 'The bill'],
  );
});

test('a large file of two encodings is refused by its line, and hidden signs in names are left out', async () => {
  const usage = next();
  const rows = Array.from({ length: 300 }, () => ({ ResourceName: 'Zoë' }));
  const file = Buffer.concat([Buffer.from(focusFile(rows)), Buffer.from('Zo\xeb,1\r\n', 'latin1')]);
  const { status, body } = await load(usage, file);
  assert.deepEqual([status, body.Messages[1]], [400, 'Line 302 is not in UTF-8, as the lines before it are.']);
  await load(usage, focusFile([{ ResourceName: 'vm\u202e-\u200blab' }]));
  assert.equal((await report(usage, 'by=resource')).Values[0].Symbol, 'vm-lab');
});

test('names of a file in the code page of old Windows, or in UTF-16, are read as they are meant', async () => {
  for (const encode of [
    (text: string) => Buffer.from(text.replace('\uFEFF', ''), 'latin1'),
    (text: string) => Buffer.from(text, 'utf16le'),
  ]) {
    const usage = next();
    assert.equal((await load(usage, encode(focusFile([{ ResourceName: 'Zoë' }])))).status, 200);
    const { Values } = await report(usage, 'by=resource');
    assert.deepEqual(Values[0].Symbol, 'Zoë');
  }
});

test('a file in another currency needs a rate, which is above zero, and one in the own currency allows none', async () => {
  const usage = next();
  const dollars = { BillingCurrency: 'USD', BilledCost: '10.01' };
  const file = focusFile([dollars, { ...dollars, BilledCost: '0' }]);
  const { body } = await load(usage, file);
  const said = 'Line 2: BillingCurrency is "USD", where the reseller is billed in GBP: a rate is needed.';
  assert.deepEqual(body.Messages, ['Nothing was loaded.', said]);
  assert.equal((await load(usage, file, 'rate=-1')).status, 400);
  const messages = async (query: string, sent = file) => (await load(usage, sent, query)).body.Messages;
  assert.deepEqual(await messages('rate=0.000'), ['Nothing was loaded.', 'The rate is zero.']);
  const own = 'Line 2: BillingCurrency is "GBP", which the reseller is billed in: leave the rate empty.';
  assert.deepEqual(await messages('rate=0.79', focusFile([{ BilledCost: '10.01' }])), ['Nothing was loaded.', own]);
  const { FileId } = (await load(usage, file, 'rate=0.79')).body.Result;
  const { FileCurrency, Rate } = (await sandbox.call(token, 'GET', `${usage}/files/${FileId}`)).body.Result;
  assert.deepEqual([FileCurrency, Rate], ['USD', '0.79']);
  assert.equal((await report(usage)).Spend, 7.9079);
});

test('an old file can be moved to where the report looks', async () => {
  const usage = next();
  const file = focusFile([
    { ChargePeriodStart: '2024-09-30 23:00:00.123+00', BilledCost: '1' },
    { ChargePeriodStart: '2024-09-30T00:00:00.0000000 +0000 UTC', BilledCost: '1' },
    { ChargePeriodStart: '2024-09-24', BilledCost: '1' },
  ]);
  await load(usage, file, 'shift=true');
  const [series] = (await report(usage)).Values;
  assert.deepEqual(series.Values, [1, null, null, null, null, null, 2]);
});

test('only who may change customers loads files, and for own customers', async () => {
  const usage = next();
  for (const [account, status] of [
    ['engineer@northwind.test', 403],
    ['admin@contoso.test', 403],
    ['rival@southridge.test', 404],
  ] as const) {
    const by = await sandbox.signIn(account);
    assert.equal((await load(usage, focusFile([{}]), '', by)).status, status, account);
  }
  assert.deepEqual((await report(usage)).Items, []);
});
