import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { inUtf16, readPdf } from '../fixtures/pdf-text.ts';
import { assertEvery, notEmpty } from '../fixtures/rows.ts';
import { withSandbox, withTokens } from '../fixtures/sandbox.ts';

/** The clock of the sandbox stands still, so that nothing becomes due meanwhile. */
const now = new Date();
const sandbox = withSandbox({ now: () => now });
const tokens = withTokens(sandbox, [
  'bookkeeper@northwind.test',
  'engineer@northwind.test',
  'rival@southridge.test',
  'admin@contoso.test',
  'empty@eastmoor.test',
]);

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects to be there
type Json = any;
const call = (who: string, path: string, method = 'GET', body?: unknown) =>
  sandbox.call(tokens[who]!, method, path, body);
const read = async (path: string, who = 'bookkeeper'): Promise<Json> => {
  const { status, body } = await call(who, path);
  assert.equal(status, 200, path);
  return body.Result;
};
const cents = (amount: string): number => Math.round(Number(amount) * 100);
const sumOf = (rows: readonly Json[], field: string): number => rows.reduce((sum, row) => sum + cents(row[field]), 0);
const pounds = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'GBP' });

/** All rows of a list, page by page. */
async function readAll(path: string): Promise<Json[]> {
  const rows: Json[] = [];
  for (let page = 1; page < 100; page++) {
    const { Items } = await read(`${path}${path.includes('?') ? '&' : '?'}pageSize=100&page=${page}`);
    rows.push(...Items);
    if (Items.length < 100) break;
  }
  return rows;
}

test('invoices are listed with their sums, narrowed by year, state, customer and words', async () => {
  const all = await read('/billing/invoices?pageSize=100');
  assert.ok(all.Total >= 13);
  assert.equal(sumOf(all.Items, 'Gross'), cents(all.Gross));
  assert.equal(sumOf(all.Items, 'Left'), cents(all.Left));
  const [newest] = all.Items;
  const year = newest.Issued.slice(0, 4);
  const ofYear = await read(`/billing/invoices?pageSize=100&year=${year}`);
  assertEvery<Json>(ofYear.Items, ({ Issued }) => Issued.startsWith(year));
  assert.equal(ofYear.Total, all.Items.filter(({ Issued }: Json) => Issued.startsWith(year)).length);
  const paid = await read('/billing/invoices?pageSize=100&status=Paid');
  assertEvery<Json>(paid.Items, ({ Status, Left }) => Status === 'Paid' && Left === '0.00');
  assert.equal(paid.Total, all.Counts.Paid);
  assert.deepEqual(
    (await read(`/billing/invoices?search=${newest.Id}`)).Items.map(({ Id }: Json) => Id),
    [newest.Id],
  );
  assert.equal(
    (await read('/billing/invoices?search=contoso')).Total,
    (await read('/billing/invoices?customer=10001')).Total,
  );
  assert.equal((await read('/billing/invoices?customer=10041')).Total, 0, 'a customer of somebody else');
});

test('customers to narrow invoices by are found among all invoices, and counted where more match', async () => {
  const first = await read('/billing/customers');
  assert.equal(first.Items.length, 20);
  const { Id } = await read('/billing/invoices/latest');
  const groups = await read(`/billing/invoices/${Id}/groups?pageSize=20`);
  assert.equal(first.Total, groups.Total);
  assert.deepEqual(
    first.Items.map((row: Json) => row.Name),
    groups.Items.map((row: Json) => row.Name),
  );
  assert.equal(first.Chosen, null);
  const found = await read('/billing/customers?search=conToso&chosen=10002');
  assert.deepEqual(found.Items, [{ Id: '10001', Name: 'Contoso' }]);
  assert.equal(typeof found.Chosen, 'string');
  assert.deepEqual(await read('/billing/customers?search=%25%25&chosen=10041'), { Items: [], Total: 0, Chosen: null });
});

test('what is owed is the sum of what is left of each invoice', async () => {
  const balance = await read('/billing/invoices/latest/summary');
  assert.equal(sumOf(balance.Items, 'Left'), cents(balance.Balance));
  const late = balance.Items.filter(({ Status }: Json) => Status === 'Overdue');
  const open = await read('/billing/invoices?status=Open&pageSize=100');
  assert.deepEqual([open.Total, open.Left, open.Counts.Open], [balance.OpenInvoices, balance.Balance, open.Total]);
  const [first] = balance.Items;
  assert.deepEqual([balance.FirstId, balance.FirstPayable], [first?.Id ?? null, first?.Left ?? null]);
  assert.equal(sumOf(late, 'Left'), cents(balance.Overdue));
  assert.equal(balance.OverdueInvoices, late.length);
});

test('lines, groups, taxes and totals of an invoice are the same cents', async () => {
  const { Id } = await read('/billing/invoices/latest');
  const invoice = await read(`/billing/invoices/${Id}`);
  const lines = await readAll(`/billing/invoices/${Id}/lines`);
  assert.equal(lines.length, invoice.Lines);
  assert.equal(sumOf(lines, 'Amount'), cents(invoice.Net));
  for (const by of ['customer', 'service'])
    assert.equal(sumOf(await readAll(`/billing/invoices/${Id}/groups?by=${by}`), 'Amount'), cents(invoice.Net), by);
  assert.ok(invoice.Taxes.length > 1, 'there is more than one rate');
  assert.equal(sumOf(invoice.Taxes, 'Taxable'), cents(invoice.Net));
  assert.equal(sumOf(invoice.Taxes, 'Tax'), cents(invoice.Tax));
  assert.equal(cents(invoice.Net) + cents(invoice.Tax), cents(invoice.Gross));
});

test('what changed since the invoice before adds up to the difference, by customer and service', async () => {
  const { Id, Net } = await read('/billing/invoices/latest');
  const changes = await read(`/billing/invoices/${Id}/changes`);
  const before = await read(`/billing/invoices/${changes.BeforeId}`);
  assert.equal(cents(changes.Change), cents(Net) - cents(before.Net));
  assert.equal(sumOf(notEmpty<Json>(changes.Items), 'Change'), cents(changes.Change));
  const [one] = changes.Items;
  const amountIn = async (invoice: string) =>
    sumOf(
      (await readAll(`/billing/invoices/${invoice}/lines?customer=${one.OrganisationId}`)).filter(
        ({ Service }) => Service === one.Service,
      ),
      'Amount',
    );
  assert.equal((await amountIn(Id)) - (await amountIn(changes.BeforeId)), cents(one.Change));
  // An invoice of before such comparisons were kept.
  await sql`truncate invoice_changes, invoice_customer_changes, invoice_change_sums`.execute(sandbox.db);
  assert.deepEqual(await read(`/billing/invoices/${Id}/changes`), changes);
  assert.deepEqual(await read(`/billing/invoices/${Id}/changes`), changes);
});

test('the sums of an invoice are given in the order of their changes as well', async () => {
  const { Id } = await read('/billing/invoices/latest');
  const groups = notEmpty(await readAll(`/billing/invoices/${Id}/groups?by=customer`));
  const order = [...groups].sort(
    (one, other) => cents(other.Change) - cents(one.Change) || (one.Id < other.Id ? -1 : 1),
  );
  assert.deepEqual(await readAll(`/billing/invoices/${Id}/groups?by=customer&sort=-Change`), order);
  assert.deepEqual(await readAll(`/billing/invoices/${Id}/groups?by=customer&sort=Change`), [...order].reverse());
  const searched = await read(`/billing/invoices/${Id}/groups?by=customer&sort=-Change&search=e`);
  assert.equal(searched.Items[0].Id, order.find(({ Name }) => Name.toLowerCase().includes('e'))?.Id);
});

test('a search in an invoice gives its page of the lines and sums in order, and counts all, also past the last page', async () => {
  const { Id } = await read('/billing/invoices/latest');
  const path = `/billing/invoices/${Id}`;
  const all = await readAll(`${path}/lines`);
  const word = all[0].CustomerName.slice(1, 6).toUpperCase();
  const found = all.filter(({ CustomerName, Service }) =>
    `${CustomerName} ${Service}`.toLowerCase().includes(word.toLowerCase()),
  );
  for (const page of [1, 2, 999]) {
    const lines = await read(`${path}/lines?search=${encodeURIComponent(word)}&pageSize=2&page=${page}`);
    assert.deepEqual(lines.Items, found.slice(2 * page - 2, 2 * page));
    assert.deepEqual([lines.Total, cents(lines.Amount)], [found.length, sumOf(found, 'Amount')]);
  }
  const groups = await readAll(`${path}/groups?by=customer`);
  const some = groups.filter(({ Name }) => Name.toLowerCase().includes('e'));
  for (const page of [1, 2, 999]) {
    const shown = await read(`${path}/groups?by=customer&search=E&pageSize=5&page=${page}`);
    assert.deepEqual([shown.Items, shown.Total], [some.slice(5 * page - 5, 5 * page), some.length]);
  }
});

test('days of issue are days: both ends are included, and one that there is not is refused', async () => {
  const [newest] = (await read('/billing/invoices')).Items;
  const dates = (from: string, to: string) => call('bookkeeper', `/billing/invoices?from=${from}&to=${to}`);
  assert.deepEqual((await dates(newest.Issued, newest.Issued)).body.Result.Items, [newest]);
  for (const wrong of ['2026-02-31', '2026-13-01', '0000-00-00'])
    assert.equal((await dates(wrong, newest.Issued)).status, 400, wrong);
});

test('a line of usage says each meter behind it', async () => {
  const { rows } = await sql<{ id: string; line: string; net: string }>`
    select 'FH-' || i.number as id, l.id::text as line, l.exact::text as net
    from invoice_lines l join invoices i on i.id = l.invoice_id
    where i.reseller_id = 1001 and l.kind = 'Usage' order by i.period desc, l.id limit 1`.execute(sandbox.db);
  const [{ id, line, net }] = notEmpty(rows) as [{ id: string; line: string; net: string }];
  const why = await read(`/billing/invoices/${id}/lines/${line}`);
  assert.equal(why.Exact, net);
  const { rows: sums } = await sql<{ agrees: boolean }>`
    select sum(c) = ${net}::numeric as agrees from unnest(${why.Usage.map(({ Cost }: Json) => Cost)}::numeric[]) c`.execute(
    sandbox.db,
  );
  assert.equal(sums[0]?.agrees, true);
});

test('a credit memo names the invoice that it credits and the one that it was taken off', async () => {
  const memos = await readAll('/billing/creditmemos');
  assert.ok(memos.length >= 2);
  for (const memo of memos) {
    const against = await read(`/billing/invoices/${memo.Against}`);
    const usedOn = await read(`/billing/invoices/${memo.UsedOn}`);
    assert.ok(against.Issued < memo.Issued);
    assert.equal(usedOn.Prepaid, memo.Gross);
    const lines = await readAll(`/billing/creditmemos/${memo.Id}/lines`);
    assert.equal(sumOf(lines, 'Amount'), cents(memo.Net));
  }
});

test('the history tells each invoice and credit memo, the newest first, by kind and year', async () => {
  const events = await readAll('/billing/history');
  const days = events.map(({ Day }) => Day);
  assert.deepEqual(days, [...days].sort().reverse());
  const issued = await read('/billing/history?what=InvoiceIssued&pageSize=100');
  assert.equal(issued.Total, (await read('/billing/invoices')).Total);
  assertEvery<Json>(issued.Items, ({ What, Kind }) => What === 'InvoiceIssued' && Kind === 'Invoice');
  assertEvery<Json>(issued.Items, row => row.InvoiceId === row.DocumentId && row.MemoId === null);
  const used = await read('/billing/history?what=CreditMemoUsed');
  assertEvery<Json>(used.Items, row => row.MemoId === row.DocumentId && row.InvoiceId === row.OtherId);
});

test('account totals are the sums of the invoices of each month', async () => {
  const totals = await read('/billing/account-totals');
  const invoices = await readAll('/billing/invoices');
  assert.deepEqual(
    totals.Items.map(({ Id, Net, Gross }: Json) => [Id, Net, Gross]),
    invoices.map(({ Id, Net, Gross }) => [Id, Net, Gross]),
  );
  for (const field of ['Net', 'Tax', 'Gross', 'Paid', 'Left'])
    assert.equal(sumOf(totals.Items, field), cents(totals[field]));
  const [first] = (await read('/billing/account-totals?sort=Period')).Items;
  assert.equal(first.Period, totals.Items.at(-1).Period);
});

test('what a customer costs is its part of each invoice', async () => {
  const billed = await readAll('/billing/customers/10001');
  const [newest] = billed;
  const lines = await readAll(`/billing/invoices/${newest.Id}/lines?customer=10001`);
  assert.equal(sumOf(lines, 'Amount'), cents(newest.Amount));
  assert.equal(lines.length, newest.Lines);
  assert.equal((await call('bookkeeper', '/billing/customers/10041')).status, 404);
});

test('the PDF is tagged and prints the cents of the screen', async () => {
  const { Id } = await read('/billing/invoices/latest');
  const [memo] = await readAll('/billing/creditmemos');
  for (const [path, title] of [
    [`/billing/invoices/${Id}`, `Invoice ${Id}`],
    [`/billing/creditmemos/${memo.Id}`, `Credit memo ${memo.Id}`],
  ] as const) {
    const reply = await fetch(`${sandbox.url}${path}/download`, {
      headers: { authorization: `Bearer ${tokens.bookkeeper}`, 'actor-id': 'bookkeeper@northwind.test' },
    });
    assert.equal(reply.headers.get('content-type'), 'application/pdf');
    const { source, pages, text } = readPdf(Buffer.from(await reply.arrayBuffer()));
    const shown = await read(path);
    const words = [title, 'Fernhill Cloud Ltd', shown.To.Name, shown.To.TaxNumber];
    const amounts = [shown.Net, shown.Tax, shown.Gross, shown.Left, ...shown.Taxes.map(({ Taxable }: Json) => Taxable)];
    const names: string[] = [];
    for (const line of await readAll(`${path}/lines`)) {
      words.push(line.Service);
      names.push(line.CustomerName);
      amounts.push(line.Amount);
    }
    for (const word of words) assert.ok(text.includes(word), `${title} does not say ${word}`);
    for (const name of names)
      assert.ok(text.includes(name) || source.includes(inUtf16(name)), `${title} does not say ${name}`);
    for (const amount of amounts)
      assert.ok(text.includes(pounds.format(amount).replace('-', '–')), `${title} does not say ${amount}`);
    assert.doesNotMatch(text, /-£/, 'a hyphen is no minus');
    assert.match(source, /\/Marked true/);
    for (const tag of ['Document', 'H1', 'H2', 'P', 'Table', 'TR', 'TH', 'TD'])
      assert.match(source, new RegExp(`/S /${tag}\\b`), `nothing is tagged as ${tag}`);
    for (const page of pages) {
      const untagged = page.replace(/\/\w+ <<[^>]*>> BDC[\s\S]*?\bEMC\b/g, '').match(/ T[jJ]\b/g);
      assert.equal(untagged, null, 'text stands outside of the tags');
    }
  }
});

test('another reseller’s documents are not there, and callers without the view are refused', async () => {
  const { Id } = await read('/billing/invoices/latest');
  const [line] = await readAll(`/billing/invoices/${Id}/lines`);
  const [memo] = await readAll('/billing/creditmemos');
  const paths = [
    `/invoices/${Id}`,
    `/invoices/${Id}/lines`,
    `/invoices/${Id}/lines/${line.Id}`,
    `/invoices/${Id}/groups`,
    `/invoices/${Id}/changes`,
    `/invoices/${Id}/changes/customers`,
    `/invoices/${Id}/download`,
    `/creditmemos/${memo.Id}`,
    `/creditmemos/${memo.Id}/download`,
  ];
  for (const path of paths) {
    assert.equal((await call('rival', `/api/billing${path}`)).status, 404, path);
    for (const who of ['engineer', 'admin']) assert.equal((await call(who, `/billing${path}`)).status, 403, path);
  }
  for (const id of ['FH-1', 'FH-', memo.Id, 'FH-99999999999', '1', "FH-1'"])
    assert.equal((await call('bookkeeper', `/billing/invoices/${encodeURIComponent(id)}`)).status, 404, id);
  const [theirs] = (await read('/api/billing/invoices', 'rival')).Items;
  const [theirLine] = (await read(`/api/billing/invoices/${theirs.Id}/lines`, 'rival')).Items;
  assert.equal((await call('bookkeeper', `/billing/invoices/${Id}/lines/${theirLine.Id}`)).status, 404);
});

test('the monolith answers what the reporting answers, which an account without the flag may not ask', async () => {
  assert.equal((await call('rival', '/billing/invoices')).status, 409);
  const { Id } = await read('/billing/invoices/latest');
  for (const path of ['/invoices', `/invoices/${Id}`, '/history', '/account-totals', '/pricing', '/customers/10001'])
    assert.deepEqual(await read(`/api/billing${path}`), await read(`/billing${path}`), path);
  assert.deepEqual(await read('/api/dashboard/getLatestInvoice'), await read('/billing/invoices/latest'));
});

test('a reseller without customers has no invoice and owes nothing', async () => {
  assert.equal(await read('/billing/invoices/latest', 'empty'), null);
  const { Balance, Items } = await read('/billing/invoices/latest/summary', 'empty');
  assert.deepEqual([Balance, Items], ['0.00', []]);
  assert.equal((await read('/billing/invoices', 'empty')).Total, 0);
});

test('a price is set for one’s own reseller, to the penny, and margins follow', async () => {
  const priceOf = async (who: string, path: string) =>
    (await read(`${path}/pricing?search=hosted%20exchange`, who)).Items[0];
  const before = await priceOf('rival', '/api/billing');
  const set = (Price: string, Key = '1-1') => call('bookkeeper', '/billing/pricing', 'PUT', { Key, Price });
  assert.equal((await set('3.80')).status, 200);
  const { Cost, Price, Margin, Percent } = await priceOf('bookkeeper', '/billing');
  assert.deepEqual({ Cost, Price, Margin, Percent }, { Cost: '3.95', Price: '3.80', Margin: '-0.15', Percent: -3.9 });
  const of = async (margin: string) => (await read(`/billing/pricing?margin=${margin}`)).Items;
  assertEvery<Json>(await of('below'), row => cents(row.Margin) < 0 && row.State === 'Below');
  assertEvery<Json>(await of('none'), row => row.Price === null && row.State === 'Unset');
  assert.deepEqual(await priceOf('rival', '/api/billing'), before);
  for (const bad of ['', '-1', '1.234', '1e3', '1,50', 'NaN', '99999999'])
    assert.deepEqual((await set(bad)).body.Refusals, [{ Field: 'Price', Code: 'PriceMalformed' }], bad);
  for (const free of ['0', '0.00', '000'])
    assert.deepEqual((await set(free)).body.Refusals, [{ Field: 'Price', Code: 'PriceZero' }], free);
  assert.equal((await set('1', '999-9')).status, 404);
  const remove = (key: string) => call('bookkeeper', `/billing/pricing/${key}`, 'DELETE');
  assert.equal((await remove('1-1')).status, 200);
  const { Price: none, State } = await priceOf('bookkeeper', '/billing');
  assert.deepEqual([none, State], [null, 'Unset']);
  assert.deepEqual(await priceOf('rival', '/api/billing'), before);
  for (const key of ['1-1', '999-9', 'x']) assert.equal((await remove(key)).status, 404, key);
  assert.equal((await call('engineer', '/billing/pricing/1-1', 'DELETE')).status, 403);
});

test('an invoice gives its sums along by customer or by service, and answers to its own external number alone', async () => {
  const { Id, ExternalInvoiceId } = await read('/billing/invoices/latest');
  const path = `/billing/invoices/${Id}`;
  assert.equal((await read(path)).Groups, null);
  for (const [flag, by] of Object.entries({ true: 'customer', false: 'service' })) {
    const { Groups } = await read(`${path}?IsFilterByCustomer=${flag}`);
    assert.deepEqual(Groups, (await read(`${path}/groups?by=${by}&pageSize=100`)).Items, by);
  }
  assert.equal((await read(`${path}?externalInvoiceId=${ExternalInvoiceId}`)).Id, Id);
  assert.equal((await call('bookkeeper', `${path}?externalInvoiceId=INV00000001`)).status, 404);
  assert.equal((await call('bookkeeper', `${path}?IsFilterByCustomer=perhaps`)).status, 400);
});

test('the export says of usage what each meter cost, which adds up to the line before it was rounded', async () => {
  const { Id } = await read('/billing/invoices/latest');
  const rows = await readAll(`/billing/invoices/${Id}/exports/v3`);
  const ofUsage = notEmpty(rows.filter(({ Kind, MeterId }) => Kind === 'Usage' && MeterId === null));
  for (const line of ofUsage) {
    const meters = notEmpty(rows.filter(({ ChargeId, MeterId }) => ChargeId === line.ChargeId && MeterId !== null));
    const cost = meters.reduce((sum, { UsageCost }) => sum + Number(UsageCost), 0);
    assert.ok(Math.abs(cost - Number(line.Exact)) < 1e-6, `${cost} of ${line.Exact}`);
    assertEvery(
      meters,
      ({ Amount, Quantity, SubAccount }) => Amount === null && Quantity === null && SubAccount !== null,
    );
  }
  assert.equal((await call('rival', `/api/billing/invoices/${Id}/exports/v1`)).status, 404);
  for (const who of ['engineer', 'admin'])
    assert.equal((await call(who, `/billing/invoices/${Id}/exports/v1`)).status, 403, who);
});
