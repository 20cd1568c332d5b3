import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { formAddress, sendForm, typedCard } from '../fixtures/hosted-form.ts';
import { type StartedSandbox, withSandbox, withTokens } from '../fixtures/sandbox.ts';

let later = 0;
const sandbox: StartedSandbox = withSandbox({ now: () => new Date(Date.now() + later) });
const tokens = withTokens(sandbox, ['reseller@northwind.test', 'rival@southridge.test', 'empty@eastmoor.test']);

const call = (who: string, method: string, path: string, body?: unknown, headers = {}) =>
  sandbox.call(tokens[who]!, method, `/api/billing/${path}`, body, headers);
const credit = async (who = 'empty') => (await call(who, 'GET', 'credits')).body.Result;

/** Stores a card, and gives its id. */
async function store(number?: string, who = 'empty'): Promise<string> {
  const { body } = await call(who, 'POST', 'hosted-page/card', { Currency: 'GBP' });
  const [message] = await sendForm(formAddress(body.Result, 'n'), typedCard(number));
  return (await call(who, 'POST', 'hosted-page/callback', message?.fields)).body.Result.Id;
}

const topUp = (
  PaymentMethodId: string,
  Amount: string,
  { who = 'empty', press = randomUUID() as string, ...more } = {},
) => call(who, 'POST', 'credits', { PaymentMethodId, Amount, Currency: 'GBP', ...more }, { 'idempotency-key': press });

const chargesOf = (id: string) =>
  sandbox.db
    .selectFrom('card_provider_charges as c')
    .innerJoin('payment_methods as m', 'm.provider_id', 'c.method_id')
    .where('m.id', '=', Number(id))
    .select(['c.status', 'c.amount'])
    .execute();

test('an amount is above zero, has at most two decimals, and is in the own currency', async () => {
  const id = await store();
  for (const amount of ['0', '0.00', '-5', '1.234', '1e3', '1,50', ' 5', '', 'NaN', '1000000.01', '999999999999']) {
    const { status, body } = await topUp(id, amount);
    assert.equal(status, 400, amount);
    const most = { Code: 'AmountAboveMost', Data: { Most: '1000000.00', Currency: 'GBP' } };
    const why = Number(amount) > 1_000_000 && amount.includes('.') ? most : { Code: 'AmountMalformed' };
    assert.deepEqual(body.Refusals, [{ Field: 'Amount', ...why }], amount);
  }
  const euros = await topUp(id, '5', { Currency: 'EUR' } as object);
  assert.deepEqual([euros.status, euros.body.Refusals], [409, [{ Code: 'CreditCurrency', Data: { Currency: 'GBP' } }]]);
  const { body } = await call('empty', 'POST', 'credits', { PaymentMethodId: id, Amount: '5', Currency: 'GBP' });
  assert.deepEqual(body.Refusals, [{ Code: 'PressMissing' }]);
  assert.deepEqual(await chargesOf(id), [], 'nothing was charged');
});

test('a press charges once, however often and at once it comes, and the credit is exact', async () => {
  const id = await store();
  const before = Number((await credit()).Balance);
  const press = randomUUID();
  const replies = await Promise.all([1, 2, 3, 4].map(() => topUp(id, '0.1', { press })));
  assert.deepEqual(new Set(replies.map(({ body }) => body.Result?.Status)), new Set(['Paid']));
  await topUp(id, '0.2');
  const now = await credit();
  assert.equal(now.Balance, (before + 0.3).toFixed(2));
  assert.deepEqual(
    now.Items.slice(0, 2).map((row: { Amount: string }) => row.Amount),
    ['0.20', '0.10'],
  );
  assert.deepEqual(
    (await chargesOf(id)).map(({ amount }) => amount),
    [10, 20],
  );
  assert.equal((await topUp(id, '0.30', { press })).status, 409, 'a press is for one payment');
});

test('a declined or expired card says why and buys nothing', async () => {
  for (const [number, reason] of [
    ['4000 0000 0000 0002', 'insufficient_funds'],
    ['4000 0000 0000 0069', 'expired_card'],
  ] as const) {
    const { Balance } = await credit();
    const { body } = await topUp(await store(number), '10.00');
    assert.equal(body.Result.Status, 'Declined');
    const { Latest, Balance: after } = await credit();
    assert.equal(after, Balance);
    assert.deepEqual([Latest.Status, Latest.Reason, Latest.Amount], ['Declined', reason, '10.00']);
  }
});

for (const [word, number] of [
  ['slow', '4000 0000 0000 0077'],
  ['nonsensical', '4000 0000 0000 0119'],
] as const) {
  test(`a payment with a ${word} answer is pending until the provider has said what it charged, once`, async () => {
    const id = await store(number);
    const before = Number((await credit()).Balance);
    const press = randomUUID();
    const { body } = await topUp(id, '12.50', { press });
    assert.equal(body.Result.Status, 'Pending');
    assert.equal((await credit()).Latest.Status, 'Pending');
    await sandbox.tickOnce();
    await sandbox.tickOnce();
    const { Balance, Latest } = await credit();
    assert.deepEqual([Latest.Status, Balance], ['Paid', (before + 12.5).toFixed(2)]);
    assert.equal((await topUp(id, '12.50', { press })).body.Result.Status, 'Paid');
    assert.deepEqual(await chargesOf(id), [{ status: 'processed', amount: 1250 }]);
  });
}

test('a payment that the provider never heard of is given up, and can then not be charged any more', async () => {
  const id = await store();
  const { Balance } = await credit();
  const account = await sandbox.db
    .selectFrom('accounts')
    .select('id')
    .where('username', '=', 'empty@eastmoor.test')
    .executeTakeFirstOrThrow();
  const press = randomUUID();
  // As a process leaves it that was killed between writing the payment and asking the provider.
  await sandbox.db
    .insertInto('payments')
    .values({
      ...{ reseller_id: 1004, account_id: account.id, method_id: Number(id), amount: 700, currency: 'GBP', press },
      ...{ invoice_id: null, reason: null, created: new Date(), settled: null },
    })
    .execute();
  await sandbox.tickOnce();
  assert.equal((await credit()).Latest.Status, 'Pending', 'somebody may be asking the provider right now');
  later = 60_000;
  await sandbox.tickOnce();
  later = 0;
  assert.equal((await credit()).Latest.Status, 'NotCharged');
  assert.equal((await topUp(id, '7', { press })).body.Result.Status, 'NotCharged');
  assert.equal((await credit()).Balance, Balance);
});

test('a card of somebody else is not there, and a closed one does not pay', async () => {
  const id = await store();
  assert.equal((await topUp(id, '5', { who: 'rival' })).status, 404);
  await call('empty', 'POST', 'payment-methods/cancel', { ids: [id] });
  assert.equal((await topUp(id, '5')).status, 409);
  assert.deepEqual(await chargesOf(id), []);
});

test('with BillingDisableAddCredit there is no credit', async () => {
  const set = (enabled: boolean) =>
    sandbox.db.updateTable('feature_flags').set({ enabled }).where('name', '=', 'BillingDisableAddCredit').execute();
  assert.equal((await credit('reseller')).Balance, '750.00');
  await set(true);
  assert.equal((await call('reseller', 'GET', 'credits')).status, 403);
  assert.equal((await topUp('1', '5', { who: 'reseller' })).status, 403);
  await set(false);
  assert.equal((await call('reseller', 'GET', 'credits')).status, 200);
});

test('the other addresses of credit, cards and receipts answer as ours do', async () => {
  const Method = await store();
  const body = { PaymentMethodId: Method, Amount: '12.00', Currency: 'GBP' };
  const { Id } = (await call('empty', 'POST', 'addCredit', body, { 'idempotency-key': randomUUID() })).body.Result;
  for (const [ours, ...others] of [
    ['credits', 'getCredits'],
    ['payment-methods', 'AccountPaymentMethod'],
    [`payments/${Id}`, `Success/AddCredit/${Id}`, `Success/PayInvoice/${Id}`],
  ] as const) {
    const expected = await call('empty', 'GET', ours);
    assert.equal(expected.status, 200, ours);
    for (const other of others) assert.deepEqual((await call('empty', 'GET', other)).body, expected.body, other);
  }
});
