import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readLongForms } from '../fixtures/long-forms.ts';
import { notEmpty } from '../fixtures/rows.ts';

const interactive = new Set([
  'button',
  'link',
  'form',
  'field',
  'search',
  'filter',
  'tabs',
  'table',
  'menu',
  'delivered',
]);

type Part = { readonly [name: string]: unknown };

/** What one can press, type or choose in a part of a document, without a test id. */
function withoutId(value: unknown): string[] {
  if (value === null || typeof value !== 'object') return [];
  const { type, testId, items, kind } = value as Part;
  const isMeant = interactive.has(String(type)) && kind !== 'hidden';
  const entries = type === 'menu' && Array.isArray(items) ? (items as Part[]).filter(item => !item.testId) : [];
  return [
    ...(isMeant && !testId ? [JSON.stringify(value).slice(0, 80)] : []),
    ...entries.map(item => JSON.stringify(item).slice(0, 80)),
    ...Object.values(value).flatMap(withoutId),
  ];
}

test('everything in the documents that one can press, type or choose carries its test id', async () => {
  const documents = (await readLongForms()).filter(({ kind }) =>
    ['screen', 'popup', 'form', 'navigation'].includes(kind),
  );
  const missing = notEmpty(documents).flatMap(({ file, json }) => withoutId(json).map(what => `${file}: ${what}`));
  assert.deepEqual(missing, []);
});
