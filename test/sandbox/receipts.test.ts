import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { formAddress, sendForm, typedCard } from '../fixtures/hosted-form.ts';
import { insertOpenInvoice } from '../fixtures/open-invoice.ts';
import { readPdf } from '../fixtures/pdf-text.ts';
import { type StartedSandbox, withSandbox, withTokens } from '../fixtures/sandbox.ts';

let later = 0;
const sandbox: StartedSandbox = withSandbox({ now: () => new Date(Date.now() + later), tokenSeconds: 86_400 });
const tokens = withTokens(sandbox, ['empty@eastmoor.test', 'reseller@northwind.test']);

const call = (who: string, method: string, path: string, body?: unknown, headers = {}) =>
  sandbox.call(tokens[who]!, method, path, body, headers);
const read = async (path: string, who = 'empty') => (await call(who, 'GET', path)).body.Result;
const today = () => new Date(Date.now() + later).toISOString().slice(0, 10);

/** Stores a card, and gives its id. */
async function store(number?: string): Promise<string> {
  const { body } = await call('empty', 'POST', '/api/billing/hosted-page/card', { Currency: 'GBP' });
  const [message] = await sendForm(formAddress(body.Result, 'n'), typedCard(number));
  return (await call('empty', 'POST', '/api/billing/hosted-page/callback', message?.fields)).body.Result.Id;
}
const openInvoice = (dueIn = 0) => insertOpenInvoice(sandbox.db, dueIn);
const pay = (InvoiceId: string, PaymentMethodId: string) => {
  const body = { InvoiceId, PaymentMethodId, Amount: '80', PaymentDate: today(), Currency: 'GBP' };
  return call('empty', 'POST', '/billing/card-payments', body, { 'idempotency-key': randomUUID() });
};
/** Chooses the default method: a card (1) or a direct debit (0). */
const choose = async (defaultPaymentMethodId: string, autoPay: boolean, paymentMethodType = 1) => {
  const settings = { autoPay, paymentTerm: 'Days14', paymentMethodType, defaultPaymentMethodId };
  assert.equal((await call('empty', 'PUT', '/api/billing/payment-methods', settings)).status, 200);
};
const attemptsOf = async (id: string) =>
  (await read(`/billing/invoices/${id}/payments`)).Items.map((row: { Status: string; IsAutomatic: boolean }) => [
    row.Status,
    row.IsAutomatic,
  ]);

test('a payment that was made has a receipt, which is mailed to who pressed and printed; others have none', async () => {
  const [card, id] = [await store(), await openInvoice()];
  const { Id } = (await pay(id, card)).body.Result;
  const receipt = await read(`/api/billing/payments/${Id}`);
  const { Number: number, InvoiceId, Amount, PaidWith, Status, Left } = receipt;
  assert.deepEqual(
    { number, InvoiceId, Amount, PaidWith, Status, Left },
    {
      ...{ number: `R-${Id}`, InvoiceId: id, Amount: '80.00' },
      PaidWith: 'Visa •••• 4242',
      Status: 'Paid',
      Left: '0.00',
    },
  );
  const mails = await sandbox.db
    .selectFrom('outbox')
    .selectAll()
    .where('subject', 'like', `Receipt R-${Id}:%`)
    .execute();
  assert.deepEqual(
    mails.map(({ recipient, subject }) => [recipient, subject]),
    [['empty@eastmoor.test', `Receipt R-${Id}: £80.00 for invoice ${id}`]],
  );
  assert.match(mails[0]!.body, /£80\.00 was paid with Visa •••• 4242 for invoice FH-/);
  const print = (paymentId: string, token = tokens.empty) =>
    fetch(`${sandbox.url}/api/billing/payments/${paymentId}/receipt`, {
      headers: { authorization: `Bearer ${token}`, 'actor-id': 'empty@eastmoor.test' },
    });
  const { text } = readPdf(Buffer.from(await (await print(Id)).arrayBuffer()));
  assert.match(text, /£80\.00 paid with Visa ending 4242/);
  assert.equal((await call('reseller', 'GET', `/api/billing/payments/${Id}`)).status, 404);
  const unpaid = await openInvoice();
  const declined = (await pay(unpaid, await store('4000 0000 0000 0002'))).body.Result;
  assert.equal((await read(`/api/billing/payments/${declined.Id}`)).Status, 'Declined');
  assert.equal((await print(declined.Id)).status, 404);
  await pay(unpaid, card);
});

/** Stores a direct debit of a reseller, which the bank accepts some seconds later. */
async function storeDebit(): Promise<string> {
  const { body } = await call('empty', 'POST', '/api/billing/direct-debit/payer-authorisation');
  const account = { accountHolder: 'Eastmoor Ltd', sortCode: '20-00-00', accountNumber: '12345678' };
  const [message] = await sendForm(formAddress(body.Result, 'n'), account);
  return (await call('empty', 'POST', '/api/billing/hosted-page/callback', message?.fields)).body.Result.Id;
}

test('what can pay is offered, the default first: a direct debit once the bank has accepted it, and it pays by hand', async () => {
  const kindsOf = async (purpose: string): Promise<string[]> =>
    (await read(`/api/billing/ways-to-pay?purpose=${purpose}`)).Items.map((way: { Kind: string }) => way.Kind);
  const card = await store();
  await choose(card, false);
  const debit = await storeDebit();
  assert.ok(!(await kindsOf('invoice')).includes('DirectDebit'), 'not before the bank has accepted it');
  const id = await openInvoice();
  const early = await pay(id, debit);
  assert.deepEqual([early.status, early.body.Refusals], [409, [{ Code: 'DebitInactive' }]]);
  for (later of [7000, 14_000]) await sandbox.tickOnce();
  await choose(debit, false, 0);
  for (const purpose of ['invoice', 'credit']) assert.equal((await kindsOf(purpose))[0], 'DirectDebit', purpose);
  const { Chosen } = await read('/api/billing/ways-to-pay?purpose=invoice');
  assert.deepEqual([Chosen.Id, Chosen.Name, Chosen.IsDefault], [debit, 'Direct debit •••• 5678', true]);
  assert.equal((await pay(id, Chosen.Id)).body.Result.Status, 'Paid');
  assert.equal((await read(`/billing/invoices/${id}/payments`)).Items[0].Means, 'DirectDebit');
  const topUp = { PaymentMethodId: debit, Amount: '5', Currency: 'GBP' };
  const bought = await call('empty', 'POST', '/api/billing/credits', topUp, { 'idempotency-key': randomUUID() });
  assert.equal(bought.body.Result.Status, 'Paid');
  assert.equal((await kindsOf('invoice')).at(-1), 'Credit', 'as there is some now');
  later = 0;
});

test('the plan of automatic payment says what is taken when, and switching it on takes nothing before', async () => {
  const card = await store();
  await choose(card, false);
  const [late, soon] = [await openInvoice(-2), await openInvoice(5)];
  const plan = await read('/api/billing/auto-pay-plan');
  const dueDay = (await read(`/billing/invoices/${soon}`)).Due;
  assert.deepEqual(plan.Items, [
    { InvoiceId: late, Amount: '80.00', Day: today() },
    { InvoiceId: soon, Amount: '80.00', Day: dueDay },
  ]);
  assert.deepEqual([plan.Total, plan.Method], ['160.00', 'Visa •••• 4242']);
  await choose(card, true);
  await sandbox.tickOnce();
  assert.deepEqual([await attemptsOf(late), await attemptsOf(soon)], [[['Paid', true]], []]);
});

test('who cancels the default method is left without one and without automatic payment', async () => {
  const card = await store();
  await choose(card, true);
  assert.equal((await call('empty', 'POST', '/api/billing/payment-methods/cancel', { ids: [card] })).status, 200);
  const { autoPay, defaultPaymentMethodId } = await read('/api/billing/payment-settings');
  assert.deepEqual([autoPay, defaultPaymentMethodId], [false, null]);
});
