import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FieldNode } from '../../../shared/language/types.ts';
import { fieldsIn } from '../../../shared/rules/fields.ts';
import { readRows, spreadRows, writeRows } from '../../../shared/rules/rows.ts';
import { activeFields, checkForm } from '../../../shared/rules/validation.ts';

const town: FieldNode = { type: 'field', propertyName: 'Town', kind: 'text', mandatory: true };
const blocks: FieldNode = { type: 'field', propertyName: 'Blocks', kind: 'number' };
const code: FieldNode = {
  type: 'field',
  propertyName: 'Code',
  kind: 'text',
  when: {
    all: [
      { path: 'form.Blocks', atLeast: 1 },
      { path: 'form.Country', is: 'UK' },
    ],
  },
};
const country: FieldNode = { type: 'field', propertyName: 'Country', kind: 'text' };
const fields = [
  country,
  ...fieldsIn(spreadRows({ propertyName: 'Sites', min: 1, max: 12, children: [town, blocks, code] })),
];
const check = (values: Record<string, unknown>) => checkForm(fields, values, {}, () => true, true);

test('a group is its fields once for each row, each there while its row is, and so many at first as there must be', () => {
  assert.equal(fields.length, 1 + 12 * 4);
  const flags = fields.filter(({ propertyName }) => /^Sites\d+$/.test(propertyName));
  assert.deepEqual(
    flags.map(({ initial }) => initial),
    [true, ...Array(11).fill(undefined)],
  );
  const there = activeFields(fields, { Sites2: true }, {}).map(({ propertyName }) => propertyName);
  assert.deepEqual(
    there.filter(name => name.startsWith('Sites2')),
    ['Sites2', 'Sites2Town', 'Sites2Blocks'],
  );
  assert.ok(!there.includes('Sites1Town'));
});

test('what tests look for in a row is named by its number', () => {
  const spread = spreadRows({ propertyName: 'Sites', max: 2, children: [{ ...town, testId: 'town' }] });
  assert.deepEqual(
    fieldsIn(spread).map(({ propertyName, testId, initial }) => [propertyName, testId, initial]),
    [
      ['Sites1', undefined, undefined],
      ['Sites1Town', 'town-1', undefined],
      ['Sites2', undefined, undefined],
      ['Sites2Town', 'town-2', undefined],
    ],
  );
});

test('a condition inside a row reads the fields of that row, and beside them those of the form', () => {
  const values = { Country: 'UK', Sites1: true, Sites1Town: 'Leeds', Sites1Blocks: 1, Sites1Code: '0113' };
  assert.deepEqual(check(values).errors, {});
  assert.ok(check({ ...values, Country: 'FR' }).errors.Sites1Code);
  assert.ok(check({ ...values, Sites1Blocks: 0, Sites2Blocks: 1 }).errors.Sites1Code);
});

test('a row that is there must be right, one that is not takes no value', () => {
  assert.deepEqual(Object.keys(check({ Sites1: true, Sites2: true, Sites2Town: 'York' }).errors), ['Sites1Town']);
  assert.deepEqual(check({ Sites1Town: 'York' }).errors, { Sites1Town: { code: 'unknown' } });
});

test('rows are read in order and written to the first places; Sites1 is not taken for Sites12', () => {
  const values = {
    Sites12: true,
    Sites12Town: 'York',
    Sites2: true,
    Sites2Town: 'Leeds',
    Sites3: false,
    Sites3Town: 'x',
  };
  const rows = readRows('Sites', values);
  assert.deepEqual(rows, [{ Town: 'Leeds' }, { Town: 'York' }]);
  const written = writeRows('Sites', rows);
  assert.deepEqual(written, { Sites1: true, Sites1Town: 'Leeds', Sites2: true, Sites2Town: 'York' });
  assert.deepEqual(readRows('Sites', written), rows);
  assert.deepEqual(readRows('Sites', { Sites1Town: 'no row' }), []);
});
