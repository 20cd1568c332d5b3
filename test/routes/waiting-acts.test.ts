import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withClient, withPortal } from '../fixtures/portal.ts';
import { withSandbox } from '../fixtures/sandbox.ts';

const sandbox = withSandbox();
const portal = withPortal(sandbox);
const reseller = withClient(portal, 'reseller@northwind.test');

test('an act that waits is neither done nor refused: the page goes to what waits and says so', async () => {
  await sandbox.db
    .insertInto('approval_demands')
    .values({ reseller_id: 1001, kind: 'CustomerDeletion', above: 0 })
    .execute();
  const token = await sandbox.signIn('reseller@northwind.test');
  const customer = { Name: 'Waits', Domain: 'waits.test', ContactName: 'W', ContactEmail: 'w@waits.test' };
  const made = await sandbox.call(token, 'POST', '/api/customers', customer);
  const customerId: string = made.body.Result.organisationId;
  const reply = await reseller.press('delete-customer', 'delete-customer', 'call:customers.delete', {
    with: { customerId },
    body: { Confirmation: 'Waits' },
  });
  const { Succeed, Waits, Messages, effects } = reply.body;
  assert.deepEqual([reply.status, Succeed, Messages], [202, false, undefined]);
  assert.deepEqual(
    effects.map(({ do: name, to, text }: { do: string; to?: string; text?: string }) => [name, to ?? text ?? '']),
    [
      ['refresh-operations', ''],
      ['close-popup', ''],
      ['navigate', `/approvals/${Waits.ApprovalId}`],
      ['toast', 'This waits for the approval of another person. Nothing was done yet.'],
    ],
  );
  const audit = await portal.store.run(db =>
    db.selectFrom('audit').select('outcome').where('action', '=', 'customer.deleted').execute(),
  );
  assert.deepEqual(audit, [{ outcome: 'waits' }]);
});
