import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withPortal } from '../fixtures/portal.ts';
import { answerJson, withRecordingProxy } from '../fixtures/recording-proxy.ts';
import { withSandbox } from '../fixtures/sandbox.ts';

const sandbox = withSandbox();
const proxy = withRecordingProxy(sandbox);
const portal = withPortal(proxy);

test('an agreement that is signed is told as signed, also where the cloud does not say at once what that opens', async () => {
  const reseller = await portal.signIn('mustsign@northwind.test');
  let isSigned = false;
  proxy.intercept(({ url }, response) => {
    if (url.includes('/sign')) isSigned = true;
    if (!isSigned || !url.startsWith('/api/users/login-user')) return false;
    answerJson(response, 503, { Succeed: false });
    return true;
  });
  const { status, body } = await reseller.press('terms-conditions', 'sign-agreement', 'command:agreement.sign', {
    with: { agreementId: '0' },
    body: { Signatory: 'Maeve Sterling', Agreed: true },
  });
  proxy.intercept(undefined);
  assert.deepEqual([status, body.Succeed, body.Resources?.code], [200, true, 'SESSION_CHANGED']);
  assert.deepEqual(body.effects, [{ do: 'navigate', to: '/', replace: true }]);
});
