import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { trackActivity } from '../../../client/runtime/forms/form-activity.ts';
import type { Condition, FieldNode } from '../../../shared/language/types.ts';
import { activeFields } from '../../../shared/rules/validation.ts';

const names = ['A', 'B', 'C', 'D', 'E'];
const value = fc.constantFrom<unknown>(undefined, '', 'x', '5', true, false);
const simple: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({ path: fc.constantFrom(...names).map(name => `form.${name}`), is: fc.constantFrom('x', 5, true) }),
  fc.record({ path: fc.constantFrom(...names).map(name => `form.${name}`), empty: fc.boolean() }),
  fc.constantFrom<Condition>({ path: 'form.$failures', atLeast: 1 }, { path: 'principal.type', is: 'reseller' }),
);
const condition: fc.Arbitrary<Condition> = fc.oneof(
  simple,
  simple.map(not => ({ not })),
  fc.tuple(simple, simple).map(all => ({ all })),
);
const fieldOf = (propertyName: string): fc.Arbitrary<FieldNode> =>
  fc
    .record({
      kind: fc.constantFrom<FieldNode['kind']>('text', 'number', 'checkbox', 'display'),
      when: fc.option(condition, { nil: undefined }),
      disabledWhen: fc.option(condition, { nil: undefined }),
    })
    .map(
      ({ kind, when, disabledWhen }): FieldNode => ({
        type: 'field',
        propertyName,
        kind,
        ...(when && { when }),
        ...(disabledWhen && { disabledWhen }),
      }),
    );

test('the browser evaluates fields, change by change, as the server evaluates them all at once', () => {
  const scope = { principal: { type: 'reseller' } };
  const changes = fc.array(fc.tuple(fc.constantFrom(...names, '$failures'), value), { maxLength: 8 });
  fc.assert(
    fc.property(fc.tuple(...names.map(fieldOf)), changes, (fields, steps) => {
      const values: Record<string, unknown> = { $changed: false, $failures: 0 };
      const activity = trackActivity(fields, scope, name => values[name]);
      for (const [name, next] of steps) {
        values[name] = name === '$failures' ? Number(next === true) : next;
        activity.evaluate(name);
        assert.deepEqual(
          names.filter(activity.isActive),
          activeFields(fields, values, scope).map(field => field.propertyName),
        );
      }
    }),
  );
});

test('a change names the fields that it shows, hides or switches off, and no others', () => {
  const box: Condition = { path: 'form.Box', is: true };
  const fields: FieldNode[] = [
    { type: 'field', propertyName: 'Box', kind: 'checkbox' },
    { type: 'field', propertyName: 'Shown', kind: 'text', when: box },
    { type: 'field', propertyName: 'Off', kind: 'text', disabledWhen: box },
    { type: 'field', propertyName: 'Other', kind: 'text' },
  ];
  const values: Record<string, unknown> = {};
  const activity = trackActivity(fields, {}, name => values[name]);
  assert.deepEqual([activity.evaluate('Box'), activity.evaluate('Other')], [[], []]);
  values.Box = true;
  assert.deepEqual(activity.evaluate('Box'), ['Shown', 'Off']);
  assert.deepEqual(['Shown', 'Off', 'Other', 'Nameless'].map(activity.isActive), [true, false, true, true]);
});
