import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Condition } from '../../../shared/language/types.ts';
import { isMet } from '../../../shared/rules/condition.ts';

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

test('"atLeast" is for numbers only', () => {
  assert.equal(met({ path: 'row.Count', atLeast: 3 }), true);
  assert.equal(met({ path: 'row.Count', atLeast: 3.5 }), false);
  assert.equal(met({ path: 'row.Text', atLeast: 1 }), false);
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
