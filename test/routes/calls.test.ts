import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { beforeEach, test } from 'node:test';
import fc from 'fast-check';
import { type Client, withClient, withPortal } from '../fixtures/portal.ts';
import { withRecordingProxy } from '../fixtures/recording-proxy.ts';
import { withSandbox } from '../fixtures/sandbox.ts';

const sandbox = withSandbox();
const proxy = withRecordingProxy(sandbox);
const portal = withPortal(proxy);
const reseller = withClient(portal, 'reseller@northwind.test');
const engineer = withClient(portal, 'engineer@northwind.test');
const admin = withClient(portal, 'admin@contoso.test');
const endUser = withClient(portal, 'user@contoso.test');
beforeEach(() => {
  proxy.exchanges.length = 0;
});

/** What reached the cloud besides the portal's own questions about who is calling. */
const forwarded = () =>
  proxy.exchanges.filter(
    ({ url }) =>
      !/^\/api\/(users\/login-user|permissions|account-settings|partner-systems|notifications\/negotiate|whitelabel\/getLoginUserWhiteLabel)|^\/auth/.test(
        url,
      ),
  );

async function activeCustomer(): Promise<{ id: string; name: string }> {
  const { body } = await reseller.get('/ui/data/customers.list?status=Active&pageSize=1&sort=-Name');
  proxy.exchanges.length = 0;
  return { id: body.Result.Items[0].OrganisationId, name: body.Result.Items[0].Name };
}

test('what a role cannot see it cannot read, and nothing reaches the cloud', async () => {
  for (const [browser, operation] of [
    [endUser, 'customers.list'],
    [engineer, 'endUser.services'],
    [admin, 'dashboard.summary'],
  ] as const) {
    const reply = await browser.get(`/ui/data/${operation}`);
    assert.deepEqual([reply.status, reply.body.Resources.code], [403, 'NOT_PERMITTED'], operation);
  }
  assert.equal((await portal.client().get('/ui/data/customers.list')).status, 401);
  assert.deepEqual(forwarded(), []);
});

test('an operation that does not exist is refused as one that is not permitted', async () => {
  const strip = ({ status, body }: { status: number; body: { Resources: { reference: string } } }) => ({
    status,
    ...body,
    Resources: { ...body.Resources, reference: '' },
  });
  assert.deepEqual(strip(await endUser.get('/ui/data/customers.list')), strip(await endUser.get('/ui/data/none.such')));
});

test('a price that the caller may not see is absent from the bytes, and cannot be sorted by', async () => {
  const own = await reseller.get('/ui/data/customers.list?pageSize=2');
  const other = await engineer.get('/ui/data/customers.list?pageSize=2');
  assert.ok(own.text.includes('MonthlySpend'));
  assert.ok(!other.text.includes('MonthlySpend'));
  const sorted = await engineer.get('/ui/data/customers.list?sort=-MonthlySpend');
  assert.deepEqual([sorted.status, sorted.body.Resources.code], [400, 'PARAMETER_INVALID']);
  assert.equal((await engineer.get('/ui/data/customers.list?sort=-Name')).status, 200);
});

test('parameters are those of the operation, of their type and within their limits', async () => {
  for (const query of [
    'page=0',
    'page=1.5',
    'page=x',
    'pageSize=101',
    'sort=Secret',
    `search=${'x'.repeat(2001)}`,
    'customerId=1',
    '__proto__=1',
    'page=1&page=2',
    'status=active',
  ]) {
    const reply = await reseller.get(`/ui/data/customers.list?${query}`);
    assert.deepEqual([reply.status, reply.body.Resources?.code], [400, 'PARAMETER_INVALID'], query);
  }
  assert.deepEqual(forwarded(), []);
});

test('what lies at the limits of a parameter passes, and the log says what is wrong beyond them', async () => {
  for (const query of ['page=1', 'pageSize=1', 'pageSize=100', `search=${'x'.repeat(200)}`, 'page=', 'sort=-Name'])
    assert.equal((await reseller.get(`/ui/data/customers.list?${query}`)).status, 200, query);
  const refused: [Client, string, string][] = [
    [reseller, 'customers.list?page=0', 'page is too small'],
    [reseller, 'customers.list?pageSize=101', 'pageSize is too large'],
    [reseller, 'customers.list?page=1.5', 'page is not a integer'],
    [reseller, 'customers.list?page=1e1', 'page is not a integer'],
    [reseller, 'customers.list?page=9007199254740993', 'page is not a integer'],
    [reseller, 'customers.list?sort=Secret', 'sort is none of its values'],
    [engineer, 'customers.list?sort=-MonthlySpend', 'sort names a field of others'],
    [reseller, `customers.list?search=${'x'.repeat(201)}`, 'search is too long'],
    [reseller, `customers.activity?from=${'1'.repeat(2000)}`, 'from does not match its pattern'],
    [reseller, `customers.activity?from=${'1'.repeat(2001)}`, 'from is too long'],
    [reseller, `customers.list?${'n'.repeat(50)}=1`, `${'n'.repeat(40)} is unknown here`],
    [reseller, 'policies.get', 'policyId is missing'],
  ];
  for (const [browser, query, detail] of refused) {
    const { body } = await browser.get(`/ui/data/${query}`);
    const line = portal
      .log()
      .split('\n')
      .find(text => text.includes(body.Resources?.reference ?? 'no reference'));
    const told = JSON.parse(line ?? '{}');
    assert.deepEqual([told.code, told.detail], ['PARAMETER_INVALID', `parameter ${detail}`], query.slice(0, 60));
  }
});

test('a parameter that is bound to the caller is set by the server and cannot be named', async () => {
  const own = await admin.get('/ui/data/customers.get');
  assert.equal(own.body.Result.Name, 'Contoso');
  const named = await admin.get('/ui/data/customers.get?customerId=10002');
  assert.equal(named.status, 400);
});

test('an end user reads the own activity, names nobody for it, and nobody else reads any there', async () => {
  const own = await endUser.get('/ui/data/endUser.activity?pageSize=100');
  const created = own.body.Result.Items.filter(({ Action }: { Action: string }) => Action === 'User created');
  assert.deepEqual(
    created.map(({ Target }: { Target: string }) => Target),
    ['Una Marsh'],
  );
  for (const name of ['userId', 'customerId', 'actor'])
    assert.equal((await endUser.get(`/ui/data/endUser.activity?${name}=20001`)).status, 400, name);
  proxy.exchanges.length = 0;
  const rival = await portal.signIn('rival@southridge.test');
  for (const [name, browser] of Object.entries({ reseller, rival, engineer, admin }))
    assert.equal((await browser.get('/ui/data/endUser.activity')).status, 403, name);
  assert.deepEqual(forwarded(), []);
});

test('a write is forwarded as it was checked, and names the reads that are stale', async () => {
  const { id } = await activeCustomer();
  const reply = await reseller.press('/customers', 'suspend', 'call:customers.suspend', { with: { customerId: id } });
  assert.equal(reply.body.Succeed, true);
  assert.deepEqual(reply.body.effects, [
    {
      do: 'refresh-operations',
      operations: ['customers.get', 'customers.list', 'customers.activity', 'customers.services', 'dashboard.summary'],
    },
  ]);
  const [sent] = forwarded();
  assert.deepEqual([sent?.method, sent?.url, sent?.body], ['POST', `/api/customers/${id}/suspend`, '']);
  const rows = await portal.store.run(db =>
    db.selectFrom('audit').selectAll().where('action', '=', 'customer.suspended').execute(),
  );
  assert.deepEqual(rows.at(-1)?.detail as unknown, { operation: 'customers.suspend', customerId: id });
  assert.equal(rows.at(-1)?.account, 'reseller@northwind.test');
  await reseller.press('/customers', 'reactivate', 'call:customers.reactivate', { with: { customerId: id } });
});

test('a call that no node of the caller says is refused', async () => {
  const { id } = await activeCustomer();
  const refused: [string, string, Record<string, unknown>][] = [
    ['/customers', 'open', { with: { customerId: id } }],
    ['/customers', 'nothing', { with: { customerId: id } }],
    ['/dashboard', 'suspend', { with: { customerId: id } }],
    ['/customers', 'suspend', { with: { customerId: id, more: 1 } }],
  ];
  for (const [screen, node, request] of refused) {
    const reply = await reseller.press(screen, node, 'call:customers.suspend', request);
    assert.deepEqual([reply.status, reply.body.Resources?.code], [403, 'NOT_PERMITTED'], `${screen} ${node}`);
  }
  const hash = await reseller.hashOf('/customers');
  const foreign = await engineer.post('/ui/call/customers.suspend', {
    node: 'suspend',
    layout: hash,
    with: { customerId: id },
  });
  assert.equal(foreign.status, 403);
  assert.deepEqual(forwarded(), []);
});

test('a parameter that is given as nothing is one that is not given', async () => {
  const answers: string[] = [];
  for (const given of [{}, { customerId: null }, { customerId: '' }]) {
    const reply = await reseller.press('/customers', 'suspend', 'call:customers.suspend', { with: given as never });
    const line = portal
      .log()
      .split('\n')
      .find(text => text.includes(reply.body.Resources?.reference ?? 'no reference'));
    answers.push(`${reply.status} ${reply.body.Resources?.code} ${JSON.parse(line ?? '{}').detail}`);
  }
  assert.deepEqual(answers, Array(3).fill('400 PARAMETER_INVALID parameter customerId is missing'));
});

test('what a message offers as undoing is called by the node that led to it, and a call without a body refuses one', async () => {
  const { id } = await activeCustomer();
  const press = async (what: string, body?: Record<string, unknown>) => {
    const request = { with: { customerId: id }, ...(body && { body }) };
    const reply = await reseller.press('/customers', 'suspend', `call:${what}`, request);
    return [reply.status, reply.body.Resources?.code];
  };
  assert.deepEqual(await press('customers.suspend', { Reason: 'x' }), [400, 'BAD_REQUEST']);
  assert.deepEqual(forwarded(), []);
  assert.deepEqual((await press('customers.suspend', {}))[0], 200);
  assert.deepEqual((await press('customers.reactivate'))[0], 200);
  assert.deepEqual(await press('customers.rename', { NewName: 'X' }), [403, 'NOT_PERMITTED']);
  assert.equal(forwarded().length, 2);
});

test('a constant of the document cannot be changed on the way, nor left out', async () => {
  const { body } = await reseller.get('/ui/data/notifications.list?status=new&pageSize=1');
  const [{ Id }] = body.Result;
  const update = (given: Record<string, unknown>) =>
    reseller.post('/ui/call/notifications.update', { node: 'bell', layout: 'navigation', body: given });
  for (const given of [{ Id, Status: 'new' }, { Id }])
    assert.equal((await update(given)).status, 403, JSON.stringify(given));
  assert.equal((await update({ Id, Status: 'read' })).body.Succeed, true);
});

test('a field that the form does not have, or that is not of its type, never reaches the cloud', async () => {
  const { id, name } = await activeCustomer();
  const rename = (body: Record<string, unknown>) =>
    reseller.press('rename-customer', 'rename', 'call:customers.rename', { with: { customerId: id }, body });
  const right = await rename({ NewName: `${name} Ltd` });
  assert.equal(right.body.Succeed, true, right.text);
  const sent = forwarded().length;
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.dictionary(fc.string({ maxLength: 12 }), fc.jsonValue(), { minKeys: 1, maxKeys: 4 }),
        fc.record({
          NewName: fc.oneof(
            fc.integer(),
            fc.constant(''),
            fc.constant('x'.repeat(101)),
            fc.constant('bad 💥'),
            fc.constant(['a']),
          ),
        }),
      ),
      async body => {
        if (
          typeof body.NewName === 'string' &&
          Object.keys(body).length === 1 &&
          body.NewName.length <= 100 &&
          /^[a-z]+$/i.test(body.NewName)
        )
          return;
        const reply = await rename({
          NewName: 'Fine',
          ...body,
          ...(Object.hasOwn(body, 'NewName') ? {} : { Extra: 1 }),
        });
        assert.ok(reply.status === 422 || reply.status === 400, reply.text);
      },
    ),
    { numRuns: 60 },
  );
  assert.equal(forwarded().length, sent);
  await rename({ NewName: name });
});

test('field errors arrive by field: in its own words where it has some, else in those of the page, with its label', async () => {
  const add = async (body: Record<string, unknown>) => {
    const reply = await reseller.press('/customers/add', 'add-customer', 'call:customers.create', { body });
    return [reply.status, reply.body.Errors];
  };
  const right = { Name: 'A', Domain: 'a.test', ContactName: 'Ann', ContactEmail: 'ann@a.test', Phone: '' };
  assert.deepEqual(await add({ ...right, Name: '', ContactName: ' ' }), [
    422,
    { Name: ['The customer name cannot be empty.'], ContactName: ['Contact name is required'] },
  ]);
  assert.deepEqual(await add({ ...right, Name: 'bad 💥', Domain: 'x'.repeat(201), ContactEmail: 'ann', Phone: 1 }), [
    422,
    {
      Name: ['The customer name has invalid characters.'],
      Domain: ['Must be a maximum of 200 characters'],
      ContactEmail: ['Must be a valid email address'],
      Phone: ['Must be the correct format'],
    },
  ]);
  assert.deepEqual(await add({ ...right, More: 1, $changed: true }), [
    422,
    { More: ['This page has changed. Reload it and try again.'] },
  ]);
});

test('the log says which fields were refused and why, and nothing of what was typed', async () => {
  const { id } = await activeCustomer();
  const reply = await reseller.press('rename-customer', 'rename', 'call:customers.rename', {
    with: { customerId: id },
    body: { NewName: '', ShoeSize: 'forty-two' },
  });
  const lines = portal.log().split('\n');
  const told = lines.filter(line => line.includes(reply.body.Resources?.reference as string));
  assert.deepEqual(
    told.map(line => JSON.parse(line)).map(({ code, detail }) => [code, detail]),
    [['FIELDS_INVALID', 'NewName: required, ShoeSize: unknown']],
  );
  assert.ok(!told.join().includes('forty-two'));
});

test('a write that acts once needs the key of its press, and passes it on', async () => {
  const layout = await reseller.hashOf('/customers/add');
  const request = {
    node: 'add-customer',
    layout,
    body: {
      Name: 'Once Only Ltd',
      Domain: 'once-only.test',
      ContactName: 'Ann',
      ContactEmail: 'ann@once-only.test',
      Phone: '',
    },
  };
  const without = await reseller.post('/ui/call/customers.create', request, { 'idempotency-key': '' });
  assert.equal(without.status, 400, without.text);
  const key = randomUUID();
  const replies = [
    await reseller.post('/ui/call/customers.create', request, { 'idempotency-key': key }),
    await reseller.post('/ui/call/customers.create', request, { 'idempotency-key': key }),
  ];
  assert.deepEqual(
    replies.map(({ body }) => body.Succeed),
    [true, true],
    replies[0]?.text,
  );
  assert.deepEqual(new Set(forwarded().map(({ headers }) => headers['idempotency-key'])), new Set([key]));
});

test('what the cloud refuses arrives with its messages', async () => {
  const reply = await reseller.press('/customers/add', 'add-customer', 'call:customers.create', {
    body: {
      Name: 'Once Only Ltd',
      Domain: 'once-only.test',
      ContactName: 'Ann',
      ContactEmail: 'ann@once-only.test',
      Phone: '',
    },
  });
  assert.deepEqual([reply.status, reply.body.Messages], [409, ['A customer with this name already exists.']]);
});
