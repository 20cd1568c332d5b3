import assert from 'node:assert/strict';
import { test } from 'node:test';
import { notEmpty } from '../fixtures/rows.ts';
import { withSandbox, withTokens } from '../fixtures/sandbox.ts';

const sandbox = withSandbox();
const tokens = withTokens(sandbox, ['reseller@northwind.test', 'rival@southridge.test']);

// biome-ignore lint/suspicious/noExplicitAny: a row of a reply
type Row = Record<string, any>;
const read = async (who: string, query = '') =>
  (await sandbox.call(tokens[who]!, 'GET', `/api/notifications/filtered${query}`)).body.Result;

test('a notification about a service names the customer and the service, which its reader may see', async () => {
  for (const who of ['reseller', 'rival']) {
    const { Items } = await read(who);
    for (const { OrganisationId, InstanceId, ServiceName } of notEmpty(Items as Row[])) {
      if (InstanceId === null) continue;
      const path = `/api/customers/${OrganisationId}/services/${InstanceId}`;
      const { status, body } = await sandbox.call(tokens[who]!, 'GET', path);
      assert.deepEqual([status, body.Result?.Name], [200, ServiceName], path);
    }
    const named = (Items as Row[]).filter(({ InstanceId }) => InstanceId !== null);
    assert.ok(named.length > Items.length / 2, `${named.length} of ${Items.length}`);
  }
});

test('an announcement is pending until it is put off, for a day, or never to be shown again, for each account alone', async () => {
  const call = async (who: string, method: string, path = '') =>
    (await sandbox.call(tokens[who]!, method, `/api/announcement${path}`)).body.Result;
  const pending = [{ Id: '1', Route: '/marketplace?type=security' }];
  assert.deepEqual(await call('reseller', 'GET'), pending);
  const { Title, Button } = await call('reseller', 'GET', '/1');
  assert.deepEqual([Title, Button.Route], ['Device Protection is here', '/marketplace?type=security']);
  await call('reseller', 'POST', '/1/RemindLater');
  assert.deepEqual([await call('reseller', 'GET'), await call('rival', 'GET')], [[], pending]);
  await sandbox.db
    .updateTable('product_announcement_answers')
    .set({ remind: new Date(0) })
    .execute();
  assert.deepEqual(await call('reseller', 'GET'), pending);
  await call('reseller', 'POST', '/1/DoNotShowAgain');
  assert.deepEqual(await call('reseller', 'GET'), []);
  assert.equal((await sandbox.call(tokens.reseller!, 'GET', '/api/announcement/99')).status, 404);
});

test('an announcement is there from the moment of its publishing until its end', async () => {
  const pending = async () =>
    (await sandbox.call(tokens.rival!, 'GET', '/api/announcement')).body.Result.map(({ Id }: { Id: string }) => Id);
  const set = (row: { readonly published?: Date; readonly until?: Date | null }) =>
    sandbox.db.updateTable('product_announcements').set(row).where('id', '=', 1).execute();
  const [past, future] = [new Date(Date.now() - 60_000), new Date(Date.now() + 600_000)];
  for (const [row, shown] of [
    [{ published: future }, []],
    [{ published: past, until: past }, []],
    [{ until: future }, ['1']],
    [{ until: null }, ['1']],
  ] as const) {
    await set(row);
    assert.deepEqual(await pending(), shown);
  }
});
