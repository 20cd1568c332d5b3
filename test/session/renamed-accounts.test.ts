import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withPortal } from '../fixtures/portal.ts';
import { withSandbox } from '../fixtures/sandbox.ts';

const sandbox = withSandbox();
const portal = withPortal(sandbox);

test('what is kept of somebody moves with their sign-in name, also what they keep while acting for another', async () => {
  const [from, to] = ['engineer@northwind.test', 'e.fraser@northwind.test'];
  await portal.signIn(from);
  const at = { version: 1, content: '{}', saved_at: new Date() };
  const owners = [from, `${from} switched`, `20001 by ${from}`, `x${from}`, '20001 switched'];
  await portal.store.run(async db => {
    for (const owner of owners) {
      await db
        .insertInto('drafts')
        .values({ owner, kind: 'a', subject: 'b', ...at })
        .execute();
    }
  });
  const reseller = await portal.signIn('reseller@northwind.test');
  const rename = (userName: string, SignInName: string) =>
    reseller.press('rename-person', 'rename-person', 'call:staff.rename', { with: { userName }, body: { SignInName } });
  const renamed = await rename(from, to);
  assert.equal(renamed.status, 200, renamed.text);
  const rows = await portal.store.run(db => db.selectFrom('drafts').select('owner').execute());
  assert.deepEqual(
    rows.map(({ owner }) => owner).toSorted(),
    [to, `${to} switched`, `20001 by ${to}`, `x${from}`, '20001 switched'].toSorted(),
  );
  const theirs = await portal.signIn(to);
  const log = (await theirs.get('/ui/data/security.log')).body.Result;
  assert.deepEqual(
    log.Items.map(({ Event }: { readonly Event: string }) => Event),
    ['session.sign-in', 'session.sign-in'],
  );
  assert.equal((await rename(to, from)).status, 200);
  const again = await portal.signIn(from);
  assert.equal((await again.get('/ui/data/security.log')).body.Result.Total, 3);
});
