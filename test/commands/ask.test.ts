import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Principal, publicPrincipal } from '../../server/access/principal.ts';
import type { CloudRequest } from '../../server/cloud/call.ts';
import { PortalError } from '../../server/errors.ts';
import { type Asking, ask } from '../../server/operations/ask.ts';
import type { Caller } from '../../server/operations/caller.ts';
import { Declined } from '../../server/operations/cloud-refusal.ts';
import type { AuditRecord } from '../../server/store/audit.ts';
import type { Envelope } from '../../shared/contract/envelope.ts';
import type { Operation } from '../../shared/language/types.ts';

const seller: Principal = { ...publicPrincipal, type: 'endUserAdmin', permissions: ['addProducts'] };
const operation: Operation = {
  service: 'cloud',
  method: 'POST',
  path: '/api/orders/{customerId}',
  with: { customerId: { type: 'string', maxLength: 5 } },
  requires: { permissions: ['addProducts'] },
  audit: 'order.placed',
  reply: { Rows: [{ Id: 'id', Price: 'money' }], Price: 'number' },
};

function asking(declared: Operation, reply: Envelope, principal = seller) {
  const sent: CloudRequest[] = [];
  const records: AuditRecord[] = [];
  const ended: string[] = [];
  const context = {
    caller: {
      principal,
      access: { serverText: (name: string) => name },
      version: { operations: new Map([['orders.place', declared]]) },
    } as unknown as Caller,
    services: {
      cloud: {
        call: async (request: CloudRequest) => {
          sent.push(request);
          return { status: reply.Succeed ? 200 : 422, envelope: reply };
        },
      },
      audit: async (record: AuditRecord) => void records.push(record),
      sessions: { endAll: async (account: string) => void ended.push(account) },
    } as unknown as Asking['services'],
  };
  return { context, sent, records, ended };
}
const done = { Succeed: true, Result: { Rows: [{ Id: 1, Price: '9.4' }], Price: 3 } };

test('a command asks an operation as strictly as its caller could: what it requires, its parameters, its key', async () => {
  for (const [declared, given, code] of [
    [{ ...operation, requires: { permissions: ['signAgreements'] } }, { customerId: '1' }, 'SESSION_ENDED'],
    [operation, { customerId: 'far too long' }, 'PARAMETER_INVALID'],
    [operation, { other: '1' }, 'PARAMETER_INVALID'],
    [{ ...operation, once: true }, { customerId: '1' }, 'BAD_REQUEST'],
  ] as const) {
    const { context, sent } = asking(declared, done);
    await assert.rejects(ask(context, 'orders.place', given), error => {
      assert.ok(error instanceof PortalError);
      assert.equal(error.code, code);
      return true;
    });
    assert.equal(sent.length, 0);
  }
});

test('what is bound to the caller is theirs, whatever a command gives', async () => {
  const own = { customerId: { userTypes: ['endUserAdmin'], is: 'principal.organisationId' } };
  const principal = { ...seller, facts: { ...seller.facts, organisationId: '77' } };
  const { context, sent } = asking({ ...operation, own } as Operation, done, principal);
  await ask(context, 'orders.place', { customerId: '1' });
  assert.deepEqual(sent[0]?.parameters, { customerId: '77' });
});

test('fields of the reply that the caller may not have do not reach the command', async () => {
  const { context } = asking(operation, done);
  assert.deepEqual(await ask(context, 'orders.place', { customerId: '1' }), { Rows: [{ Id: 1 }], Price: 3 });
  const { context: seeing } = asking(operation, done, { ...seller, prices: true });
  assert.deepEqual(await ask(seeing, 'orders.place', { customerId: '1' }), done.Result);
});

test('a call leaves the record that its operation names, and a refusal is the reply', async () => {
  const ok = asking(operation, done);
  await ask(
    ok.context,
    'orders.place',
    { customerId: '1' },
    { detail: done => ({ fields: Object.keys(done ?? {}).join() }) },
  );
  assert.deepEqual(
    ok.records.map(({ action, outcome, detail }) => [action, outcome, detail]),
    [['order.placed', 'done', { operation: 'orders.place', customerId: '1', fields: 'Rows,Price' }]],
  );
  const refused = asking(operation, { Succeed: false, Error: 'No' });
  await assert.rejects(ask(refused.context, 'orders.place', { customerId: '1' }), error => {
    assert.ok(error instanceof Declined);
    assert.deepEqual(error.reply, { status: 422, envelope: { Succeed: false, Error: 'No' } });
    return true;
  });
  assert.equal(refused.records[0]?.outcome, 'refused');
});

test('the sessions of the account that a reply names end once the call has succeeded, and by no refusal', async () => {
  const ending: Operation = { ...operation, reply: { UserName: 'text' }, endsSessionsOf: 'UserName' };
  const disabled = asking(ending, { Succeed: true, Result: { UserName: 'helen@northwind.test' } });
  await ask(disabled.context, 'orders.place', { customerId: '1' });
  assert.deepEqual(disabled.ended, ['helen@northwind.test']);
  const refused = asking(ending, { Succeed: false, Result: { UserName: 'helen@northwind.test' } });
  await assert.rejects(ask(refused.context, 'orders.place', { customerId: '1' }));
  assert.deepEqual(refused.ended, []);
});
