import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mock, test } from 'node:test';
import { sql } from 'kysely';
import { formAddress, sendForm, typedCard } from '../fixtures/hosted-form.ts';
import { insertOpenInvoice } from '../fixtures/open-invoice.ts';
import { type StartedSandbox, withSandbox, withTokens } from '../fixtures/sandbox.ts';

/** Moves the clock of the sandbox, in milliseconds. */
let later = 0;
const start = Date.now();
const sandbox: StartedSandbox = withSandbox({ now: () => new Date(start + later), tokenSeconds: 400 * 86_400 });
const tokens = withTokens(sandbox, ['empty@eastmoor.test', 'rival@southridge.test']);
const call = (method: string, path: string, body?: unknown, headers = {}) =>
  sandbox.call(tokens.empty!, method, path, body, headers);
// biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects to be there
const read = async (path: string): Promise<any> => (await call('GET', path)).body.Result;

/** What the card provider answers in place of its own; undefined: it is well. */
let answer: (() => Promise<Response>) | undefined;
const real = globalThis.fetch;
mock.method(globalThis, 'fetch', (input: string | URL | Request, init?: RequestInit) =>
  answer && String(input).startsWith(`${sandbox.cardProviderUrl()}/v1/`) ? answer() : real(input, init),
);
const json =
  (body: unknown, status = 200) =>
  async () =>
    Response.json(body, { status });
const faults: Readonly<Record<string, () => Promise<Response>>> = {
  'is down': async () => {
    throw new TypeError('fetch failed');
  },
  'answers with an error of its own': json({ success: false, message: 'Unexpected' }, 500),
  'answers with a page': async () => new Response('<p>Good morning</p>', { headers: { 'content-type': 'text/html' } }),
  'answers with nothing': json(null),
  'answers with a word that it never used': json({ success: true, status: 'maybe' }),
};

async function store(number?: string): Promise<string> {
  const { body } = await call('POST', '/api/billing/hosted-page/card', { Currency: 'GBP' });
  const [message] = await sendForm(formAddress(body.Result, 'n'), typedCard(number));
  return (await call('POST', '/api/billing/hosted-page/callback', message?.fields)).body.Result.Id;
}
const setAutoPay = async (defaultPaymentMethodId: string | null, autoPay = true, paymentMethodType = 1) => {
  const settings = { autoPay, paymentTerm: 'OnInvoice', paymentMethodType, defaultPaymentMethodId };
  assert.equal((await call('PUT', '/api/billing/payment-methods', settings)).status, 200);
};
/** An open invoice of 80 pounds, whose day of the term has come. */
const openInvoice = () => insertOpenInvoice(sandbox.db);
const pay = (InvoiceId: string, PaymentMethodId: string, press: string = randomUUID()) => {
  const PaymentDate = new Date(start + later).toISOString().slice(0, 10);
  const body = { InvoiceId, PaymentMethodId, Amount: '80', PaymentDate, Currency: 'GBP' };
  return call('POST', '/billing/card-payments', body, { 'idempotency-key': press });
};
const paymentsOf = async (id: string): Promise<string[]> =>
  (await read(`/billing/invoices/${id}/payments`)).Items.map((row: Record<string, string>) =>
    [row.Means, row.Status, row.Reason].filter(Boolean).join(' '),
  );
const statusOf = async (id: string) => (await read(`/billing/invoices/${id}`)).Status;
/** Amounts that were taken by a method, in minor units. */
const takenBy = async (id: string) =>
  (
    await sandbox.db
      .selectFrom('card_provider_charges as c')
      .innerJoin('payment_methods as m', 'm.provider_id', 'c.method_id')
      .where('m.id', '=', Number(id))
      .where('c.status', '=', 'processed')
      .select('c.amount')
      .execute()
  ).map(({ amount }) => amount);
/** What was told to the one account of this reseller, the newest first. */
const told = async (): Promise<string[]> =>
  (await read('/api/notifications'))
    .filter((one: { ServiceName: string }) => one.ServiceName === 'Billing')
    .map((one: { Message: string }) => one.Message);

for (const [word, fault] of Object.entries(faults)) {
  test(`while the provider ${word}, a press to pay charges nothing, holds the amount, and can be made again after it`, async () => {
    later = 0;
    const [card, id, press] = [await store(), await openInvoice(), randomUUID()];
    answer = fault;
    const pressed = await pay(id, card, press);
    assert.deepEqual([pressed.status, pressed.body.Result?.Status], [200, 'Pending']);
    await sandbox.tickOnce();
    const info = await read(`/billing/invoices/${id}/pay-info`);
    assert.deepEqual([info.Amount, info.Pending, info.LatestStatus], ['0.00', '80.00', 'Pending']);
    assert.deepEqual((await pay(id, card)).body.Refusals, [{ Code: 'PaymentPending' }]);
    later = 60_000;
    await sandbox.tickOnce();
    assert.deepEqual(await paymentsOf(id), ['Card Pending'], 'nobody gives up while nobody can be asked');
    answer = undefined;
    await sandbox.tickOnce();
    assert.deepEqual(await paymentsOf(id), ['Card NotCharged']);
    assert.equal((await pay(id, card, press)).body.Result.Status, 'NotCharged', 'the same press stays what it was');
    assert.equal((await read(`/billing/invoices/${id}/pay-info`)).Amount, '80.00');
    assert.equal((await pay(id, card)).body.Result.Status, 'Paid');
    assert.deepEqual([await takenBy(card), await statusOf(id)], [[8000], 'Paid']);
  });

  if (word !== 'is down' && word !== 'answers with a page') continue;
  // What an answer means is told by the presses; that an automatic payment waits for it, by two of them.
  test(`while the provider ${word}, an automatic payment waits, is no failed attempt, and is charged once after it`, async () => {
    later = 0;
    const [card, id] = [await store(), await openInvoice()];
    await setAutoPay(card);
    const before = (await told()).length;
    answer = fault;
    for (const hours of [0, 1, 80]) {
      later = hours * 3_600_000;
      await sandbox.tickOnce();
    }
    assert.deepEqual(await paymentsOf(id), ['Card Pending'], 'one attempt, however long it lasts');
    answer = undefined;
    await Promise.all([sandbox.tickOnce(), sandbox.tickOnce()]);
    assert.deepEqual([await paymentsOf(id), await takenBy(card)], [['Card Paid'], [8000]]);
    assert.equal((await told()).length, before);
    await setAutoPay(card, false);
  });
}

test('a slow answer to an automatic payment is no second charge', async () => {
  later = 0;
  const [card, id] = [await store('4000 0000 0000 0077'), await openInvoice()];
  await setAutoPay(card);
  await sandbox.tickOnce();
  assert.deepEqual(await paymentsOf(id), ['Card Pending']);
  await sandbox.tickOnce();
  assert.deepEqual([await paymentsOf(id), await takenBy(card)], [['Card Paid'], [8000]]);
  await setAutoPay(card, false);
});

test('a card that expires before the day of the term is not charged; its reason is told, and another card pays', async () => {
  later = 0;
  const card = await store();
  await setAutoPay(card);
  const expires = new Date(start - 40 * 86_400_000);
  await sql`update card_provider_methods set expires = ${expires} from payment_methods m
    where m.provider_id = card_provider_methods.id and m.id = ${Number(card)}`.execute(sandbox.db);
  await sandbox.db.updateTable('payment_methods').set({ expires }).where('id', '=', Number(card)).execute();
  const id = await openInvoice();
  await sandbox.tickOnce();
  assert.deepEqual([await paymentsOf(id), await takenBy(card)], [['Card Declined expired_card'], []]);
  const info = await read(`/billing/invoices/${id}/pay-info`);
  assert.deepEqual([info.LatestReason, info.LatestPaidWith, info.Amount], ['expired_card', 'Visa •••• 4242', '80.00']);
  assert.equal((await read('/billing/invoices/latest/summary')).FailedReason, 'expired_card');
  assert.equal((await told())[0], 'An invoice could not be paid automatically');
  const pressed = await pay(id, card);
  assert.deepEqual([pressed.body.Result.Status, await takenBy(card)], ['Declined', []], 'nor by a press');
  await setAutoPay(await store());
  await sandbox.tickOnce();
  assert.equal(await statusOf(id), 'Paid');
  const refused = await call('PUT', '/api/billing/payment-methods', {
    ...{ autoPay: true, paymentTerm: 'OnInvoice', paymentMethodType: 1, defaultPaymentMethodId: card },
  });
  assert.deepEqual(refused.body.Refusals, [{ Code: 'CardExpired' }], 'and it is no default any more');
});

test('a mandate that is cancelled at the bank between two runs is charged no more; who pays is told and sees why', async () => {
  later = 0;
  const { body } = await call('POST', '/api/billing/direct-debit/payer-authorisation');
  const account = { accountHolder: 'Eastmoor Ltd', sortCode: '20-00-00', accountNumber: '12340009' };
  const [message] = await sendForm(formAddress(body.Result, 'n'), account);
  const stored = await call('POST', '/api/billing/hosted-page/callback', message?.fields);
  const mandate: string = stored.body.Result.Id;
  later = 12_000;
  await sandbox.tickOnce();
  await setAutoPay(mandate, true, 0);
  const first = await openInvoice();
  await sandbox.tickOnce();
  assert.deepEqual([await paymentsOf(first), await takenBy(mandate)], [['DirectDebit Paid'], [8000]]);

  later = 60_000;
  const second = await openInvoice();
  // The provider does not say in time how the mandate stands: the bank refuses the charge itself.
  answer = faults['is down'];
  await sandbox.tickOnce();
  assert.deepEqual(await paymentsOf(second), ['DirectDebit Pending']);
  answer = undefined;
  await sandbox.tickOnce();
  assert.deepEqual(await paymentsOf(second), ['DirectDebit Declined mandate_not_active']);
  assert.equal((await read(`/billing/invoices/${second}/pay-info`)).LatestReason, 'mandate_not_active');

  const third = await openInvoice();
  await sandbox.tickOnce();
  const { autoPay, defaultPaymentMethodId } = await read('/api/billing/payment-settings');
  assert.deepEqual([autoPay, defaultPaymentMethodId], [false, null]);
  assert.ok((await told()).includes('The direct debit was cancelled at your bank'));
  const debit = await read('/api/billing/direct-debit/status');
  assert.deepEqual([debit.Status, debit.Reason, debit.IsLiving], ['Cancelled', 'bank', false]);
  assert.deepEqual([await paymentsOf(third), await takenBy(mandate)], [[], [8000]], 'nothing is tried any more');
  const info = await read(`/billing/invoices/${third}/pay-info`);
  assert.deepEqual([info.NextAttempt, info.DebitEnded], [null, true]);
  assert.equal((await pay(third, await store())).body.Result.Status, 'Paid');
});
