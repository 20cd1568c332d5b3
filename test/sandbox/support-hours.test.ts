import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bankHolidaysOf } from '../../server/sandbox/support/bank-holidays.ts';
import { type Hours, isOpenAt, nextOpening, supportHours, weekFrom } from '../../server/sandbox/support/hours.ts';

const none = new Map<string, string>();
/** Open on Sundays alone, from 00:30 to 03:00, in London. */
const nights: Hours = {
  timeZone: 'Europe/London',
  week: [{ opens: 30, closes: 180 }, null, null, null, null, null, null],
  closedDays: () => none,
};
/** Open on Sundays alone, within the hour that the clocks of London skip in spring. */
const skipped: Hours = { ...nights, week: [{ opens: 75, closes: 180 }, null, null, null, null, null, null] };
const at = (moment: string) => new Date(moment);

test('support is there from 08:00 to 18:00 on the clocks of London, in winter and in summer', () => {
  const days = { winter: '2027-01-04', summer: '2027-07-05' };
  const open = [`${days.winter}T08:00Z`, `${days.winter}T17:59Z`, `${days.summer}T07:00Z`, `${days.summer}T16:59Z`];
  const shut = [`${days.winter}T07:59Z`, `${days.winter}T18:00Z`, `${days.summer}T06:59Z`, `${days.summer}T17:00Z`];
  assert.deepEqual(
    [...open, ...shut, '2027-01-09T12:00Z'].map(moment => isOpenAt(at(moment), supportHours)),
    [true, true, true, true, false, false, false, false, false],
  );
});

test('the hour that clocks skip in spring never comes, and hours end as the clocks say', () => {
  // 2027-03-28: at 01:00 UTC the clocks go from 00:59 to 02:00.
  const moments = ['00:29', '00:30', '00:59', '01:00', '01:59', '02:00'].map(time => at(`2027-03-28T${time}Z`));
  assert.deepEqual(
    moments.map(moment => isOpenAt(moment, nights)),
    [false, true, true, true, true, false],
  );
  assert.deepEqual(nextOpening(at('2027-03-27T12:00Z'), skipped), at('2027-03-28T01:00Z'));
});

test('the hour that clocks repeat in autumn counts both times', () => {
  // 2027-10-31: at 01:00 UTC the clocks go from 01:59 back to 01:00, so that 01:30 comes at 00:30 and at 01:30 UTC.
  const moments = [
    '2027-10-30T23:30Z',
    '2027-10-31T00:30Z',
    '2027-10-31T01:30Z',
    '2027-10-31T02:59Z',
    '2027-10-31T03:00Z',
  ];
  assert.deepEqual(
    moments.map(moment => isOpenAt(at(moment), nights)),
    [true, true, true, true, false],
  );
  assert.deepEqual(nextOpening(at('2027-10-30T12:00Z'), skipped), at('2027-10-31T00:15Z'));
});

test('support is closed from Good Friday to Easter Monday, and says so', () => {
  assert.equal(isOpenAt(at('2027-03-26T12:00Z'), supportHours), false);
  assert.equal(isOpenAt(at('2027-03-29T12:00Z'), supportHours), false);
  // The Thursday before at 18:00; the clocks have changed by the Tuesday on which it opens.
  assert.deepEqual(nextOpening(at('2027-03-25T18:00Z'), supportHours), at('2027-03-30T07:00Z'));
  assert.deepEqual(weekFrom(at('2027-03-25T12:00Z'), supportHours).slice(0, 3), [
    { Day: '2027-03-25', Opens: '08:00', Closes: '18:00', ClosedBy: '' },
    { Day: '2027-03-26', Opens: null, Closes: null, ClosedBy: 'Good Friday' },
    { Day: '2027-03-27', Opens: null, Closes: null, ClosedBy: '' },
  ]);
});

test('bank holidays on a weekend are kept on the workdays after it', () => {
  // As gov.uk lists them; of 2022 without the day of the jubilee, and with the Spring bank holiday as usual.
  const of = (year: number) => [...bankHolidaysOf(year)].slice(-2);
  assert.deepEqual(of(2021), [
    ['2021-12-27', 'Christmas Day'],
    ['2021-12-28', 'Boxing Day'],
  ]);
  assert.deepEqual(of(2022), [
    ['2022-12-27', 'Christmas Day'],
    ['2022-12-26', 'Boxing Day'],
  ]);
  assert.deepEqual(of(2026), [
    ['2026-12-25', 'Christmas Day'],
    ['2026-12-28', 'Boxing Day'],
  ]);
  assert.deepEqual(
    [...bankHolidaysOf(2028).keys()],
    [
      ...[
        '2028-01-03',
        '2028-04-14',
        '2028-04-17',
        '2028-05-01',
        '2028-05-29',
        '2028-08-28',
        '2028-12-25',
        '2028-12-26',
      ],
    ],
  );
});
