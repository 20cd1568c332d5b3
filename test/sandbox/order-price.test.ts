import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withSandbox, withTokens } from '../fixtures/sandbox.ts';

const sandbox = withSandbox({ phaseMilliseconds: 0 });
const tokens = withTokens(sandbox, ['reseller@northwind.test', 'rival@southridge.test']);

// biome-ignore lint/suspicious/noExplicitAny: a row of a reply
type Row = Record<string, any>;
const call = (method: string, path: string, body?: unknown, who = 'reseller') =>
  sandbox.call(tokens[who]!, method, path, body, {});
const suite = { CustomerId: '10003', ServiceId: 8, SubId: 1, Action: 'Add', Quantity: 10 };
const price = async (more: Row) => {
  const reply = await call('POST', '/api/orders/price', { ...suite, ...more });
  assert.equal(reply.status, 200, JSON.stringify(reply.body));
  return reply.body.Result as Row;
};

test('a price needs quantity, term and billing alone, and says what one commits to and until when', async () => {
  const year = await price({ TermId: 'annual', BillingId: 'monthly' });
  assert.deepEqual(
    [year.UnitPrice, year.MonthlyPrice, year.FirstCharge, year.Commitment, year.Quantity, year.Before],
    ['8.46', '84.6', '84.6', '1015.2', 10, null],
  );
  assert.match(year.TermEnds, /^\d{4}-\d\d-\d\d$/, 'a day, the same in every zone');
  const days = (Date.parse(year.TermEnds) - Date.now()) / 86_400_000;
  assert.ok(days > 360 && days < 367, year.TermEnds);
  const month = await price({ TermId: 'monthly', BillingId: 'monthly' });
  assert.deepEqual([month.MonthlyPrice, month.Commitment, month.TermEnds, month.Once], ['94', '94', null, false]);
});

test('what is bought once costs nothing monthly, and is not billed monthly', async () => {
  const once = { ServiceId: 21, SubId: 1, Quantity: 2, TermId: 'once', BillingId: 'once' };
  const priced = await price(once);
  assert.deepEqual([priced.Once, priced.MonthlyPrice, priced.TermEnds], [true, '0', null]);
  assert.equal(priced.Commitment, priced.FirstCharge);
  assert.ok(Number(priced.FirstCharge) > 0);
  const product = (await call('GET', '/api/marketplace/services/21/1')).body.Result;
  assert.deepEqual(product.Billing, [{ Id: 'once', Name: 'Once, with the order' }]);
  const monthly = await call('POST', '/api/orders/price', { ...suite, ...once, BillingId: 'monthly' });
  assert.deepEqual([monthly.status, Object.keys(monthly.body.Errors)], [400, ['BillingId']]);
});

test('the price of a change says what the service costs now', async () => {
  const changed = await price({
    ...{ CustomerId: '10001', ServiceId: 1, Action: 'Modify', InstanceId: '30001' },
    ...{ Quantity: 30, TermId: 'monthly', BillingId: 'monthly' },
  });
  const { Quantity, UnitPrice, MonthlyPrice } = changed.Before;
  assert.equal(Number(MonthlyPrice), Math.round(Number(UnitPrice) * Quantity * 100) / 100);
  assert.ok(Quantity > 0 && Quantity !== 30);
});

test('a wrong quantity is told by field, and another reseller’s customer is not found', async () => {
  const wrong = await call('POST', '/api/orders/price', {
    ...suite,
    ...{ Quantity: 1001, TermId: 'annual', BillingId: 'monthly' },
  });
  assert.deepEqual([wrong.status, Object.keys(wrong.body.Errors)], [400, ['Quantity']]);
  const other = { ...suite, TermId: 'annual', BillingId: 'monthly' };
  assert.equal((await call('POST', '/api/orders/price', other, 'rival')).status, 404);
});

test('each term of a product has its price and, unless one may leave any month, its last day', async () => {
  const { Terms } = (await call('GET', '/api/marketplace/services/8/1')).body.Result;
  assert.deepEqual(
    Terms.map(({ Id, UnitPrice, Ends }: Row) => [Id, UnitPrice, Ends !== null]),
    [
      ['monthly', '9.4', false],
      ['annual', '8.46', true],
      ['triennial', '7.52', true],
    ],
  );
});

test('the record of a customer proposes the domain and the administrator of an order', async () => {
  const { body } = await call('GET', '/api/orders/subject?customerId=10003&action=Add&serviceId=8&subId=1');
  const customer = (await call('GET', '/api/customers/10003')).body.Result;
  assert.equal(body.Result.Fields.Domain, customer.Domain);
  assert.match(body.Result.Fields.AdminEmail, /@/);
});
