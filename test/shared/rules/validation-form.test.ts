import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Condition, FieldNode } from '../../../shared/language/types.ts';
import { fieldsIn } from '../../../shared/rules/fields.ts';
import { activeFields, checkForm } from '../../../shared/rules/validation.ts';

const testPattern = (pattern: string, value: string): boolean => new RegExp(pattern).test(value);
const field = (propertyName: string, rest: Partial<FieldNode> = {}): FieldNode => ({
  type: 'field',
  propertyName,
  kind: 'text',
  ...rest,
});
const check = (fields: readonly FieldNode[], raw: Record<string, unknown>, strict = false) =>
  checkForm(fields, raw, { principal: { type: 'reseller' } }, testPattern, strict);
const active = (fields: readonly FieldNode[], raw: Record<string, unknown>) =>
  activeFields(fields, raw, {}).map(one => one.propertyName);

test('what is sent are the values of the fields, converted, and nothing else', () => {
  const fields = [
    field('Name'),
    field('Count', { kind: 'number' }),
    field('Note'),
    field('Shown', { kind: 'display' }),
    field('Fixed', { readOnly: true }),
  ];
  assert.deepEqual(check(fields, { Name: 'A', Count: '7', Shown: 'x', Fixed: 'y', Other: 'z', $changed: true }), {
    values: { Name: 'A', Count: 7 },
    errors: {},
  });
});

test('every field that is wrong is reported, and its value is not sent', () => {
  const fields = [field('Name', { mandatory: true }), field('Mail', { kind: 'email' }), field('Note')];
  assert.deepEqual(check(fields, { Mail: 'x', Note: 'y' }), {
    values: { Note: 'y' },
    errors: { Name: { code: 'required' }, Mail: { code: 'email' } },
  });
});

test('the server refuses names that the form does not have', () => {
  assert.deepEqual(check([field('Name')], { Name: 'A', Admin: true }, true).errors, { Admin: { code: 'unknown' } });
  assert.deepEqual(
    check([field('Name')], JSON.parse('{ "__proto__": 1, "constructor": 2, "toString": 3 }'), true).errors,
    JSON.parse(
      '{ "__proto__": { "code": "unknown" }, "constructor": { "code": "unknown" }, "toString": { "code": "unknown" } }',
    ),
  );
});

test('the server refuses values of fields that are only shown', () => {
  const fields = [field('Shown', { kind: 'display' }), field('Fixed', { readOnly: true })];
  assert.deepEqual(check(fields, { Shown: 'x', Fixed: 'y' }, true).errors, {
    Shown: { code: 'readOnly' },
    Fixed: { code: 'readOnly' },
  });
});

test('of the names with "$" only the facts that conditions read are none of the form', () => {
  assert.deepEqual(check([field('Name')], { $changed: true, $failures: 3, $other: 1 }, true).errors, {
    $other: { code: 'unknown' },
  });
});

test('a field that a condition hides or disables is not sent, not needed, and refused by the server', () => {
  const fields = [
    field('Kind'),
    field('Hidden', { mandatory: true, when: { path: 'form.Kind', is: 'x' } }),
    field('Off', { mandatory: true, disabledWhen: { path: 'form.Kind', is: 'a' } }),
  ];
  const raw = { Kind: 'a', Hidden: 'kept', Off: 'kept' };
  assert.deepEqual(check(fields, raw), { values: { Kind: 'a' }, errors: {} });
  assert.deepEqual(check(fields, raw, true).errors, { Hidden: { code: 'unknown' }, Off: { code: 'unknown' } });
  assert.deepEqual(check(fields, { Kind: 'x' }).errors, { Hidden: { code: 'required' }, Off: { code: 'required' } });
});

test('a condition sees nothing of a field that is itself hidden, in whatever order they stand', () => {
  const chain = [
    field('C', { when: { path: 'form.B', is: 'b' } }),
    field('B', { when: { path: 'form.A', is: 'a' } }),
    field('A'),
  ];
  assert.deepEqual(active(chain, { A: 'a', B: 'b', C: 'c' }), ['C', 'B', 'A']);
  assert.deepEqual(active(chain, { A: 'x', B: 'b', C: 'c' }), ['A']);
});

test('a condition sees a number as it is sent, and nothing of what is only shown', () => {
  const fields = [
    field('Count', { kind: 'number' }),
    field('Shown', { kind: 'display' }),
    field('Many', { when: { path: 'form.Count', atLeast: 3 } }),
    field('Odd', { when: { path: 'form.Shown', is: 'x' } }),
  ];
  assert.deepEqual(active(fields, { Count: '5', Shown: 'x' }), ['Count', 'Shown', 'Many']);
});

test('fields that hide each other come to an end, one of them kept', () => {
  const ring = [
    field('A', { when: { path: 'form.B', empty: true } }),
    field('B', { when: { path: 'form.A', empty: true } }),
  ];
  assert.deepEqual(active(ring, { A: 'a', B: 'b' }), ['B']);
  assert.deepEqual(active(ring, {}), ['A', 'B']);
  const self = [field('A', { when: { path: 'form.A', empty: true } })];
  assert.deepEqual(active(self, { A: 'a' }), ['A']);
});

test('the facts of the form and of the caller are seen', () => {
  const robot = [
    field('NotRobot', { kind: 'checkbox', mandatory: true, when: { path: 'form.$failures', atLeast: 3 } }),
  ];
  assert.deepEqual(check(robot, { $failures: 2 }, true).errors, {});
  assert.deepEqual(check(robot, { $failures: 3 }, true).errors, { NotRobot: { code: 'checkbox' } });
  assert.deepEqual(
    check([field('A', { mandatory: true, when: { path: 'principal.type', is: 'reseller' } })], {}).errors,
    { A: { code: 'required' } },
  );
});

test('the names of objects are names like any other', () => {
  const fields = [
    field('toString', { mandatory: true }),
    field('A', { when: { path: 'form.toString', empty: false } }),
  ];
  assert.deepEqual(check(fields, {}).errors, { toString: { code: 'required' } });
  assert.deepEqual(active(fields, {}), ['toString']);
});

test('fields are found inside frames, with the condition of the frame', () => {
  const when = { path: 'form.A', is: 'a' };
  const own = { path: 'form.A', empty: false };
  const nodes = [
    field('A'),
    { type: 'heading', text: 'x' },
    { type: 'section', when, children: [field('B'), { type: 'stack', children: [field('C', { when: own })] }] },
    null,
  ];
  assert.deepEqual(fieldsIn(nodes), [field('A'), field('B', { when }), field('C', { when: { all: [when, own] } })]);
  assert.deepEqual(fieldsIn(undefined), []);
});

const names = ['A', 'B', 'C', 'D', 'toString'];
const value = fc.constantFrom<unknown>(
  '',
  'a',
  'b',
  ' ',
  '5',
  '7.0',
  'x'.repeat(30),
  0,
  5,
  true,
  false,
  null,
  undefined,
);
const leaf = fc
  .record({ path: fc.constantFrom(...names.map(name => `form.${name}`), 'form.$failures', 'principal.type') })
  .chain(({ path }) =>
    fc.constantFrom<Condition>(
      { path, is: 'a' },
      { path, is: 5 },
      { path, is: null },
      { path, empty: true },
      { path, empty: false },
      { path, atLeast: 3 },
      { path, in: ['b', true, 'reseller'] },
    ),
  );
const { condition } = fc.letrec<{ condition: Condition }>(tie => ({
  condition: fc.oneof(
    { maxDepth: 3 },
    leaf,
    tie('condition').map(not => ({ not })),
    fc.array(tie('condition'), { minLength: 1, maxLength: 2 }).map(all => ({ all })),
    fc.array(tie('condition'), { minLength: 1, maxLength: 2 }).map(any => ({ any })),
  ),
}));
const some = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const anyField = fc
  .record({
    propertyName: fc.constantFrom(...names),
    kind: fc.constantFrom<FieldNode['kind']>('text', 'number', 'checkbox', 'display', 'hidden', 'password', 'select'),
    mandatory: some(fc.boolean()),
    readOnly: some(fc.boolean()),
    when: some(condition),
    disabledWhen: some(condition),
    maxLength: some(fc.constant(20)),
    requiredValue: some(fc.constantFrom<string | number | boolean>('a', 5, true)),
  })
  .map(
    drawn =>
      ({
        type: 'field',
        ...Object.fromEntries(Object.entries(drawn).filter(([, item]) => item !== undefined)),
        ...(drawn.kind === 'select' && {
          options: [
            { value: 'a', text: 'A' },
            { value: 5, text: 'Five' },
          ],
        }),
      }) as unknown as FieldNode,
  );
const anyForm = fc.uniqueArray(anyField, { maxLength: 5, selector: one => one.propertyName });
const typed = fc.dictionary(fc.constantFrom(...names), value);

test('what the browser finds right and sends, the server finds right and takes, whatever is hidden by whatever', () => {
  const seen = { sent: 0, wrong: 0 };
  fc.assert(
    fc.property(anyForm, typed, fc.nat(4), (fields, raw, failures) => {
      const browser = check(fields, { ...raw, $changed: true, $failures: failures });
      const shown = new Set(active(fields, { ...raw, $changed: true, $failures: failures }));
      for (const name of Object.keys(browser.values)) assert.ok(fields.some(one => one.propertyName === name));
      if (Object.keys(browser.errors).length > 0) {
        seen.wrong++;
        return;
      }
      seen.sent++;
      const body = JSON.parse(JSON.stringify(browser.values)) as Record<string, unknown>;
      const server = check(fields, { ...body, $failures: failures }, true);
      assert.deepEqual(server, { values: browser.values, errors: {} });
      assert.ok(shown.size <= fields.length);
    }),
    { numRuns: 3000 },
  );
  assert.ok(seen.sent > 300 && seen.wrong > 300, JSON.stringify(seen));
});

test('a hidden or disabled field is never sent, a field that is only shown neither', () => {
  fc.assert(
    fc.property(anyForm, typed, (fields, raw) => {
      const there = new Set(
        activeFields(fields, raw, { principal: { type: 'reseller' } })
          .filter(one => one.kind !== 'display' && !one.readOnly)
          .map(one => one.propertyName),
      );
      assert.deepEqual(
        Object.keys(check(fields, raw).values).filter(name => !there.has(name)),
        [],
      );
      assert.deepEqual(
        Object.keys(check(fields, raw, true).errors).filter(name => !there.has(name) && !Object.hasOwn(raw, name)),
        [],
      );
    }),
    { numRuns: 1000 },
  );
});
