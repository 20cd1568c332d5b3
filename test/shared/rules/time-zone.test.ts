import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayIn, momentOf, readTimeZone, startOfDayIn, wallClock } from '../../../shared/rules/time-zone.ts';

const at = (text: string) => new Date(text);
const shown = (moment: string, zone: string) => wallClock(at(moment), zone).toISOString().slice(0, 16);

test('clocks show a moment as their time zone has it, also around a change', () => {
  assert.equal(shown('2026-03-29T00:59:00Z', 'Europe/London'), '2026-03-29T00:59');
  assert.equal(shown('2026-03-29T01:00:00Z', 'Europe/London'), '2026-03-29T02:00');
  assert.equal(shown('2026-10-25T00:30:00Z', 'Europe/London'), '2026-10-25T01:30');
  assert.equal(shown('2026-10-25T01:30:00Z', 'Europe/London'), '2026-10-25T01:30');
  assert.equal(shown('2026-01-01T00:00:00Z', 'Asia/Kathmandu'), '2026-01-01T05:45');
  assert.equal(shown('2026-01-01T00:00:00Z', 'America/New_York'), '2025-12-31T19:00');
});

test('a time that comes twice is its first moment, and a time that is skipped the one that it would have been', () => {
  const moment = (wall: string, zone: string) => momentOf(at(wall), zone).toISOString();
  assert.equal(moment('2026-10-25T01:30:00Z', 'Europe/London'), '2026-10-25T00:30:00.000Z');
  assert.equal(moment('2026-03-29T01:30:00Z', 'Europe/London'), '2026-03-29T01:30:00.000Z');
  assert.equal(moment('2026-11-01T01:30:00Z', 'America/New_York'), '2026-11-01T05:30:00.000Z');
  assert.equal(moment('2026-07-01T09:00:00Z', 'Asia/Kolkata'), '2026-07-01T03:30:00.000Z');
});

test('a day begins at the midnight of its time zone, or when its clocks begin', () => {
  const start = (moment: string, zone: string) => startOfDayIn(at(moment), zone).toISOString();
  assert.equal(start('2026-03-29T12:00:00Z', 'Europe/London'), '2026-03-29T00:00:00.000Z');
  assert.equal(start('2026-03-30T12:00:00Z', 'Europe/London'), '2026-03-29T23:00:00.000Z');
  assert.equal(start('2026-06-01T02:00:00Z', 'America/Los_Angeles'), '2026-05-31T07:00:00.000Z');
  // In Beirut clocks go from midnight to one.
  assert.equal(start('2026-03-29T12:00:00Z', 'Asia/Beirut'), '2026-03-28T22:00:00.000Z');
  assert.equal(dayIn(at('2026-03-04T23:30:00Z'), 'Pacific/Auckland'), '2026-03-05');
});

test('a time zone is known by the name that the database of time zones has', () => {
  assert.equal(readTimeZone('Europe/London'), 'Europe/London');
  for (const name of [undefined, '', 'Mars/Olympus', '+01:00', 5, 'x'.repeat(61)])
    assert.equal(readTimeZone(name), undefined, String(name));
});

test('however many spellings of a time zone come from browsers, only so many are remembered', t => {
  const made = t.mock.method(Intl, 'DateTimeFormat').mock;
  const letters = [...'arquesas'];
  const spellings = Array.from({ length: 2 ** letters.length * 8 }, (_, index) => {
    const tail = letters.map((letter, at) => (index & (1 << at) ? letter.toUpperCase() : letter)).join('');
    return `${['Pa', 'pa', 'PA', 'pA'][(index >> letters.length) % 4]}cific/${index >> (letters.length + 2) ? 'M' : 'm'}${tail}`;
  });
  assert.equal(new Set(spellings).size, 2048);
  readTimeZone('Europe/Paris');
  readTimeZone('Europe/Paris');
  assert.equal(made.callCount(), 1);
  for (const spelling of spellings) readTimeZone(spelling);
  const before = made.callCount();
  readTimeZone('Europe/Paris');
  assert.equal(made.callCount(), before + 1);
});
