import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../fixtures/eventually.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { withPortalBefore } from '../fixtures/shared-portal.ts';
import { accounts } from '../fixtures/sign-in.ts';
import { openListeningPageAs } from '../fixtures/signed-in-page.ts';

// The cloud says which sessions at partner systems are over.
const sandbox = withSandbox();
const portal = withPortalBefore(sandbox);

test('signing out ends the sessions at the communications and hardware systems, and leaves nothing of the person behind', async t => {
  const { db } = sandbox;
  const page = await openListeningPageAs(t, portal, accounts.reseller, '/customers/add');
  await page.getByTestId('customer-name').fill('Half-typed Ltd');
  const sessions = () =>
    db
      .selectFrom('partner_sessions as p')
      .innerJoin('grants as g', 'g.id', 'p.grant_id')
      .innerJoin('accounts as a', 'a.id', 'g.account_id')
      .where('a.username', '=', accounts.reseller)
      .orderBy('p.system')
      .select(['p.system', 'p.ended', 'g.revoked'])
      .execute();
  assert.deepEqual(
    (await sessions()).map(({ system, ended }) => [system, ended]),
    [
      ['comms', null],
      ['hardware', null],
    ],
  );
  await page.getByTestId('menu-account').click();
  await page.getByTestId('sign-out').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).click();
  await page.waitForURL('**/login');
  await eventually(async () => (await sessions()).every(({ revoked }) => revoked !== null));
  for (const { system, ended, revoked } of await sessions())
    assert.ok(ended !== null && revoked !== null && ended <= revoked, `${system} ends before the sign-in does`);
  assert.deepEqual(
    (await page.context().cookies()).map(({ name }) => name),
    [],
  );
  assert.doesNotMatch(await page.evaluate(() => JSON.stringify({ ...sessionStorage, ...localStorage })), /Half-typed/);
});
