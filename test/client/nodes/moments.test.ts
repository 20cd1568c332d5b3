import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addMonths,
  dayOf,
  firstDayOfWeek,
  isoDay,
  momentAt,
  quartersOf,
  readDay,
  readMoment,
  timeOf,
  weeksOf,
  writeMoment,
} from '../../../client/nodes/date-time/moments.ts';
import { type FormatName, formatValue } from '../../../shared/rules/format.ts';
import { drawFrom } from '../../fixtures/draw.ts';
import { assertEvery, notEmpty } from '../../fixtures/rows.ts';

const speechOf = (locale: string) => ({
  format: (value: unknown, name: FormatName | undefined) => formatValue(value, name, { locale, currency: 'GBP' }),
});
const british = speechOf('en-GB');

test('a day is read as each language writes it, and a moment is read back as it was written', () => {
  const draw = drawFrom(1523);
  for (const locale of ['en-GB', 'en-US', 'de-DE', 'sv-SE', 'hu-HU']) {
    const speech = speechOf(locale);
    for (let round = 0; round < 300; round += 1) {
      const moment = new Date(Date.UTC(1990 + draw(60), draw(12), 1 + draw(31), draw(24), 15 * draw(4)));
      const written = speech.format(moment.toISOString(), 'date');
      const read = readDay(`${written} ${timeOf(moment)}`, speech) ?? assert.fail(`${locale} ${written}`);
      assert.equal(writeMoment(momentAt(read.day, read.time ?? '')), writeMoment(moment), `${locale} ${written}`);
      assert.equal(readMoment(writeMoment(moment))?.getTime(), moment.getTime());
    }
  }
});

test('a day is typed with any signs between its numbers, in short, or as YYYY-MM-DD', () => {
  for (const text of ['3/2/2026', '03.02.26', '3 2 2026', '2026-02-03'])
    assert.deepEqual(readDay(text, british), { day: { year: 2026, month: 2, date: 3 } }, text);
  for (const text of [
    '',
    '3/2',
    '31/02/2026',
    '13/13/2026',
    '3/2/2026 10',
    '3/2/2026 24:00',
    'tomorrow',
    '1/2/3/4/5/6',
  ])
    assert.equal(readDay(text, british), undefined, text);
});

test('a day has the quarters of an hour between its bounds', () => {
  const day = { year: 2026, month: 6, date: 15 };
  assert.equal(isoDay(day), '2026-06-15');
  assert.deepEqual(notEmpty(quartersOf(day, {}).map(quarter => timeOf(quarter))).slice(0, 3), [
    '00:00',
    '00:15',
    '00:30',
  ]);
  assert.equal(quartersOf(day, {}).length, 96);
  const bounds = { min: momentAt(day, '09:10').toISOString(), max: momentAt(day, '10:00').toISOString() };
  assert.deepEqual(
    quartersOf(day, bounds).map(quarter => timeOf(quarter)),
    ['09:15', '09:30', '09:45', '10:00'],
  );
  assert.equal(quartersOf(undefined, bounds).length, 96);
});

test('a time is that of the time zone that was chosen, also on the days when its clocks change', () => {
  const zone = 'America/New_York';
  const change = { year: 2026, month: 3, date: 8 };
  assert.equal(writeMoment(momentAt(change, '01:45', zone)), '2026-03-08T06:45:00Z');
  assert.equal(writeMoment(momentAt(change, '03:00', zone)), '2026-03-08T07:00:00Z');
  assert.equal(timeOf(momentAt(change, '03:00', zone), zone), '03:00');
  const quarters = notEmpty(quartersOf(change, {}, zone)).map(quarter => timeOf(quarter, zone));
  assert.equal(quarters.length, 92);
  assert.equal(quarters.includes('02:30'), false);
  assert.equal(quartersOf({ year: 2026, month: 11, date: 1 }, {}, zone).length, 96);
  const bounds = { min: '2026-03-09T13:10:00Z', max: '2026-03-09T13:45:00Z' };
  const within = quartersOf({ year: 2026, month: 3, date: 9 }, bounds, zone).map(quarter => timeOf(quarter, zone));
  assert.deepEqual(within, ['09:15', '09:30', '09:45']);
  assert.equal(dayOf(new Date('2026-03-09T03:30:00Z'), zone), '2026-03-08');
});

test('a month that is turned to keeps the day, or has its last', () => {
  const turn = (iso: string, months: number) => isoDay(addMonths(new Date(`${iso}T00:00`), months));
  assert.deepEqual(
    [
      turn('2026-01-31', 1),
      turn('2028-01-31', 1),
      turn('2026-12-05', 1),
      turn('2026-01-15', -1),
      turn('2028-02-29', 12),
    ],
    ['2026-02-28', '2028-02-29', '2027-01-05', '2025-12-15', '2029-02-28'],
  );
});

test('a calendar has every day of a month once, in whole weeks that begin as the language says', () => {
  assert.deepEqual([firstDayOfWeek('en-GB'), firstDayOfWeek('en-US'), firstDayOfWeek('de-DE')], [1, 0, 1]);
  for (const firstDay of [0, 1, 6])
    for (let month = 0; month < 60; month += 1) {
      const weeks = weeksOf(new Date(2024, month, 10), firstDay);
      const days = weeks.flat().map(isoDay);
      const about = `${month} ${firstDay}`;
      assertEvery(weeks, week => week.length === 7 && week[0]?.getDay() === firstDay);
      assert.equal(new Set(days).size, days.length, about);
      const own = weeks.flat().filter(date => date.getMonth() === month % 12);
      assert.equal(own.length, new Date(2024, month + 1, 0).getDate(), about);
      assertEvery(weeks, week => week.some(date => date.getMonth() === month % 12));
    }
});
