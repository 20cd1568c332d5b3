import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../fixtures/eventually.ts';
import { withPortal } from '../fixtures/portal.ts';
import { withRecordingProxy } from '../fixtures/recording-proxy.ts';
import { withSandbox } from '../fixtures/sandbox.ts';

const sandbox = withSandbox();
const proxy = withRecordingProxy(sandbox);
const portal = withPortal(proxy);

type Line = { readonly code?: string; readonly kind?: string; readonly count?: number; readonly references?: string[] };

const linesOf = (code: string): readonly Line[] =>
  portal
    .log()
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as Line)
    .filter(line => line.code === code || line.kind === code);

test('an outage writes a line a second with a count, every reference number, and no stack', async () => {
  const reseller = await portal.signIn('reseller@northwind.test');
  proxy.intercept(({ url }, response) => {
    if (!url.startsWith('/api/customers')) return false;
    response.socket?.destroy();
    return true;
  });
  const references = new Set<string>();
  const began = Date.now();
  for (let count = 1; count <= 60; count++) {
    const { status, body } = await reseller.get('/ui/data/customers.list?pageSize=1');
    assert.deepEqual([status, body.Resources.code], [502, 'UPSTREAM_UNREACHABLE']);
    references.add(body.Resources.reference);
  }
  const told = (): number => linesOf('UPSTREAM_UNREACHABLE').reduce((sum, { count = 1 }) => sum + count, 0);
  await eventually(() => told() === 60);
  const lines = linesOf('UPSTREAM_UNREACHABLE');
  // One at once, one a second, and one for the last.
  assert.equal(lines.length <= 2 + (Date.now() - began) / 1000, true, `${lines.length} lines`);
  const text = JSON.stringify(lines);
  for (const reference of references) assert.equal(text.includes(reference), true);
  assert.doesNotMatch(text, /stack|\bat /);
});
