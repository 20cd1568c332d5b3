import assert from 'node:assert/strict';
import { test } from 'node:test';
import { initialsOf } from '../../../client/look/avatar.tsx';

test('initials are the first letters of the first two words', () => {
  assert.equal(initialsOf('Ashdown Legal LLP'), 'AL');
  assert.equal(initialsOf('Calder & Finch Architects'), 'CF');
  assert.equal(initialsOf('éric dubois'), 'ÉD');
});

test('a single word gives one letter, an e-mail address its first parts', () => {
  assert.equal(initialsOf('Cher'), 'C');
  assert.equal(initialsOf('priya.raman@fernhill.test'), 'PR');
});

test('no name gives no initials', () => {
  assert.equal(initialsOf(''), '');
  assert.equal(initialsOf(' – '), '');
});
