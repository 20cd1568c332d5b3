import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answersOf, rowsOf } from '../../server/commands/selling/bulk-kept.ts';
import type { FieldNode } from '../../shared/language/types.ts';

const field = (propertyName: string, kind: FieldNode['kind']): FieldNode => ({
  ...{ type: 'field', propertyName, kind, label: propertyName },
});
const fields = [field('Domain', 'text'), field('Password', 'password'), field('Code', 'one-time-code')];
const typed = { Domain: 'contoso.test', Password: 'Secret-2026', Code: '123456', Other: 'x' };

test('of an order for many no password or code is kept, neither for all nor for one customer', () => {
  assert.deepEqual(answersOf(fields, typed), { Domain: 'contoso.test' });
  const rows = JSON.stringify([
    ['10001', typed],
    ['10002', { Password: 'Secret-2026' }],
  ]);
  assert.deepEqual(JSON.parse(rowsOf(fields, rows) ?? ''), [
    ['10001', { Domain: 'contoso.test' }],
    ['10002', {}],
  ]);
  assert.equal(rowsOf(fields, 'no list'), undefined);
});
