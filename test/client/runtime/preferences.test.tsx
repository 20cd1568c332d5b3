import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPreference } from '../../../client/runtime/state/preferences.ts';
import { openPage } from '../shell/open-page.tsx';

/** Writes into the local storage as another window of the browser does. */
function writeInOtherWindow(key: string, value: string): void {
  localStorage.setItem(key, value);
  window.dispatchEvent(new StorageEvent('storage', { key, newValue: value }));
}

test('what is chosen in one window of a browser is heard by the others, damaged or deleted values too', () => {
  const { portal } = openPage({});
  assert.equal(readPreference(portal, 'letters'), null);
  writeInOtherWindow('portal.u1.letters', '"off"');
  assert.equal(readPreference(portal, 'letters'), 'off');
  writeInOtherWindow('portal.u1.letters', '{');
  assert.equal(readPreference(portal, 'letters'), null);
  writeInOtherWindow('portal.u1.letters', '"off"');
  localStorage.clear();
  window.dispatchEvent(new StorageEvent('storage', { key: null }));
  assert.equal(readPreference(portal, 'letters'), null);
});

test('what another person chooses in the same browser is not heard', () => {
  const { portal } = openPage({});
  assert.equal(readPreference(portal, 'density'), null);
  writeInOtherWindow('portal.u2.density', '"compact"');
  assert.equal(readPreference(portal, 'density'), null);
});
