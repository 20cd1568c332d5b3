import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FormatName, formatValue } from '../../../shared/rules/format.ts';

const context = {
  locale: 'en-GB',
  currency: 'GBP',
  timeZone: 'Europe/London',
  now: Date.parse('2024-07-15T12:00:00Z'),
  words: { yes: 'Yes', no: 'No' },
};
const write = (value: unknown, format?: FormatName, rest: object = {}): string =>
  formatValue(value, format, { ...context, ...rest });

test('nothing is written as nothing, in every format', () => {
  for (const format of [
    'text',
    'number',
    'percent',
    'currency',
    'change',
    'date',
    'date-time',
    'long-date-time',
    'hyphen-date-time',
    'short-date',
    'friendly-date',
    'weekday',
    'time',
    'month',
    'yes-no',
    'bytes',
    'megabytes',
    undefined,
  ] as const) {
    for (const value of [undefined, null, '']) assert.equal(write(value, format), '', format);
  }
});

test('a day is dd/MM/yyyy, a time has 24 hours', () => {
  assert.equal(write('2024-03-05T07:08:09Z', 'date'), '05/03/2024');
  assert.equal(write('2024-03-05T19:08:09Z', 'time'), '19:08');
  assert.equal(write('2024-03-05T19:08:09Z', 'date-time'), '05/03/2024 19:08');
  assert.equal(write('2024-03-01', 'month', { timeZone: 'America/New_York' }), 'Mar 2024');
  assert.equal(write('2024-07-05T19:08:09Z', 'time'), '20:08');
});

test('a long date has its day in words, a short one two digits for each part', () => {
  assert.equal(write('2024-03-05T19:08:09Z', 'long-date-time'), '5th March 2024 19:08');
  const days = ['01', '02', '03', '11', '12', '13', '21', '22', '23', '30', '31'];
  assert.deepEqual(
    days.map(day => write(`2024-01-${day}T00:00:00Z`, 'long-date-time').split(' ')[0]),
    ['1st', '2nd', '3rd', '11th', '12th', '13th', '21st', '22nd', '23rd', '30th', '31st'],
  );
  assert.equal(write('2024-03-05T19:08:09Z', 'long-date-time', { locale: 'de-DE' }), '5. März 2024 19:08');
  assert.equal(write('2024-03-05T19:08:09Z', 'short-date'), '05/03/24');
  assert.equal(write('2024-03-05', 'short-date'), '05/03/24');
});

test('a day of a week says which it is, in the words of the language', () => {
  assert.equal(write('2026-11-28', 'weekday').replace(',', ''), 'Sat 28 Nov');
  assert.equal(write('2026-11-27T23:30:00Z', 'weekday', { timeZone: 'Europe/Berlin' }).replace(',', ''), 'Sat 28 Nov');
  assert.match(write('2026-11-28', 'weekday', { locale: 'de-DE' }), /^Sa/);
});

test('a moment with hyphens is day-month-year hour:minute, in every language', () => {
  for (const locale of ['en-GB', 'de-DE', 'en-US', 'ja-JP'])
    assert.equal(write('2024-03-05T19:08:09Z', 'hyphen-date-time', { locale }), '05-03-2024 19:08', locale);
  assert.equal(write('2024-07-05T23:30:00Z', 'hyphen-date-time'), '06-07-2024 00:30');
});

test('a share of 100 has its sign, as the language writes it, and no digits that it does not need', () => {
  assert.deepEqual(
    [20, 0, 5.5, -12.345].map(share => write(share, 'percent')),
    ['20%', '0%', '5.5%', '−12.35%'],
  );
  assert.equal(write(20, 'percent', { locale: 'de-DE' }), '20\u00a0%');
  assert.equal(write('standard', 'percent'), 'standard');
});

test('midnight is 00:00, in every locale', () => {
  for (const locale of ['en-GB', 'en-IE', 'en-US'])
    assert.equal(write('2024-03-05T00:00:00Z', 'time', { locale }), '00:00', locale);
});

test('a day without a time is that day wherever one is', () => {
  for (const timeZone of ['America/Los_Angeles', 'Pacific/Kiritimati', 'UTC'])
    assert.equal(write('2024-03-05', 'date', { timeZone }), '05/03/2024', timeZone);
});

test('a friendly date is a time today, day and month this year, d/M/yy before', () => {
  assert.equal(write('2024-07-15T08:05:00Z', 'friendly-date'), '09:05');
  assert.equal(write('2024-07-14T22:59:59Z', 'friendly-date'), '14 Jul');
  assert.equal(write('2024-07-14T23:00:00Z', 'friendly-date'), '00:00');
  assert.equal(write('2024-01-02T12:00:00Z', 'friendly-date'), '2 Jan');
  assert.equal(write('2023-12-31T12:00:00Z', 'friendly-date'), '31/12/23');
  assert.equal(write('2023-03-05T12:00:00Z', 'friendly-date'), '5/3/23');
});

test('what was a time before midnight keeps it for half a day', () => {
  const at = (now: string) => write('2024-07-14T22:57:00Z', 'friendly-date', { now: Date.parse(now) });
  assert.equal(at('2024-07-14T22:58:00Z'), '23:57');
  assert.equal(at('2024-07-14T23:01:00Z'), '14 Jul, 23:57');
  assert.equal(at('2024-07-15T10:57:00Z'), '14 Jul, 23:57');
  assert.equal(at('2024-07-15T10:58:00Z'), '14 Jul');
  const newYear = { now: Date.parse('2025-01-01T00:05:00Z') };
  assert.equal(write('2024-12-31T23:50:00Z', 'friendly-date', newYear), '31 Dec, 23:50');
});

test('a day without a time has none in a friendly date either', () => {
  assert.equal(write('2024-07-15', 'friendly-date'), '15 Jul');
  assert.equal(write('2024-07-14', 'friendly-date'), '14 Jul');
});

test('money has two decimals and the sign of its currency', () => {
  assert.equal(write(1234.5, 'currency'), '£1,234.50');
  assert.equal(write(-7, 'currency', { currency: 'EUR' }), '−€7.00');
  assert.deepEqual(
    ['12.30', '-4.00', '0.00'].map(change => write(change, 'change')),
    ['+£12.30', '−£4.00', '£0.00'],
  );
  assert.equal(write(0, 'currency'), '£0.00');
});

test('numbers are grouped', () => {
  assert.equal(write(1234567, 'number'), '1,234,567');
  assert.equal(write(0, 'number'), '0');
});

test('sizes are megabytes, from 1024 on gigabytes, and of bytes kilobytes below one', () => {
  assert.equal(write(7, 'bytes'), '1 kB');
  assert.equal(write(1_048_575, 'bytes'), '1,024 kB');
  assert.equal(write(0, 'bytes'), '0 kB');
  assert.equal(write(512, 'megabytes'), '512 MB');
  assert.equal(write(1536, 'megabytes'), '1.5 GB');
  assert.equal(write(5_242_880, 'bytes'), '5 MB');
  assert.equal(write(3_221_225_472, 'bytes'), '3 GB');
});

test('yes and no are the runtime\u2019s words', () => {
  assert.deepEqual([write(true, 'yes-no'), write(false, 'yes-no')], ['Yes', 'No']);
  assert.equal(formatValue(true, 'yes-no', { locale: 'en-GB', currency: 'GBP' }), 'true');
});

test('what is not of the kind is written as it is', () => {
  assert.equal(write('soon', 'date'), 'soon');
  assert.equal(write('many', 'number'), 'many');
  assert.equal(write('free', 'currency'), 'free');
  assert.equal(write('big', 'bytes'), 'big');
});

test('without a format an object is nothing, everything else its text', () => {
  assert.equal(write({ secret: 1 }), '');
  assert.equal(write({ secret: 1 }, 'text'), '');
  assert.equal(write(7), '7');
  assert.equal(write(false), 'false');
});
