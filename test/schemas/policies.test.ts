import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

type Entry = { readonly id?: string; readonly when?: { readonly path?: string; readonly empty?: boolean } };

const read = (path: string): string => readFileSync(new URL(`../../schemas/${path}`, import.meta.url), 'utf8');

test('under a brand the page of a policy leaves out the links that the footer leaves out', () => {
  const { entries } = JSON.parse(read('shell/footer-links.json')) as { readonly entries: readonly Entry[] };
  const hidden = entries.flatMap(({ id = '', when }) =>
    when?.path === 'principal.brand' && when.empty ? [id.replace(/^footer-/, '')] : [],
  );
  assert.deepEqual(hidden, ['company', 'social', 'copyright', 'legal', 'trading-entities']);
  const [, list = ''] = /"row\.Id": (\[[^\]]*\])/.exec(read('policies/policy.json')) ?? [];
  assert.deepEqual(JSON.parse(list), hidden);
});
