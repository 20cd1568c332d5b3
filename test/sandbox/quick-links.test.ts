import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withSandbox } from '../fixtures/sandbox.ts';

const sandbox = withSandbox();

test('quick links begin with a choice of the cloud, are the caller’s own and take nothing else', async () => {
  const [priya, rhys] = [
    await sandbox.signIn('reseller@northwind.test'),
    await sandbox.signIn('rival@southridge.test'),
  ];
  const path = '/api/quick-links';
  const none = { AddCustomer: false, Marketplace: false, CloudServices: false, Agreements: false, CallBack: false };
  const atFirst = { ...none, Profile: false, AddCustomer: true, Marketplace: true, CallBack: true };
  assert.equal((await sandbox.call('', 'GET', path)).status, 401);
  assert.deepEqual((await sandbox.call(priya, 'GET', path)).body.Result, atFirst);
  for (const chosen of [{ Profile: true, Agreements: true }, { CallBack: false }]) {
    assert.equal((await sandbox.call(priya, 'PUT', path, chosen)).status, 200);
    assert.deepEqual((await sandbox.call(priya, 'GET', path)).body.Result, { ...none, Profile: false, ...chosen });
  }
  assert.deepEqual((await sandbox.call(rhys, 'GET', path)).body.Result, atFirst);
  for (const wrong of [{ Profile: 'yes' }, { Elsewhere: true }, []])
    assert.equal((await sandbox.call(priya, 'PUT', path, wrong)).status, 400);
});
