import assert from 'node:assert/strict';
import { test } from 'node:test';
import { searchKey } from '../../../shared/rules/search-key.ts';

test('texts that people take for the same have one key', () => {
  for (const [typed, ...meant] of [
    ['muller', 'Müller', 'MÜLLER', 'Mu\u0308ller', 'Ｍｕｌｌｅｒ'],
    ['lodz', 'Łódź'],
    ['dvorak', 'Dvořák'],
    ['strasse', 'Straße', 'STRAẞE'],
    ['aero soren', 'Ærø Søren'],
    ["o'brien", 'O’Brien'],
    ['istanbul', 'İstanbul'],
    ['οδος', 'ΟΔΟΣ', 'οδός'],
    ['елка', 'Ёлка'],
    ['한국', '한국'.normalize('NFD')],
  ] as const)
    for (const text of meant) assert.equal(searchKey(text), searchKey(typed), text);
});
