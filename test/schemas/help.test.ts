import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readLongForms } from '../fixtures/long-forms.ts';
import { notEmpty } from '../fixtures/rows.ts';

/** Areas whose screens have been written; one that is being built has no help at all. */
const finished = [
  'account-setting',
  'customers',
  'dashboard',
  'end-user',
  'mail',
  'notifications',
  'policies',
  'psa',
  'quick-links',
  'selling',
  'services',
  'support',
  'users',
  'voice',
];

test('a screen with a heading says what it is for and who may do what', async () => {
  const screens = (await readLongForms()).filter(
    ({ kind, json }) => kind === 'screen' && json.shell !== 'gate' && json.heading !== 'hidden',
  );
  const areaOf = (file: string): string => file.split('/')[0]!;
  const helpful = new Set(screens.filter(({ json }) => json.help).map(({ file }) => areaOf(file)));
  assert.deepEqual(
    finished.filter(area => !helpful.has(area)),
    [],
  );
  const lacking = notEmpty(screens).filter(({ file, json }) => helpful.has(areaOf(file)) && !json.help);
  assert.deepEqual(
    lacking.map(({ file }) => file),
    [],
  );
});
