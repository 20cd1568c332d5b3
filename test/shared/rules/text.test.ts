import assert from 'node:assert/strict';
import { test } from 'node:test';
import { interpolate, resolveText } from '../../../shared/rules/text.ts';

test('a text takes the values that it names', () => {
  assert.equal(interpolate('Rename {{name}} now', { name: 'Contoso' }), 'Rename Contoso now');
  assert.equal(interpolate('{{a}}{{b}}{{a}}', { a: 1, b: true }), '1true1');
  assert.equal(interpolate(undefined, {}), '');
});

test('a missing value becomes nothing, an inherited one is missing', () => {
  assert.equal(interpolate('[{{name}}{{other}}]', { other: null }), '[]');
  assert.equal(interpolate('[{{toString}}{{constructor}}{{__proto__}}]', {}), '[]');
});

test('a value is no text of its own: it is not interpolated again', () => {
  assert.equal(interpolate('{{name}}', { name: '{{secret}} $& $1', secret: 'x' }), '{{secret}} $& $1');
});

test('numbers are written for the locale', () => {
  assert.equal(interpolate('{{count}}', { count: 12345.5 }, 'en-GB'), '12,345.5');
  assert.equal(interpolate('{{count}}', { count: 12345.5 }, 'de-DE'), '12.345,5');
});

test('a form for none is taken where the count is none, in every language', () => {
  const text = { zero: 'Nobody', one: '{{count}} customer', other: '{{count}} customers' };
  assert.deepEqual(
    [0, 1].map(count => interpolate(text, { count })),
    ['Nobody', '1 customer'],
  );
  assert.equal(interpolate(text, { count: 0 }, 'de-DE'), 'Nobody');
});

test('a plural whose count is not known says nothing, rather than that there is none', () => {
  const text = { zero: 'Nobody', one: '{{count}} customer', other: '{{count}} customers' };
  assert.deepEqual(
    [{}, { count: undefined }, { count: null }, { count: '' }].map(values => interpolate(text, values)),
    ['', '', '', ''],
  );
});

test('the plural form goes by the count', () => {
  const text = { one: '{{count}} customer', other: '{{count}} customers' };
  assert.deepEqual(
    [0, 1, 2, 1.5].map(count => interpolate(text, { count })),
    ['0 customers', '1 customer', '2 customers', '1.5 customers'],
  );
  assert.equal(interpolate(text, { count: 'many' }), 'many customers');
});

test('a form that is missing falls back to "other"', () => {
  assert.equal(interpolate({ other: 'some' }, { count: 1 }), 'some');
  assert.equal(interpolate({}, { count: 1 }), '');
});

test('the values of a node are bound, and written by their format', () => {
  const write = (value: unknown, format: string) => `${format}:${value}`;
  const scope = { row: { Name: 'A', Sum: 5 } };
  const bindings = { name: 'row.Name', sum: { path: 'row.Sum', format: 'currency' } } as const;
  assert.equal(resolveText('{{name}} {{sum}}', bindings, scope, 'en-GB', write), 'A currency:5');
  assert.equal(resolveText('{{name}} {{sum}}', bindings, scope), 'A 5');
  assert.equal(resolveText('plain', bindings, scope), 'plain');
  assert.equal(resolveText('{{gone}}', { gone: 'row.Gone' }, scope), '');
});
