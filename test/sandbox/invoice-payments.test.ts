import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import { formAddress, sendForm, typedCard } from '../fixtures/hosted-form.ts';
import { insertOpenInvoice } from '../fixtures/open-invoice.ts';
import { readPdf } from '../fixtures/pdf-text.ts';
import { type StartedSandbox, withSandbox, withTokens } from '../fixtures/sandbox.ts';
import { skipDays } from '../fixtures/skip-days.ts';

let later = 0;
const sandbox: StartedSandbox = withSandbox({ now: () => new Date(Date.now() + later), tokenSeconds: 60 * 86_400 });
const tokens = withTokens(sandbox, [
  'bookkeeper@northwind.test',
  'reseller@northwind.test',
  'rival@southridge.test',
  'empty@eastmoor.test',
  'euro@westhaven.test',
]);

const call = (who: string, method: string, path: string, body?: unknown, headers = {}) =>
  sandbox.call(tokens[who]!, method, path, body, headers);
const read = async (path: string, who = 'bookkeeper') => (await call(who, 'GET', path)).body.Result;

/** Stores a card of the bookkeeper's reseller, and gives its id. */
async function store(number?: string, who = 'bookkeeper', currency = 'GBP'): Promise<string> {
  const { body } = await call(who, 'POST', '/api/billing/hosted-page/card', { Currency: currency });
  const [message] = await sendForm(formAddress(body.Result, 'n'), typedCard(number));
  return (await call(who, 'POST', '/api/billing/hosted-page/callback', message?.fields)).body.Result.Id;
}

/** Opens an invoice anew: as it was before anything of it was paid, at an amount of its own. */
let opened = 0;
async function openInvoice(reseller = 1001, gross = '100.00'): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    with chosen as (
      select id from invoices where kind = 'Invoice' and reseller_id = ${reseller} order by period desc
      offset ${opened++ % 10} limit 1
    ), gone as (delete from payments where invoice_id in (select id from chosen))
    update invoices set gross = ${gross}, prepaid = 0, paid = 0, paid_on = null from chosen
    where invoices.id = chosen.id returning 'FH-' || number as id`.execute(sandbox.db);
  return rows[0]!.id;
}

type Asked = { readonly who?: string; readonly press?: string; readonly path?: string } & Record<string, unknown>;
const today = () => new Date(Date.now() + later).toISOString().slice(0, 10);
const pay = (InvoiceId: string, PaymentMethodId: string, Amount: string, asked: Asked = {}) => {
  const { who = 'bookkeeper', press = randomUUID(), path = '/billing/card-payments', ...more } = asked;
  const body = { InvoiceId, PaymentMethodId, Amount, PaymentDate: today(), Currency: 'GBP', ...more };
  return call(who, 'POST', path, body, { 'idempotency-key': press });
};

/** What was charged by a card: amounts in minor units that were taken. */
const chargesOf = async (card: string) => {
  const rows = await sandbox.db
    .selectFrom('card_provider_charges as c')
    .innerJoin('payment_methods as m', 'm.provider_id', 'c.method_id')
    .where('m.id', '=', Number(card))
    .where('c.status', '=', 'processed')
    .select('c.amount')
    .execute();
  return rows.map(({ amount }) => amount);
};
const invoice = async (id: string, who = 'bookkeeper') => {
  const { Status, Paid, Left, PaidOn } = await read(`/billing/invoices/${id}`, who);
  return { Status, Paid, Left, isDated: PaidOn !== null };
};
const idOfInvoice = async (id: string): Promise<number> => {
  const { rows } = await sql<{ id: number }>`select id from invoices where 'FH-' || number = ${id}`.execute(sandbox.db);
  return rows[0]!.id;
};
const statusOf = async (id: string) => (await invoice(id)).Status;

test('an invoice is paid in parts, each listed with its card, and is paid once nothing is left', async () => {
  const [card, id] = [await store(), await openInvoice()];
  assert.equal((await pay(id, card, '40.5')).body.Result.Status, 'Paid');
  assert.deepEqual([(await invoice(id)).Paid, (await invoice(id)).Left], ['40.50', '59.50']);
  const info = await read(`/billing/invoices/${id}/pay-info`);
  assert.deepEqual(
    [info.InvoiceId, info.Amount, info.Currency, info.PaymentDate, info.LatestStatus],
    [id, '59.50', 'GBP', today(), 'Paid'],
  );
  await pay(id, card, '59.50');
  assert.deepEqual(await invoice(id), { Status: 'Paid', Paid: '100.00', Left: '0.00', isDated: true });
  const { Items } = await read(`/billing/invoices/${id}/payments`);
  assert.deepEqual(
    Items.map((row: Record<string, unknown>) => [row.Amount, row.Means, row.PaidWith, row.IsAutomatic]),
    [
      ['59.50', 'Card', 'Visa •••• 4242', false],
      ['40.50', 'Card', 'Visa •••• 4242', false],
    ],
  );
  const history = await read('/billing/history?what=InvoicePaid&pageSize=100');
  const entries = history.Items.filter((row: { DocumentId: string }) => row.DocumentId === id);
  assert.equal(entries.length, 2, 'the history has both');
  const reply = await fetch(`${sandbox.url}/billing/invoices/${id}/download`, {
    headers: { authorization: `Bearer ${tokens.bookkeeper}`, 'actor-id': 'bookkeeper@northwind.test' },
  });
  const { text } = readPdf(Buffer.from(await reply.arrayBuffer()));
  assert.match(text, /Payments/);
  assert.match(text, /Visa ending 4242/);
  assert.match(text, /59\.50/);
  const again = await pay(id, card, '1');
  assert.deepEqual([again.status, again.body.Refusals], [409, [{ Code: 'InvoicePaid' }]]);
  assert.deepEqual(await chargesOf(card), [4050, 5950]);
});

test('a payment that is no payment of this invoice is refused by a code with its data, and nothing is charged', async () => {
  const [card, id] = [await store(), await openInvoice()];
  for (const amount of ['0', '0.00', '-5', '1.234', '1e3', '1,50', '', 'NaN', '100.01', '999999999999']) {
    const { status, body } = await pay(id, card, amount);
    assert.equal(status, 400, amount);
    const above = { Code: 'AmountAboveOwed', Data: { Owed: '100.00', Currency: 'GBP' } };
    const why = amount === '100.01' ? above : { Code: 'AmountMalformed' };
    assert.deepEqual(
      [body.Refusals, body.Errors, body.Messages],
      [[{ Field: 'Amount', ...why }], undefined, undefined],
    );
  }
  const euros = await pay(id, card, '5', { Currency: 'EUR' });
  const inPounds = { Code: 'InvoiceCurrency', Data: { Currency: 'GBP' } };
  assert.deepEqual([euros.status, euros.body.Refusals], [409, [inPounds]]);
  for (const PaymentDate of ['2020-01-01', '2999-01-01', 'today', '2026-13-40'])
    assert.equal((await pay(id, card, '5', { PaymentDate })).status, 400, PaymentDate);
  const memo = (await read('/billing/creditmemos')).Items[0].Id;
  for (const wrong of [memo, 'FH-1', 'FH-999999', 'x'])
    assert.equal((await pay(wrong, card, '5')).status, 404, `${wrong} is no invoice`);
  assert.equal((await pay(id, card, '5', { who: 'rival', path: '/api/billing/UPGPayment' })).status, 404);
  assert.equal((await call('rival', 'GET', `/api/billing/invoices/${id}/payments`)).status, 404);
  assert.equal((await call('rival', 'GET', `/api/billing/GetPayInvoiceInfo/${id}`)).status, 404);
  const body = { InvoiceId: id, PaymentMethodId: card, Amount: '5', PaymentDate: today(), Currency: 'GBP' };
  const unpressed = await call('bookkeeper', 'POST', '/billing/card-payments', body);
  assert.deepEqual(unpressed.body.Refusals, [{ Code: 'PressMissing' }]);
  assert.deepEqual(await chargesOf(card), []);
  assert.equal((await invoice(id)).Left, '100.00');
});

test('two presses at once, and two people at once, pay an invoice once', async () => {
  const [card, id] = [await store(), await openInvoice()];
  const press = randomUUID();
  const doubled = await Promise.all([1, 2, 3].map(() => pay(id, card, '60', { press })));
  assert.deepEqual(new Set(doubled.map(({ body }) => body.Result?.Status)), new Set(['Paid']));
  assert.deepEqual(await chargesOf(card), [6000]);
  const people = await Promise.all(['bookkeeper', 'reseller'].map(who => pay(id, card, '40', { who })));
  assert.deepEqual(people.map(({ status }) => status).sort(), [200, 409]);
  assert.deepEqual(await chargesOf(card), [6000, 4000]);
  assert.equal(await statusOf(id), 'Paid');
  assert.equal((await pay(id, card, '41', { press })).status, 409, 'a press is for one payment');
});

test('a declined or expired card says why, and the invoice stays as it was', async () => {
  for (const [number, reason] of [
    ['4000 0000 0000 0002', 'insufficient_funds'],
    ['4000 0000 0000 0069', 'expired_card'],
  ] as const) {
    const id = await openInvoice();
    assert.equal((await pay(id, await store(number), '100')).body.Result.Status, 'Declined');
    const info = await read(`/billing/invoices/${id}/pay-info`);
    assert.deepEqual([info.LatestStatus, info.LatestReason, info.Amount], ['Declined', reason, '100.00']);
    const { FailedId, FailedReason, FailedAmount } = await read('/billing/invoices/latest/summary');
    assert.deepEqual([FailedId, FailedReason, FailedAmount], [id, reason, '100.00']);
    assert.equal((await pay(id, await store(), '100')).body.Result.Status, 'Paid');
    assert.notEqual((await read('/billing/invoices/latest/summary')).FailedId, id, 'once it is paid nothing is said');
  }
});

for (const [word, number] of [
  ['slow', '4000 0000 0000 0077'],
  ['nonsensical', '4000 0000 0000 0119'],
] as const) {
  test(`while a ${word} answer is awaited nobody pays the invoice again, and it is paid once`, async () => {
    const [card, other, id] = [await store(number), await store(), await openInvoice()];
    assert.equal((await pay(id, card, '100')).body.Result.Status, 'Pending');
    const info = await read(`/billing/invoices/${id}/pay-info`);
    assert.deepEqual([info.Amount, info.Pending], ['0.00', '100.00']);
    const second = await pay(id, other, '100', { who: 'reseller' });
    assert.equal(second.status, 409);
    assert.deepEqual(second.body.Refusals, [{ Code: 'PaymentPending' }]);
    assert.equal((await invoice(id)).Paid, '0.00', 'only the provider says that it is paid');
    await sandbox.tickOnce();
    assert.equal(await statusOf(id), 'Paid');
    assert.deepEqual([await chargesOf(card), await chargesOf(other)], [[10_000], []]);
  });
}

test('what is offered to be paid leaves out what waits for an answer: the rest of an invoice, then the next one', async () => {
  const card = await store('4000 0000 0000 0119', 'empty');
  const [first, second] = [await openAlone(), await openAlone()];
  const offered = async () => {
    const { FirstId, FirstPayable, Balance, Items } = await read('/billing/invoices/latest/summary', 'empty');
    assert.equal(Balance, '160.00', 'it is owed until the provider says that it is paid');
    return [FirstId, FirstPayable, ...Items.map((row: { Payable: string }) => row.Payable)];
  };
  const wait = async (id: string, amount: string) =>
    assert.equal((await pay(id, card, amount, { who: 'empty' })).body.Result.Status, 'Pending');
  assert.deepEqual(await offered(), [first, '80.00', '80.00', '80.00']);
  await wait(first, '29.99');
  assert.deepEqual(await offered(), [first, '50.01', '50.01', '80.00']);
  await wait(first, '50.01');
  assert.deepEqual(await offered(), [second, '80.00', '0.00', '80.00']);
  await wait(second, '80');
  assert.deepEqual(await offered(), [null, null, '0.00', '0.00']);
  await sandbox.tickOnce();
  assert.deepEqual((await read('/billing/invoices/latest/summary', 'empty')).Items, []);
});

test('credit pays an invoice, exactly and never more than there is', async () => {
  const id = await openInvoice(1001, '1000.00');
  assert.equal((await read('/api/billing/credits')).Balance, '750.00');
  const tooMuch = await pay(id, 'credit', '750.01');
  assert.deepEqual([tooMuch.status, tooMuch.body.Refusals], [409, [{ Code: 'CreditShort' }]]);
  const press = randomUUID();
  await Promise.all([1, 2].map(() => pay(id, 'credit', '750', { press })));
  const { Balance, Items } = await read('/api/billing/credits');
  assert.deepEqual([Balance, Items[0].Kind, Items[0].Amount], ['0.00', 'Used', '-750.00']);
  assert.equal((await invoice(id)).Left, '250.00');
  assert.equal((await read(`/billing/invoices/${id}/payments`)).Items[0].Means, 'Credit');
  assert.equal((await pay(id, 'credit', '0.01')).status, 409);
});

test('paying stands at the addresses of the platform or the monolith, and not at all when it is switched off', async () => {
  const id = await openInvoice(1002);
  const card = await store(undefined, 'rival');
  assert.equal((await pay(id, card, '10', { who: 'rival' })).status, 409, 'reporting is off for this account');
  assert.equal((await pay(id, card, '10', { who: 'rival', path: '/api/billing/UPGPayment' })).status, 200);
  const info = await read(`/api/billing/GetPayInvoiceInfo/${id}`, 'rival');
  assert.equal(info.Amount, '90.00');
  const set = (enabled: boolean) =>
    sandbox.db.updateTable('feature_flags').set({ enabled }).where('name', '=', 'BillingPlatformPayment').execute();
  await set(false);
  assert.equal((await pay(id, card, '10', { who: 'rival', path: '/api/billing/UPGPayment' })).status, 403);
  assert.equal((await call('rival', 'GET', `/api/billing/GetPayInvoiceInfo/${id}`)).status, 403);
  await set(true);
});

/** Pays automatically from the day of the invoice on, with one card. */
const setAutoPay = (defaultPaymentMethodId: string, paymentMethodType = 1) =>
  call('empty', 'PUT', '/api/billing/payment-methods', {
    ...{ autoPay: true, paymentTerm: 'OnInvoice', paymentMethodType, defaultPaymentMethodId },
  });
/** An invoice of a reseller that is paid automatically, and nothing else that is open. */
const openAlone = () => insertOpenInvoice(sandbox.db);
const attemptsOf = async (id: string) =>
  (await read(`/billing/invoices/${id}/payments`, 'empty')).Items.map(
    (row: { Status: string; IsAutomatic: boolean }) => [row.Status, row.IsAutomatic],
  );
test('with autopay the default card pays on the day that an invoice is due, once, and not before', async () => {
  await setAutoPay(await store(undefined, 'empty'));
  const id = await insertOpenInvoice(sandbox.db, 3);
  const { Due } = await read(`/billing/invoices/${id}`, 'empty');
  assert.equal((await read(`/billing/invoices/${id}/pay-info`, 'empty')).NextAttempt, Due);
  later = 2 * 86_400_000;
  await sandbox.tickOnce();
  assert.deepEqual(await attemptsOf(id), []);
  later = 3 * 86_400_000;
  await Promise.all([sandbox.tickOnce(), sandbox.tickOnce()]);
  later = 0;
  assert.deepEqual(await attemptsOf(id), [['Paid', true]]);
  assert.equal((await invoice(id, 'empty')).Status, 'Paid');
});

test('an automatic payment that cannot even be begun holds up no other, and is made once it can', async () => {
  await setAutoPay(await store(undefined, 'empty'));
  const [broken, whole] = [await openAlone(), await openAlone()];
  await sql`
    create function break_payment() returns trigger language plpgsql as $$ begin raise 'broken on purpose'; end $$;
  `.execute(sandbox.db);
  await sql`
    create trigger broken before insert on payments for each row
      when (new.invoice_id = ${sql.lit(await idOfInvoice(broken))}) execute function break_payment()`.execute(
    sandbox.db,
  );
  await sandbox.tickOnce();
  assert.deepEqual([await attemptsOf(broken), await attemptsOf(whole)], [[], [['Paid', true]]]);
  await sql`drop trigger broken on payments`.execute(sandbox.db);
  later = 60_000;
  await sandbox.tickOnce();
  later = 0;
  assert.deepEqual(await attemptsOf(broken), [['Paid', true]]);
});

test('an amount of any size is shown, offered and paid to the penny', async () => {
  const card = await store();
  const amounts = fc.oneof(
    fc.integer({ min: 1, max: 10 ** 12 }),
    fc.constantFrom(1, 2_147_483_647, 2_147_483_648, 4_294_967_296, 10 ** 12),
  );
  await fc.assert(
    fc.asyncProperty(amounts, async minor => {
      const gross = `${BigInt(minor) / 100n}.${String(BigInt(minor) % 100n).padStart(2, '0')}`;
      const id = await openInvoice(1001, gross);
      assert.equal((await read(`/billing/invoices/${id}/pay-info`)).Amount, gross);
      assert.equal((await pay(id, card, gross)).body.Result?.Status, 'Paid', gross);
      assert.deepEqual(await invoice(id), { Status: 'Paid', Paid: gross, Left: '0.00', isDated: true });
      assert.equal((await chargesOf(card)).at(-1), minor);
    }),
    { numRuns: 12, examples: [[10 ** 12], [2_147_483_648]] },
  );
});

test('an automatic payment of any size is made', async () => {
  await setAutoPay(await store(undefined, 'empty'));
  const id = await openAlone();
  await sql`update invoices set net = 10000000000, gross = 10000000000 where id = ${await idOfInvoice(id)}`.execute(
    sandbox.db,
  );
  await sandbox.tickOnce();
  const { Items } = await read(`/billing/invoices/${id}/payments`, 'empty');
  assert.deepEqual(
    Items.map((row: { Amount: string; Status: string }) => [row.Amount, row.Status]),
    [['10000000000.00', 'Paid']],
  );
});

test('a failed automatic payment is told, repeated every three days, three times, and at once with another card', async () => {
  await setAutoPay(await store('4000 0000 0000 0002', 'empty'));
  const id = await openAlone();
  const day = 86_400_000;
  const countAt = async (days: number) => {
    later = days * day;
    await skipDays(sandbox.db, today());
    await sandbox.tickOnce();
    return (await attemptsOf(id)).length;
  };
  const counts: number[] = [];
  for (const days of [0, 1, 3, 5, 6, 9, 12, 30]) counts.push(await countAt(days));
  later = 0;
  assert.deepEqual(counts, [1, 1, 2, 2, 3, 4, 4, 4]);
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from notifications n join accounts a on a.id = n.account_id
    where a.username = 'empty@eastmoor.test' and n.service_name = 'Billing'`.execute(sandbox.db);
  assert.equal(rows[0]?.count, 4);
  const history = await read('/billing/history?what=PaymentFailed', 'empty');
  assert.equal(history.Total, 4);
  assert.equal((await read('/billing/invoices/latest/summary', 'empty')).FailedId, id);
  await setAutoPay(await store(undefined, 'empty'));
  await sandbox.tickOnce();
  assert.equal((await invoice(id, 'empty')).Status, 'Paid');
});

test('an automatic payment without an answer is asked for again under its key, and charged once', async () => {
  const card = await store('4000 0000 0000 0119', 'empty');
  await setAutoPay(card);
  const id = await openAlone();
  await sandbox.tickOnce();
  assert.deepEqual(await attemptsOf(id), [['Pending', true]]);
  await sandbox.tickOnce();
  assert.deepEqual([await attemptsOf(id), await chargesOf(card)], [[['Paid', true]], [8000]]);
});
