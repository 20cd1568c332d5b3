import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOfResource } from '../fixtures/declared-resources.ts';
import { focusFile } from '../fixtures/focus-file.ts';
import { assertEvery } from '../fixtures/rows.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { setUp } from '../fixtures/set-up.ts';

const sandbox = withSandbox();
let token: string;
setUp(async () => {
  token = await sandbox.signIn('reseller@northwind.test');
});

const call = (method: string, path: string, body?: object) => sandbox.call(token, method, path, body);
const first = async (path: string) => (await call('GET', path)).body.Result.Items[0];

/** Things that belong to the customer 10001, by the name of its parameter in the API or of the collection before it. */
async function owned(): Promise<Readonly<Record<string, string>>> {
  const deleted = await first('/api/customers/10001/users?sort=Email');
  await call('DELETE', `/api/customers/10001/users/${deleted.UserId}`);
  const { UserId, Email } = await first('/api/customers/10001/users?sort=-Email&search=user@');
  const { Id } = await first('/api/customers/10001/services');
  const { DomainId } = await first('/api/customers/10001/domains');
  const { GroupId } = await first('/api/customers/10001/distribution-groups');
  const { ContactId } = await first('/api/customers/10001/mail-enabled-contacts');
  const file = 'First name,Last name,Email address,Role,Phone\r\nAda,Grey,ada.grey@contoso.test,End user,';
  const at = '/api/customers/10001/user-imports?name=people.csv';
  const checked = await sandbox.call(token, 'POST', at, file, { 'content-type': 'text/csv' });
  const { ImportId } = checked.body.Result;
  const usage = focusFile([{ BilledCost: '5.00' }]);
  const loaded = await sandbox.call(token, 'POST', '/api/customers/10001/usage/files', usage, {
    'content-type': 'text/csv',
  });
  const noPermissions = { UsersWithFullAccess: [], UsersWithSendAs: [] };
  const given = await call('PUT', `/api/customers/10001/mailboxes/${Email}/permissions`, noPermissions);
  const { Items: filtered } = (await call('GET', '/api/customers/10001/email-security/domains')).body.Result;
  const rules = `/api/customers/10001/email-security/domains/${filtered[0].DomainId}/blacklist/rule-file`;
  const judged = await sandbox.call(token, 'POST', rules, '@one.test', { 'content-type': 'text/csv' });
  return {
    filteredId: filtered[0].DomainId,
    ruleFileId: judged.body.Result.FileId,
    userId: UserId,
    mailbox: Email,
    instanceId: Id,
    domainId: DomainId,
    groupId: GroupId,
    contactId: ContactId,
    importId: ImportId,
    fileId: loaded.body.Result.FileId,
    changeId: given.body.Result.ChangeId,
    'deleted-users': deleted.UserId,
  };
}

test('no call of the API reaches what belongs to one customer at the address of another', async () => {
  const ids = await owned();
  assert.equal(Object.keys(ids).length, 12);
  assertEvery(Object.values(ids), id => String(id).length > 0);
  const { paths } = (await call('GET', '/openapi.json')).body;
  const below = Object.keys(paths).filter(
    path => /^\/api\/customers\/\{customerId\}\/.*\{\w+\}/.test(path) && !isOfResource(path),
  );
  assert.ok(below.length >= 9, String(below));
  const [tried, over]: [string[], string[]] = [[], []];
  for (const path of below) {
    const [, collection = '', parameter = ''] = /\{customerId\}.*?([\w-]+)\/\{(\w+)\}/.exec(path) ?? [];
    const name = collection in ids ? collection : parameter;
    assert.ok(name in ids, `${path}: say here what of the customer 10001 it names`);
    for (const method of Object.keys(paths[path])) {
      if (method !== 'get' && method !== 'delete' && method !== 'post') continue;
      const at = (customer: string, id = String(ids[name])) =>
        path
          .replace('{customerId}', customer)
          .replace(`{${parameter}}`, id)
          .replace(/\{(\w+)\}/g, (whole, other: string) => ids[other] ?? whole);
      if (method === 'get') assert.equal((await call('GET', at('10001'))).status, 200, at('10001'));
      const bodies: Record<string, object> = {
        delete: { Confirmation: 'x' },
        columns: {},
        members: { Addresses: 'x@contoso.test' },
        aliases: { Alias: 'x@contoso.test' },
        forwarding: { Address: 'x@contoso.test' },
        leave: { Version: '1' },
        ...Object.fromEntries(['whitelist', 'blacklist', 'archive-rules'].map(list => [list, { Address: '@a.test' }])),
      };
      const body = method !== 'get' ? bodies[path.split('/').at(-1)!] : undefined;
      const { status, body: said } = await call(method.toUpperCase(), at('10002'), body);
      if (status === 404) tried.push(`${method} ${path}`);
      // Of what can end by itself the cloud tells that it is over, in the same words when it never was.
      else {
        const never = await call(method.toUpperCase(), at('10002', '1999999999'), body);
        assert.deepEqual([status, said], [never.status, never.body], `${method} ${at('10002')}`);
        over.push(path);
      }
    }
  }
  assertEvery(over, path => path.includes('/deleted-users/'));
  assert.ok(tried.length >= 9, String(tried));
});

test('an order of hosted voice is read at the address of its organisation alone', async () => {
  const { id, organisation_id } = await sandbox.db
    .selectFrom('voice_orders as v')
    .innerJoin('customers as c', 'c.id', 'v.customer_id')
    .innerJoin('resellers as r', 'r.id', 'c.reseller_id')
    .where('c.organisation_id', '<', 10041)
    .where('c.organisation_id', '>', 10000)
    .select(['v.id', 'c.organisation_id'])
    .executeTakeFirstOrThrow();
  const at = (organisation: number) => `/api/voice/organisations/${organisation}/orders/${id}`;
  assert.equal((await call('GET', at(organisation_id))).status, 200);
  const other = organisation_id === 10001 ? 10002 : 10001;
  assert.equal((await call('GET', at(other))).status, 404);
});
