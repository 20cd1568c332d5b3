import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import { addEuroInvoices } from '../fixtures/euro-invoices.ts';
import { formAddress, sendForm, typedCard } from '../fixtures/hosted-form.ts';
import { readPdf } from '../fixtures/pdf-text.ts';
import { type Client, withPortal } from '../fixtures/portal.ts';
import { assertEvery, notEmpty } from '../fixtures/rows.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { setUp } from '../fixtures/set-up.ts';
import { readWorkbook } from '../fixtures/workbook.ts';

const sandbox = withSandbox();
const portal = withPortal(sandbox);
let euro: Client;
let id = '';
setUp(async () => {
  await addEuroInvoices(sandbox.db, new Date());
  euro = await portal.signIn('euro@westhaven.test');
  id = (await read('billing.latest')).Id;
});

// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects to be there
type Json = any;
const read = async (query: string): Promise<Json> => {
  const { body, text, status } = await euro.get(`/ui/data/${query}`);
  assert.equal(status, 200, text);
  return body.Result;
};
const bytesOf = async (path: string): Promise<Buffer> => {
  const address = path.startsWith('/ui/downloads/') ? await euro.linkTo(path) : path;
  const reply = await fetch(`${portal.url}${address}`, { headers: { cookie: euro.cookie } });
  assert.equal(reply.status, 200, path);
  return Buffer.from(await reply.arrayBuffer());
};
const noPounds = (text: string, what: string) => assert.doesNotMatch(text, /£|\bGBP\b/, what);
/** Everything called Currency in data, at any depth. */
const currenciesIn = (value: Json, into = new Set<string>()): Set<string> => {
  if (value === null || typeof value !== 'object') return into;
  if (typeof value.Currency === 'string') into.add(value.Currency);
  for (const inner of Object.values(value)) currenciesIn(inner, into);
  return into;
};

test('no screen of billing and payments of a reseller in euros names pounds, in layout or data', async () => {
  const boot = (await euro.get('/ui/boot')).body;
  assert.equal(boot.principal.currency, 'EUR');
  const [row] = notEmpty<Json>((await read(`billing.invoiceLines?documentId=${id}`)).Items);
  const screens = [
    '/billing',
    '/billing/invoices',
    `/billing/invoices/invoice-detail/${id}`,
    `/billing/invoices/invoice-detail/${id}/lines/${row.Id}`,
    '/billing/invoices/pre-bill',
    '/billing/account-totals',
    '/billing/pricing',
    '/billing/credit',
    '/billing/payment-options',
    '/dashboard',
    '/customers',
    '/marketplace',
  ];
  const seen = new Set<string>();
  for (const path of screens) {
    const { body, text } = await euro.get(`/ui/screen?path=${encodeURIComponent(path)}`);
    assert.equal(body.redirect, undefined, path);
    noPounds(text, path);
    for (const currency of currenciesIn(body.data)) seen.add(currency);
  }
  assert.deepEqual([...seen], ['EUR']);
});

test('PDF, CSV and workbook of an invoice are in euros, and say the amounts of the screen', async () => {
  const invoice = await read(`billing.invoice?documentId=${id}`);
  const { text } = readPdf(await bytesOf(`/ui/downloads/billing.invoiceFile?documentId=${id}`));
  noPounds(text, 'PDF');
  const written = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'EUR' });
  for (const amount of [invoice.Net, invoice.Tax, invoice.Gross])
    assert.ok(text.includes(written.format(amount)), amount);
  assert.match(text, /23/, 'the rate of tax there');
  const file = (ending: string) =>
    `/ui/files/invoice-detail/lines.${ending}?path=/billing/invoices/invoice-detail/${id}`;
  const csv = (await bytesOf(file('csv'))).toString();
  noPounds(csv, 'CSV');
  const [head, ...rows] = parse(csv, { bom: true }) as string[][];
  const column = head!.indexOf('Amount (EUR)');
  const sum = notEmpty(rows).reduce((cents, row) => cents + Math.round(Number(row[column]) * 100), 0);
  assert.equal((sum / 100).toFixed(2), invoice.Net);
  assert.deepEqual(readWorkbook(await bytesOf(file('xlsx'))).rows[0], head);
  const list = (await bytesOf('/ui/files/invoices/invoices.csv?path=/billing/invoices')).toString();
  noPounds(list, 'list of invoices');
  assert.match(list, /\(EUR\)/);
});

test('a card that is stored for euros pays an invoice in euros, at the provider too, and pounds are refused', async () => {
  const token = await sandbox.signIn('euro@westhaven.test');
  const call = (method: string, path: string, body?: unknown) => sandbox.call(token, method, path, body);
  const { body: page } = await call('POST', '/api/billing/hosted-page/card', { Currency: 'EUR' });
  const [message] = await sendForm(formAddress(page.Result, 'n'), typedCard());
  await call('POST', '/api/billing/hosted-page/callback', message?.fields);

  const pay = async (more: object) => {
    const info = await read(`payments.payInfo?documentId=${id}`);
    const { Amount, Currency, PaymentDate, InvoiceId } = info;
    return euro.press('confirm-payment', 'confirm-payment', 'call:payments.payInvoice', {
      body: { Amount, Currency, PaymentDate, InvoiceId, PaymentMethodId: '', ...more },
    });
  };
  const refused = await pay({ Currency: 'GBP' });
  assert.deepEqual(
    [refused.body.Succeed, refused.body.Messages],
    [false, ['This invoice is in EUR. Reload the page and pay it in that currency.']],
  );
  const before = await read(`billing.invoice?documentId=${id}`);
  assert.equal((await pay({})).body.Succeed, true);
  const after = await read(`billing.invoice?documentId=${id}`);
  assert.deepEqual([after.Status, after.Paid, after.Left], ['Paid', before.Left, '0.00']);
  const { Items } = await read(`payments.ofInvoice?documentId=${id}`);
  assert.deepEqual(
    Items.map((one: Json) => [one.Amount, one.Status]),
    [[before.Left, 'Paid']],
  );
  const charges = await sandbox.db
    .selectFrom('card_provider_charges')
    .select(['amount', 'currency'])
    .where('currency', '=', 'EUR')
    .execute();
  assert.deepEqual(charges, [{ amount: Math.round(Number(before.Left) * 100), currency: 'EUR' }]);
  const paid = readPdf(await bytesOf(`/ui/downloads/billing.invoiceFile?documentId=${id}`)).text;
  assert.match(paid, /Visa ending 4242/);
  noPounds(paid, 'PDF of the paid invoice');
  const { body: history } = await call('GET', '/billing/history');
  assertEvery<Json>(history.Result.Items, ({ Currency }) => Currency === 'EUR');
});

test('credit is topped up and used in euros', async () => {
  const topUp = await euro.press('confirm-top-up', 'confirm-payment', 'call:payments.addCredit', {
    body: { Amount: '20.10', Currency: 'EUR', PaymentMethodId: '' },
  });
  assert.equal(topUp.body.Succeed, true, topUp.text);
  assert.equal((await read('payments.credit')).Balance, '20.10');
  const token = await sandbox.signIn('euro@westhaven.test');
  const { body } = await sandbox.call(token, 'GET', '/api/billing/credits');
  assert.deepEqual([...currenciesIn(body.Result)], ['EUR']);
});
