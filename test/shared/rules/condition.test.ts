import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Condition } from '../../../shared/language/types.ts';
import { isMet } from '../../../shared/rules/condition.ts';
import { drawFrom } from '../../fixtures/draw.ts';

const scope = {
  row: {
    Status: 'Active',
    Count: 3,
    Zero: 0,
    Text: '3',
    No: false,
    Yes: true,
    Nothing: null,
    Empty: '',
    None: [],
    Some: [1],
    Object: {},
  },
};
const met = (condition: Condition): boolean => isMet(condition, scope);

test('no condition is met', () => {
  assert.equal(isMet(undefined, scope), true);
});

test('"is" compares exactly, without conversion', () => {
  assert.equal(met({ path: 'row.Status', is: 'Active' }), true);
  assert.equal(met({ path: 'row.Status', is: 'active' }), false);
  assert.equal(met({ path: 'row.Text', is: 3 }), false);
  assert.equal(met({ path: 'row.Zero', is: false }), false);
  assert.equal(met({ path: 'row.No', is: false }), true);
});

test('"same" compares two values as text, and what is missing is the same as nothing', () => {
  assert.equal(met({ path: 'row.Count', same: 'row.Text' }), true);
  assert.equal(met({ path: 'row.Count', same: 'row.Status' }), false);
  for (const name of ['Gone', 'Nothing', 'Empty']) {
    assert.equal(met({ path: `row.${name}`, same: `row.${name}` }), false, name);
    assert.equal(met({ path: 'row.Count', same: `row.${name}` }), false, name);
  }
});

test('what is missing is null', () => {
  assert.equal(met({ path: 'row.Gone', is: null }), true);
  assert.equal(met({ path: 'row.Nothing', is: null }), true);
  assert.equal(met({ path: 'row.Empty', is: null }), false);
  assert.equal(met({ path: 'row.Gone', in: ['a', null] }), true);
});

test('"in" means any of a list', () => {
  assert.equal(met({ path: 'row.Status', in: ['Suspended', 'Active'] }), true);
  assert.equal(met({ path: 'row.Status', in: ['Suspended'] }), false);
  assert.equal(met({ path: 'row.Count', in: ['3'] }), false);
});

test('empty are nothing, no text, no items and an unticked box; zero is not', () => {
  for (const name of ['Nothing', 'Empty', 'None', 'No', 'Gone'])
    assert.equal(met({ path: `row.${name}`, empty: true }), true, name);
  for (const name of ['Zero', 'Some', 'Yes', 'Text', 'Object'])
    assert.equal(met({ path: `row.${name}`, empty: false }), true, name);
});

test('"atLeast" is for numbers and amounts only', () => {
  assert.equal(met({ path: 'row.Count', atLeast: 3 }), true);
  assert.equal(met({ path: 'row.Count', atLeast: 3.5 }), false);
  assert.equal(isMet({ path: 'row.Spend', atLeast: 0.01 }, { row: { Spend: '0.01' } }), true);
  assert.equal(isMet({ path: 'row.Spend', atLeast: 0.01 }, { row: { Spend: '0.00' } }), false);
  assert.equal(met({ path: 'row.Status', atLeast: 0 }), false);
  assert.equal(met({ path: 'row.Gone', atLeast: 0 }), false);
});

test('not, all and any combine, and keys beside each other are all needed', () => {
  const active = { path: 'row.Status', is: 'Active' };
  const many = { path: 'row.Count', atLeast: 10 };
  assert.equal(met({ not: many }), true);
  assert.equal(met({ not: { not: many } }), false);
  assert.equal(met({ all: [active, { not: many }] }), true);
  assert.equal(met({ all: [active, many] }), false);
  assert.equal(met({ any: [many, active] }), true);
  assert.equal(met({ any: [many] }), false);
  assert.equal(met({ ...active, any: [many] }), false);
  assert.equal(met({ ...active, not: many, all: [active] }), true);
  assert.equal(met({ path: 'row.Count', atLeast: 1, in: [3, 4], empty: false }), true);
});

type Order = 'before' | 'after' | 'below' | 'above';
/** Whether a value is before, after, below or above another. */
const compares = (name: Order, value: unknown, other: unknown): boolean =>
  isMet({ path: 'row.a', [name]: 'row.b' }, { row: { a: value, b: other } });

test('a day is before or after a day, a moment before or after a moment, whatever its zone', () => {
  assert.equal(compares('before', '2026-11-22', '2026-11-23'), true);
  assert.equal(compares('after', '2026-11-22', '2026-11-23'), false);
  assert.equal(compares('before', '2026-11-23T10:00:00Z', '2026-11-23T10:30:00+01:00'), false);
  assert.equal(compares('after', '2026-11-23T10:00:00Z', '2026-11-23T10:30:00+01:00'), true);
  for (const name of ['before', 'after'] as const)
    for (const other of ['2026-11-23', '2026-11-23T10:00:00Z', 'tomorrow', '3', '', null, undefined, 3, [], {}])
      assert.equal(compares(name, other, '2026-11-23T10:00:00Z'), false, `${name} ${JSON.stringify(other)}`);
});

test('an amount is above or below a number or amount, and no day or moment', () => {
  assert.equal(compares('below', 9, 10), true);
  assert.equal(compares('below', '9.00', '10.00'), true);
  assert.equal(compares('above', '-0.5', '-0.25'), false);
  assert.equal(compares('above', '9999999999999.99', '9999999999999.98'), true);
  assert.equal(compares('above', '0.30', 0.3), false);
  for (const name of ['below', 'above'] as const)
    for (const other of [undefined, null, '', 'many', true, Number.NaN, '2026-11-23', [], {}]) {
      assert.equal(compares(name, other, 1), false, `${name} ${JSON.stringify(other)}`);
      assert.equal(compares(name, '1.00', other), false, `${name} ${JSON.stringify(other)}`);
    }
});

test('a list contains its values, a text its parts, and nothing contains or is contained in nothing', () => {
  const contains = (a: unknown, b: unknown): boolean => isMet({ path: 'row.a', contains: 'row.b' }, { row: { a, b } });
  assert.equal(contains([1, 2], '2'), true);
  assert.equal(contains(['admin', 'user'], 'adm'), false);
  assert.equal(contains('admin@contoso.test', '@contoso.test'), true);
  for (const nothing of [undefined, null, '', []]) {
    assert.equal(contains('text', nothing), false, JSON.stringify(nothing));
    assert.equal(contains(nothing, 'text'), false, JSON.stringify(nothing));
  }
});

test('of two drawn values exactly one holds: the one is less, more, or as much as the other', () => {
  const draw = drawFrom(20261123);
  const digits = (count: number): string => Array.from({ length: 1 + draw(count) }, () => draw(10)).join('');
  const amount = (): string => `${draw(2) ? '-' : ''}${digits(4)}${draw(2) ? `.${digits(4)}` : ''}`;
  const day = (): string => new Date(draw(40) * 86_400_000).toISOString().slice(0, 10);
  // All are written with as many digits, so that whole numbers say the order.
  const whole = (text: string): number => {
    const [units = '', part = ''] = text.split('.');
    return Number(units + part.padEnd(4, '0'));
  };
  const seen = new Set<string>();
  for (let round = 0; round < 2000; round += 1) {
    const [a, b] = [amount(), amount()];
    const order = Math.sign(whole(a) - whole(b)) || 0;
    assert.deepEqual([compares('below', a, b), compares('above', a, b)], [order < 0, order > 0], `${a} ${b}`);
    const [c, d] = [day(), day()];
    assert.deepEqual([compares('before', c, d), compares('after', c, d)], [c < d, c > d], `${c} ${d}`);
    assert.equal(compares('before', c, d), compares('after', d, c));
    seen.add(`${order}`).add(c === d ? 'one day' : 'two days');
  }
  assert.equal(seen.size, 5);
});
