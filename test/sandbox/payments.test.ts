import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { test } from 'node:test';
import { formAddress, sendForm, typedCard } from '../fixtures/hosted-form.ts';
import { assertEvery, notEmpty } from '../fixtures/rows.ts';
import { type StartedSandbox, withSandbox, withTokens } from '../fixtures/sandbox.ts';

let later = 0;
const sandbox: StartedSandbox = withSandbox({ now: () => new Date(Date.now() + later) });
const people = ['reseller@northwind.test', 'rival@southridge.test', 'euro@westhaven.test', 'empty@eastmoor.test'];
const tokens = withTokens(sandbox, [...people, 'engineer@northwind.test']);

const call = (who: string, method: string, path: string, body?: unknown) =>
  sandbox.call(tokens[who]!, method, `/api/billing/${path}`, body);
type CardRow = { Id: string; LastDigits: string; CardType: string; IsDefault: boolean; PaymentMethodStatus: string };
const cardsOf = async (who: string, status = 'Active'): Promise<CardRow[]> =>
  (await call(who, 'GET', `payment-methods?status=${status}`)).body.Result.Items;

async function authorise(who: string, Currency = 'GBP') {
  const { status, body } = await call(who, 'POST', 'hosted-page/card', { Currency });
  assert.equal(status, 200, JSON.stringify(body));
  return body.Result;
}

/** The signed fields of a page that was filled in. */
async function fillIn(who: string, number?: string, Currency = 'GBP') {
  const messages = await sendForm(formAddress(await authorise(who, Currency), 'nonce-1'), typedCard(number));
  return messages.map(({ fields }) => fields);
}

const setFlag = (name: string, enabled: boolean) =>
  sandbox.db.updateTable('feature_flags').set({ enabled }).where('name', '=', name).execute();

test('a page is authorised with the documented fields, and its form is the provider’s, on an origin of its own', async () => {
  const given = await authorise('reseller');
  const names = ['Key', 'PageId', 'Signature', 'TenantId', 'Token', 'Url', 'ZuoraAccountId'];
  assert.deepEqual(Object.keys(given).sort(), names);
  assert.notEqual(new URL(given.Url).origin, new URL(sandbox.url).origin);
  const page = await fetch(formAddress(given, 'n'));
  assert.match(page.headers.get('content-security-policy') ?? '', /frame-ancestors http:\/\/127\.0\.0\.1:3000$/);
  const html = await page.text();
  for (const field of ['cardNumber', 'cardHolder', 'expiry', 'cvv']) assert.match(html, new RegExp(`name="${field}"`));
  const forged = await fetch(formAddress({ ...given, Signature: 'AAAA' }, 'n'));
  assert.equal(forged.status, 400, 'a page whose signature is not the provider’s does not open');
  const euros = await call('reseller', 'POST', 'hosted-page/card', { Currency: 'EUR' });
  const inPounds = { Code: 'AccountCurrency', Data: { Currency: 'GBP' } };
  assert.deepEqual([euros.status, euros.body.Refusals], [409, [inPounds]]);
});

test('what is wrong with a card is said in the documented codes, and nothing is stored', async () => {
  const address = formAddress(await authorise('reseller'), 'n');
  const before = await cardsOf('reseller');
  const codes = async (form: Record<string, string>) =>
    notEmpty(await sendForm(address, form)).map(({ kind, key, code }) => `${kind} ${key} ${code}`);
  const required = ['cardNumber', 'cardHolder', 'expiry', 'cvv'].map(key => `error ${key} 001`);
  assert.deepEqual(await codes({}), required);
  assert.deepEqual(await codes(typedCard('4242 4242 4242 4241')), ['error cardNumber 002']);
  assert.deepEqual(await codes({ ...typedCard(), cvv: '000' }), ['error cvv 004']);
  assert.deepEqual(await codes({ ...typedCard(), expiry: '01/20' }), ['error expiry unknown']);
  assert.deepEqual(await codes(typedCard('4000 0000 0000 0101')), ['error robot 007']);
  assert.deepEqual(await codes(typedCard('4000 0000 0000 0127')), ['error error unknown']);
  assert.deepEqual(await cardsOf('reseller'), before);
});

test('American Express is taken with its flag alone', async () => {
  const amex = { ...typedCard('3782 822463 10005'), cvv: '1234' };
  await setFlag('BillingPlatformAmex', false);
  const refused = await sendForm(formAddress(await authorise('reseller'), 'n'), amex);
  assert.deepEqual(
    refused.map(({ key, code }) => `${key} ${code}`),
    ['cardNumber 003'],
  );
  await setFlag('BillingPlatformAmex', true);
  const [answer] = await sendForm(formAddress(await authorise('reseller'), 'n'), amex);
  assert.equal((await call('reseller', 'POST', 'hosted-page/callback', answer?.fields)).status, 200);
  assert.equal((await cardsOf('reseller'))[0]?.CardType, 'AmericanExpress');
});

test('a callback that the provider signed stores its card once, newest first; the first card is the default', async () => {
  assert.deepEqual(await cardsOf('empty'), []);
  const [callback] = await fillIn('empty');
  assert.equal((await call('empty', 'POST', 'hosted-page/callback', callback)).status, 200);
  const again = await call('empty', 'POST', 'hosted-page/callback', callback);
  assert.equal(again.status, 409);
  assert.deepEqual(again.body.Refusals, [{ Code: 'CallbackUsed' }]);
  await call('empty', 'POST', 'hosted-page/callback', (await fillIn('empty', '5555 5555 5555 4444'))[0]);
  const cards = await cardsOf('empty');
  assert.deepEqual(
    cards.map(({ LastDigits, CardType, IsDefault }) => [LastDigits, CardType, IsDefault]),
    [
      ['4444', 'MasterCard', false],
      ['4242', 'Visa', true],
    ],
  );
});

test('the signature is SHA512withRSA over the documented fields', async () => {
  const given = await authorise('reseller');
  const [message] = await sendForm(formAddress(given, 'nonce-2'), typedCard());
  const { signature, ...fields } = message?.fields ?? {};
  const key = createPublicKey({ key: Buffer.from(given.Key, 'base64'), format: 'der', type: 'spki' });
  const { callbackPath, tenantId, pageId, token, timestamp } = fields;
  assert.equal(token.length, 32);
  const text = [callbackPath, tenantId, pageId, token, timestamp, '', 'nonce-2', '', '', '', ''].join('#');
  assert.ok(verify('sha512', Buffer.from(text), key, Buffer.from(signature, 'base64')));
});

test('a callback that is forged, changed, old, replayed or somebody else’s is refused, and that is recorded', async () => {
  const before = await cardsOf('reseller');
  const refusal = async (who: string, callback: object) => {
    const { status, body } = await call(who, 'POST', 'hosted-page/callback', callback);
    return `${status} ${body.Refusals[0].Code}`;
  };
  assert.match(await refusal('reseller', (await fillIn('reseller', '4000 0000 0000 0192'))[0]), /^409 CallbackForged$/);
  assert.match(await refusal('reseller', (await fillIn('reseller', '4000 0000 0000 0259'))[0]), /^409 CallbackOld$/);
  const [good] = await fillIn('reseller');
  for (const changed of [{ timestamp: String(Date.now() + 1) }, { token: 'a'.repeat(32) }, { passthrough1: 'other' }])
    assert.match(await refusal('reseller', { ...good, ...changed }), /^409 CallbackForged$/);
  assert.match(await refusal('rival', good), /^409 CallbackUnknown$/);
  later = 6 * 60_000;
  assert.match(await refusal('reseller', good), /^409 CallbackOld$/);
  later = 0;
  assert.deepEqual(await cardsOf('reseller'), before, 'nothing was stored');
  const [first, second] = await fillIn('reseller', '4000 0000 0000 0341');
  assert.equal((await call('reseller', 'POST', 'hosted-page/callback', first)).status, 200);
  assert.match(await refusal('reseller', second), /^409 CallbackUsed$/);
  const recorded = await sandbox.db
    .selectFrom('payment_events')
    .select('reason')
    .where('action', '=', 'hosted-page.callback')
    .where('outcome', '=', 'refused')
    .orderBy('id')
    .execute();
  const reasons = recorded.map(({ reason }) => reason);
  assert.deepEqual(new Set(reasons), new Set(['signature', 'old', 'unknown', 'replayed']));
});

test('no card number is anywhere in the cloud’s or the provider’s tables', async () => {
  await call('reseller', 'POST', 'hosted-page/callback', (await fillIn('reseller'))[0]);
  const tables = [
    'payment_methods',
    'payment_pages',
    'payment_events',
    'card_provider_methods',
    'card_provider_tokens',
  ];
  const rows = await Promise.all(
    tables.map(table =>
      sandbox.db
        .selectFrom(table as 'payment_methods')
        .selectAll()
        .execute(),
    ),
  );
  assert.doesNotMatch(JSON.stringify(notEmpty(rows.flat())), /4242 ?4242/);
});

test('the default method is an own active one; others are cancelled, all or none', async () => {
  const [callback] = await fillIn('reseller', '5555 5555 5555 4444');
  const { Id } = (await call('reseller', 'POST', 'hosted-page/callback', callback)).body.Result;
  const settings = { autoPay: true, paymentTerm: 'Days14', paymentMethodType: 1 };
  const choose = (who: string, id: string | null, more = {}) =>
    call(who, 'PUT', 'payment-methods', { ...settings, defaultPaymentMethodId: id, ...more });
  assert.equal((await choose('rival', Id)).status, 404, 'somebody else’s card is not there');
  assert.equal((await choose('reseller', Id, { paymentMethodType: 0 })).status, 409);
  assert.equal((await choose('reseller', null)).status, 409, 'nothing pays automatically without a method');
  assert.equal((await choose('reseller', Id)).status, 200);
  const { Result } = (await call('reseller', 'GET', 'payment-settings')).body;
  assert.deepEqual(Result, { ...settings, defaultPaymentMethodId: Id });
  const others = (await cardsOf('reseller')).filter(one => one.Id !== Id).map(one => one.Id);
  assert.equal((await call('rival', 'POST', 'payment-methods/cancel', { ids: notEmpty(others) })).status, 404);
  assert.equal((await call('reseller', 'POST', 'payment-methods/cancel', { ids: [...others, '999999'] })).status, 404);
  assert.equal((await cardsOf('reseller')).length, others.length + 1, 'all or none');
  assert.equal((await call('reseller', 'POST', 'payment-methods/cancel', { ids: others })).status, 200);
  assert.deepEqual(
    (await cardsOf('reseller')).map(one => one.Id),
    [Id],
  );
  const closed = await cardsOf('reseller', 'Closed');
  assertEvery(others, id => closed.some(one => one.Id === id));
});

const account = { accountHolder: 'Eastmoor Ltd', sortCode: '20-00-00', accountNumber: '12345678' };

async function debit(who: string, form: Record<string, string>): Promise<void> {
  const { body } = await call(who, 'POST', 'direct-debit/payer-authorisation');
  const [message] = await sendForm(formAddress(body.Result, 'n'), form);
  assert.equal((await call(who, 'POST', 'hosted-page/callback', message?.fields)).status, 200);
}
const statusOf = async (who: string) => (await call(who, 'GET', 'direct-debit/status')).body.Result.Status;

test('a direct debit waits for the bank until it is active, can be cancelled, and be cancelled at the bank', async () => {
  assert.equal(await statusOf('empty'), undefined);
  await debit('empty', account);
  assert.equal(await statusOf('empty'), 'PendingSubmission');
  assert.equal((await call('empty', 'POST', 'direct-debit/payer-authorisation')).status, 409, 'one at a time');
  for (const [after, status] of [
    [7000, 'Submitted'],
    [12_000, 'Active'],
  ] as const) {
    later = after;
    await sandbox.tickOnce();
    assert.equal(await statusOf('empty'), status);
  }
  const { Id } = (await call('empty', 'GET', 'direct-debit/status')).body.Result;
  assert.equal((await call('rival', 'POST', 'payment-methods/cancel', { ids: [Id] })).status, 404);
  assert.equal((await call('empty', 'POST', 'payment-methods/cancel', { ids: [Id] })).status, 200);
  assert.equal(await statusOf('empty'), 'Cancelled');
  await debit('empty', { ...account, accountNumber: '12340009' });
  for (const [after, status] of [
    [24_000, 'Active'],
    [60_000, 'Cancelled'],
  ] as const) {
    later = after;
    await sandbox.tickOnce();
    assert.equal(await statusOf('empty'), status);
  }
  later = 0;
});

test('a reseller in euros debits an IBAN, whose check digits count', async () => {
  const { body } = await call('euro', 'POST', 'direct-debit/payer-authorisation');
  const address = formAddress(body.Result, 'n');
  const [wrong] = await sendForm(address, { accountHolder: 'Westhaven', iban: 'DE89 3704 0044 0532 0130 01' });
  assert.deepEqual([wrong?.key, wrong?.code], ['iban', '002']);
  const [right] = await sendForm(address, { accountHolder: 'Westhaven', iban: 'DE89 3704 0044 0532 0130 00' });
  assert.equal((await call('euro', 'POST', 'hosted-page/callback', right?.fields)).status, 200);
  assert.equal((await call('euro', 'GET', 'direct-debit/status')).body.Result.Name, 'Direct debit •••• 3000');
});

test('without BillingPlatformPayment nobody pays here', async () => {
  await setFlag('BillingPlatformPayment', false);
  for (const path of ['payment-methods', 'payment-settings', 'direct-debit/status', 'credits'])
    assert.equal((await call('reseller', 'GET', path)).status, 403, path);
  await setFlag('BillingPlatformPayment', true);
  assert.equal((await call('reseller', 'GET', 'payment-methods')).status, 200);
});
