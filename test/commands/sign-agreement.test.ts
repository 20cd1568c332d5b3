import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withPortal } from '../fixtures/portal.ts';
import { answerJson, withRecordingProxy } from '../fixtures/recording-proxy.ts';
import { withSandbox } from '../fixtures/sandbox.ts';

const sandbox = withSandbox();
const proxy = withRecordingProxy(sandbox);
const portal = withPortal(proxy);

const signature = { Signatory: 'Maeve Sterling', Agreed: true };
const signing = async () => {
  const reseller = await portal.signIn('mustsign@northwind.test');
  const { body } = await reseller.get('/ui/data/agreements.get?agreementId=0');
  const sign = (Version: number) =>
    reseller.press('terms-conditions', 'sign-agreement', 'command:agreement.sign', {
      with: { agreementId: '0' },
      body: { ...signature, Version },
    });
  return { sign, Version: body.Result.Version as number };
};

test('a version that was not read is not signed, and the page says so in words', async () => {
  const { sign, Version } = await signing();
  const { status, body } = await sign(Version + 1);
  assert.equal(status, 409);
  assert.match(body.Messages?.[0] ?? '', /^A newer version of .+ was published while you were reading/);
});

test('an agreement that is signed is told as signed, also where the cloud does not say at once what that opens', async () => {
  const { sign, Version } = await signing();
  let isSigned = false;
  proxy.intercept(({ url }, response) => {
    if (url.includes('/sign')) isSigned = true;
    if (!isSigned || !url.startsWith('/api/users/login-user')) return false;
    answerJson(response, 503, { Succeed: false });
    return true;
  });
  const { status, body } = await sign(Version);
  proxy.intercept(undefined);
  assert.deepEqual([status, body.Succeed, body.Resources?.code], [200, true, 'SESSION_CHANGED']);
  assert.deepEqual(body.effects, [{ do: 'navigate', to: '/', replace: true }]);
});
