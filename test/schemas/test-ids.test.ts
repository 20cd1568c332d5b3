import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const folder = 'schemas';
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

test('everything in the documents that one can press, type or choose carries its test id', () => {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    file => file.endsWith('.json') && !/^(?:meta|text|operations|catalogue)\//.test(file),
  );
  const missing = files.flatMap(file =>
    withoutId(JSON.parse(readFileSync(join(folder, file), 'utf8'))).map(what => `${file}: ${what}`),
  );
  assert.deepEqual(missing, []);
});
