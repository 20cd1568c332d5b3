import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seedPassword } from '../../server/sandbox/seed/accounts.ts';
import { createBrowserClient } from '../fixtures/browser-client.ts';
import { withPortal } from '../fixtures/portal.ts';
import { withSandbox } from '../fixtures/sandbox.ts';

const portal = withPortal(withSandbox());
const sso = 'sso@northwind.test';

test('two tabs on their way to a provider at once both come back to where they were going', async () => {
  const browser = createBrowserClient(portal.url);
  const wanted = ['/customers?status=Active', '/services'];
  const left = [await browser.login(sso, wanted[0]), await browser.login(sso, wanted[1])];
  const arrived: string[] = [];
  for (const address of left) {
    const back = await browser.signInAt(address, sso, seedPassword);
    arrived.push((await browser.go(back)).to.replace(portal.url, ''));
  }
  assert.deepEqual(arrived, wanted);
});
