import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatProblem } from '../../server/layouts/names/problem.ts';
import { compileSet, type Json, placeOf, type SchemaSet } from '../fixtures/schemas.ts';

const requirements = {
  'reseller-side': { userTypes: ['reseller', 'engineer'] },
  manager: { permissions: ['manageUsers'] },
  owner: { all: ['manager', { userTypes: ['reseller'] }] },
};
const access = { requirements, permissions: ['manageUsers'] };
const name = (requires?: unknown, rest: Json = {}): Json => ({
  ...{ type: 'field', propertyName: 'LastName', kind: 'text', label: 't.a', mandatory: true },
  ...(requires !== undefined && { requires }),
  ...rest,
});
const phone: Json = { type: 'field', propertyName: 'Phone', kind: 'text', label: 't.b' };

/** A form of these fields, and who may call what it sends to. */
const setOf = (fields: readonly Json[], caller?: unknown, around: Json = {}, more: Json = {}): SchemaSet => ({
  access,
  operations: {
    'users.update': {
      ...{ service: 'cloud', method: 'PUT', path: '/u', body: 'user', audit: 'user.changed' },
      ...(caller !== undefined && { requires: caller }),
      ...more,
    },
  },
  forms: [{ id: 'user', fields: [phone, ...fields] }],
  screens: [
    {
      id: 'home',
      children: [
        {
          ...{ type: 'form', id: 'f', form: 'user', submit: 't.go' },
          on: { submit: [{ do: 'call', operation: 'users.update' }] },
          ...around,
        },
      ],
    },
  ],
});
const errorsOf = (set: SchemaSet): string[] =>
  compileSet(set)
    .problems.filter(({ severity }) => severity === 'error')
    .map(formatProblem);

test('a mandatory field that some who may send the form do not have is an error', () => {
  const set = setOf([name('reseller-side')]);
  const place = placeOf(set, 'forms/user.json', '{\n      "type": "field",\n      "propertyName": "LastName"');
  assert.deepEqual(errorsOf(set), [
    `${place}: error: "LastName" is mandatory, but not everybody who may use the operation "users.update" has it: it needs reseller-side (userTypes reseller or engineer). If the cloud leaves what is not sent as it is, the operation says "partial".`,
  ]);
  assert.equal(errorsOf(setOf([{ type: 'section', requires: 'manager', children: [name()] }])).length, 1);
  assert.equal(errorsOf(setOf([name('owner')], 'manager')).length, 1);
});

test('it is none where whoever sends the form has the field, by the call or by what stands around it', () => {
  assert.deepEqual(errorsOf(setOf([name('manager')], 'manager')), []);
  assert.deepEqual(errorsOf(setOf([name('manager')], 'owner')), []);
  assert.deepEqual(errorsOf(setOf([name('manager')], undefined, { requires: 'owner' })), []);
});

test('nor where the field is optional, or the cloud leaves what is not sent as it is', () => {
  assert.deepEqual(errorsOf(setOf([name('manager', { mandatory: false })])), []);
  assert.deepEqual(errorsOf(setOf([name('manager')], undefined, {}, { partial: true })), []);
});
