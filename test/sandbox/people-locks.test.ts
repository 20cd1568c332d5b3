import assert from 'node:assert/strict';
import { test } from 'node:test';
import { notEmpty } from '../fixtures/rows.ts';
import { withSandbox, withTokens } from '../fixtures/sandbox.ts';

const sandbox = withSandbox();
const tokens = withTokens(sandbox, ['reseller@northwind.test']);
type Asked = readonly [method: string, path: string, body?: object];

/** Sends all at once, some times over; none may fail for waiting on another. */
async function together(...calls: readonly Asked[]): Promise<void> {
  for (let round = 0; round < 6; round++) {
    const replies = await Promise.all(
      calls.map(([method, path, body]) => sandbox.call(tokens.reseller!, method, path, body)),
    );
    for (const [index, { status, body }] of notEmpty([...replies.entries()]))
      assert.ok(status < 500, `${calls[index]?.join(' ')}: ${status} ${JSON.stringify(body)}`);
  }
}

test('somebody is disabled, enabled, renamed and given rights at once, and no two wait for each other', async () => {
  const person = '/api/staff/codes%40northwind.test';
  const profile = { FirstName: 'Cora', LastName: 'Odell', Phone: '', JobTitle: '' };
  await together(
    ['POST', `${person}/disable`],
    ['PUT', '/api/permissions/codes@northwind.test', { views: ['customers'], permissions: [] }],
    ['POST', `${person}/enable`],
    ['PUT', `${person}/profile`, profile],
    ['POST', `${person}/end-sign-ins`],
    ['PUT', '/api/permissions/codes@northwind.test', { views: ['customers', 'manageUsers'], permissions: [] }],
  );
});

test('an administrator of a customer is changed as a person and as a user at once', async () => {
  const [person, user] = ['/api/staff/admin%40contoso.test', '/api/customers/10001/users/20001'];
  const profile = { FirstName: 'Anna', LastName: 'Lindqvist', Phone: '', JobTitle: '' };
  await together(
    ['POST', `${person}/disable`],
    ['POST', `${user}/suspend`],
    ['PUT', user, { ...profile, JobTitle: 'Office manager' }],
    ['PUT', `${person}/profile`, profile],
    ['POST', `${user}/reactivate`],
    ['POST', `${person}/enable`],
  );
});
