import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FieldNode } from '../../../shared/language/types.ts';
import { checkValue, type FieldError, isShownOnly, normaliseValue } from '../../../shared/rules/validation.ts';

const testPattern = (pattern: string, value: string): boolean => new RegExp(pattern).test(value);
const field = (rest: Partial<FieldNode> = {}): FieldNode => ({
  type: 'field',
  propertyName: 'A',
  kind: 'text',
  ...rest,
});
const check = (rest: Partial<FieldNode>, value: unknown): FieldError | undefined =>
  checkValue(field(rest), normaliseValue(field(rest), value), testPattern);
const code = (rest: Partial<FieldNode>, value: unknown) => check(rest, value)?.code;

test('what is mandatory is given, and blanks are nothing given', () => {
  for (const value of [undefined, null, '', '  ', '\t\n'])
    assert.equal(code({ mandatory: true }, value), 'required', JSON.stringify(value));
  assert.equal(code({ mandatory: true }, 'a'), undefined);
  assert.equal(code({}, ''), undefined);
});

test('blanks count in a password, which is taken byte for byte', () => {
  assert.equal(code({ kind: 'password', mandatory: true }, '  '), undefined);
  assert.equal(code({ kind: 'password', mandatory: true }, ''), 'required');
  assert.equal(normaliseValue(field({ kind: 'password' }), ' pass '), ' pass ');
});

test('blanks where nothing is needed are a value like any other', () => {
  assert.equal(code({}, '  '), undefined);
  assert.equal(code({ regex: '^\\d+$' }, '  '), 'invalid');
  assert.equal(code({ maxLength: 3 }, ' '.repeat(4)), 'maxLength');
  assert.equal(code({ kind: 'select', options: [{ value: 'a', text: 'A' }] }, ' '), 'option');
  assert.equal(code({ kind: 'number' }, ' '), 'number');
  assert.equal(code({ kind: 'email' }, ' '), 'email');
});

test('a box that is mandatory is ticked', () => {
  for (const kind of ['checkbox', 'switch'] as const) {
    assert.equal(code({ kind, mandatory: true }, true), undefined);
    for (const value of [false, undefined, null]) assert.equal(code({ kind, mandatory: true }, value), 'checkbox');
    assert.equal(code({ kind }, false), undefined);
    for (const value of ['true', 1, {}]) assert.equal(code({ kind }, value), 'type');
  }
});

test('lengths are counted in characters, and named in the message', () => {
  assert.deepEqual(check({ maxLength: 3 }, 'abcd'), { code: 'maxLength', values: { count: 3 } });
  assert.deepEqual(check({ minLength: 3 }, 'ab'), { code: 'minLength', values: { count: 3 } });
  assert.equal(check({ maxLength: 3, minLength: 3 }, '\u{1f600}\u{1f600}\u{1f600}'), undefined);
  assert.deepEqual(check({}, 'a'.repeat(10_001)), { code: 'maxLength', values: { count: 10_000 } });
});

test('a line of text has no characters that cannot be seen or turn what follows', () => {
  const hidden = [
    'a\u202eb',
    'a\u2066b',
    'a\u200bb',
    'a\u00adb',
    'a\nb',
    'a\0b',
    'a\u{e0041}b',
    'a\ufeff',
    '\u200fa',
    '\ud800',
  ];
  for (const value of hidden) assert.equal(code({}, value), 'hidden', JSON.stringify(value));
  for (const value of ['Zoë O’Brien', 'می\u200cخواهم', '👩\u200d💻', 'क्\u200dष', 'a\u00a0b'])
    assert.equal(code({}, value), undefined, JSON.stringify(value));
  for (const kind of ['text-area', 'password', 'hidden'] as const)
    assert.equal(code({ kind }, 'a\nb'), undefined, kind);
});

test('a value that is not empty meets the pattern', () => {
  assert.equal(code({ regex: '^[a-z]+$' }, 'ab1'), 'invalid');
  assert.equal(code({ regex: '^[a-z]+$' }, 'ab'), undefined);
  assert.equal(code({ regex: '^[a-z]+$' }, ''), undefined);
  assert.equal(code({ kind: 'number', regex: '^\\d{2}$' }, '123'), 'invalid');
  assert.equal(checkValue(field({ regex: 'a' }), 'a', () => false)?.code, 'invalid');
});

test('an email address is one of the spec', () => {
  for (const value of ['a@b.co', "o'neil_x-1.y@sub.example.co.uk", 'A9@a-b.museum'])
    assert.equal(code({ kind: 'email' }, value), undefined, value);
  for (const value of [
    'a',
    'a@b',
    'a@b.c',
    'a+b@c.de',
    'a@b.abcdefghijklmnop',
    ' a@b.co',
    'a@b..co',
    'a@b.co\n',
    '@b.co',
    `${'a'.repeat(316)}@b.co`,
  ]) {
    assert.equal(code({ kind: 'email' }, value), 'email', value);
  }
  assert.equal(code({ kind: 'email' }, `${'a'.repeat(315)}@b.co`), undefined, '320 characters');
});

test('a phone number is one of the spec', () => {
  for (const value of [
    '01632960123',
    '0 1632960123'.replace(' ', ''),
    '+441632960123',
    '+44 1632 960 123',
    '0044 1632960123',
    '01632 960 123',
  ]) {
    assert.equal(code({ kind: 'phone' }, value), undefined, value);
  }
  for (const value of [
    '1632960123',
    '0163296012',
    '+44441 1632960123x',
    '01632-960-123',
    '+123456 1632960123',
    '0163 2960 123',
  ])
    assert.equal(code({ kind: 'phone' }, value), 'phone', value);
});

test('a date is a day that there is', () => {
  for (const value of ['2024-02-29', '1999-12-31']) assert.equal(code({ kind: 'date' }, value), undefined, value);
  for (const value of [
    '2023-02-29',
    '2024-13-01',
    '2024-00-10',
    '29/02/2024',
    '2024-2-9',
    '+010000-01',
    '2024-02-29T00:00:00Z',
    'today',
  ])
    assert.equal(code({ kind: 'date' }, value), 'date', value);
});

test('a date lies between its bounds, both of them included', () => {
  const bounds = { kind: 'date', min: '2024-01-01', max: '2024-12-31' } as const;
  for (const value of ['2024-01-01', '2024-07-15', '2024-12-31']) assert.equal(code(bounds, value), undefined, value);
  for (const value of ['2023-12-31', '2025-01-01']) assert.equal(code(bounds, value), 'days', value);
});

test('a date-time is a moment of UTC on a quarter of an hour, on a day that there is', () => {
  for (const value of ['2024-02-29T00:00:00Z', '1999-12-31T23:45:00Z'])
    assert.equal(code({ kind: 'date-time' }, value), undefined, value);
  for (const value of [
    '2023-02-29T10:00:00Z',
    '2024-02-29T24:00:00Z',
    '+010000-01-01T00:00:00Z',
    '2024-02-29T10:07:00Z',
    '2024-02-29T10:15:30Z',
    '2024-02-29T10:15:00+01:00',
    '2024-02-29T10:15',
    '2024-02-29',
    '29/02/2024 10:15',
    'now',
  ])
    assert.equal(code({ kind: 'date-time' }, value), 'date-time', value);
});

test('a date-time lies between its bounds, both of them included, however they are written', () => {
  const bounds = { kind: 'date-time', min: '2024-01-01T00:00:00.000Z', max: '2024-01-02T10:00:00+01:00' } as const;
  for (const value of ['2024-01-01T00:00:00Z', '2024-01-02T09:00:00Z'])
    assert.equal(code(bounds, value), undefined, value);
  for (const value of ['2023-12-31T23:45:00Z', '2024-01-02T09:15:00Z'])
    assert.equal(code(bounds, value), 'days', value);
  const { max } = bounds;
  assert.equal(code({ kind: 'date-time', max }, '2024-01-02T09:15:00Z'), 'lastDay');
});

test('numeric text of a number field is a number', () => {
  assert.deepEqual(
    ['7', ' 7.5 ', '-0.5', '+.5', 7].map(value => normaliseValue(field({ kind: 'number' }), value)),
    [7, 7.5, -0.5, 0.5, 7],
  );
  assert.equal(normaliseValue(field({ kind: 'number' }), ''), undefined);
  assert.equal(normaliseValue(field(), '7'), '7');
  for (const value of ['seven', '7 8', 'NaN', 'Infinity', true, {}, [], Number.NaN])
    assert.equal(code({ kind: 'number' }, value), 'number', String(value));
});

test('a number is judged as it was typed, not as JavaScript reads it', () => {
  for (const value of ['1e2', '0x1F', '0b11', '0o17', '1_000', '.', '9'.repeat(400)])
    assert.equal(code({ kind: 'number' }, value), 'number', value);
  for (const value of ['1e2', '0x1F', '+5', '5.0', '٣'])
    assert.equal(code({ kind: 'number', pattern: 'digits' }, value), 'digits', value);
  assert.equal(code({ kind: 'number', pattern: 'digits' }, ' 05 '), undefined);
});

test('a number keeps within its bounds', () => {
  assert.deepEqual(check({ kind: 'number', min: 2 }, '1'), { code: 'min', values: { count: 2 } });
  assert.deepEqual(check({ kind: 'number', max: 2 }, 3), { code: 'max', values: { count: 2 } });
  assert.equal(check({ kind: 'number', min: 0, max: 0 }, '0'), undefined);
  assert.equal(code({ kind: 'number', mandatory: true }, '0'), undefined);
});

test('a choice is one of its options, by value and type', () => {
  const options = [
    { value: 'a', text: 'A' },
    { value: 1, text: 'One' },
    { value: false, text: 'No' },
  ];
  for (const kind of ['select', 'radio'] as const) {
    for (const value of ['a', 1, false]) assert.equal(code({ kind, options }, value), undefined);
    for (const value of ['b', '1', 'false', 0, {}, ['a']]) assert.equal(code({ kind, options }, value), 'option');
    assert.equal(code({ kind, catalogue: [{ value: 'x', text: 'X' }] }, 'y'), 'option');
    assert.equal(code({ kind, options, mandatory: true }, ''), 'required');
  }
});

test('a value that must equal another equals it exactly', () => {
  assert.equal(code({ requiredValue: 'DELETE' }, 'DELETE'), undefined);
  for (const value of ['delete', ' DELETE', '', undefined])
    assert.equal(code({ requiredValue: 'DELETE' }, value), 'requiredValue');
  assert.equal(code({ kind: 'number', requiredValue: 5 }, '5'), undefined);
  assert.equal(code({ kind: 'checkbox', requiredValue: true }, undefined), 'requiredValue');
  assert.equal(code({ kind: 'checkbox', requiredValue: false }, undefined), undefined);
});

test('what is text is text, and a hidden value is plain', () => {
  for (const kind of ['text', 'text-area', 'password', 'email', 'phone', 'date'] as const) {
    for (const value of [7, true, {}, ['a']]) assert.equal(code({ kind }, value), 'type', kind);
  }
  for (const value of ['a', 7, true]) assert.equal(code({ kind: 'hidden' }, value), undefined);
  for (const value of [{}, ['a']]) assert.equal(code({ kind: 'hidden' }, value), 'type');
});

test('a display and a read-only field are shown, never sent', () => {
  assert.deepEqual(
    [field({ kind: 'display' }), field({ readOnly: true }), field(), field({ kind: 'hidden' })].map(isShownOnly),
    [true, true, false, false],
  );
});
