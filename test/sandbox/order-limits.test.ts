import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { withSandbox } from '../fixtures/sandbox.ts';
import { setUp } from '../fixtures/set-up.ts';

const sandbox = withSandbox({ phaseMilliseconds: 0 });
let token: string;
setUp(async () => {
  token = await sandbox.signIn('reseller@northwind.test');
});

// biome-ignore lint/suspicious/noExplicitAny: a row of a reply
type Row = Record<string, any>;
const post = (path: string, body: unknown) => sandbox.call(token, 'POST', path, body);

async function newCustomer(): Promise<string> {
  const Name = `Limit ${randomUUID().slice(0, 8)}`;
  const body = { Name, Domain: 'order.test', ContactName: 'O', ContactEmail: 'o@order.test' };
  return (await post('/api/customers', body)).body.Result.organisationId;
}

test('no sequence of orders, deletions and ticks breaks a limit', async () => {
  const customers = [await newCustomer(), await newCustomer()];
  const answers = new Set<number>();
  const act = fc.record({
    customer: fc.constantFrom(...customers),
    what: fc.constantFrom('order', 'again', 'fail', 'delete', 'tick'),
    key: fc.constantFrom('17-1', '8-1', '12-1'),
  });
  const fields: Record<string, Row> = {
    '17-1': { Domain: 'order.test' },
    '8-1': { Domain: 'order.test', AdminEmail: 'o@order.test' },
    '12-1': { AdminEmail: 'o@order.test' },
  };
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 5, maxLength: 15 }), async acts => {
      for (const { customer, what, key } of acts) {
        const [ServiceId, SubId] = key.split('-').map(Number);
        if (what === 'tick') await sandbox.tickOnce();
        else if (what === 'delete') {
          const { Items } = (await sandbox.call(token, 'GET', `/api/customers/${customer}/services`)).body.Result;
          for (const { Id, Name } of Items.slice(0, 1))
            await post(`/api/customers/${customer}/services/${Id}/delete`, { Confirmation: Name });
        } else {
          const Quantity = what === 'fail' ? 13 : 2;
          const terms = { TermId: 'monthly', BillingId: 'monthly', Fields: fields[key] };
          const body = { CustomerId: customer, ServiceId, SubId, Action: 'Add', Quantity, ...terms };
          const twice =
            what === 'again' ? [post('/api/orders', body), post('/api/orders', body)] : [post('/api/orders', body)];
          for (const { status } of await Promise.all(twice)) {
            assert.ok(status === 201 || status === 409);
            answers.add(status);
          }
        }
        const held = await sandbox.db
          .selectFrom('service_instances as i')
          .innerJoin('customers as c', 'c.id', 'i.customer_id')
          .where('c.organisation_id', 'in', customers.map(Number))
          .where('i.status', '<>', 'Deleted')
          .select(['i.customer_id', 'i.service_id', 'i.status'])
          .execute();
        for (const one of held) {
          const same = held.filter(row => row.customer_id === one.customer_id && row.service_id === one.service_id);
          if (one.service_id !== 8) assert.equal(same.length, 1);
          assert.ok(same.filter(({ status }) => status === 'Activating').length <= 1);
        }
      }
    }),
    { numRuns: 8 },
  );
  assert.equal(answers.size, 2, 'some orders were taken, some refused');
});
