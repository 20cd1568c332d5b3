import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { amountOf, roundTo, sumOf, unitsAt, writeAmount } from '../../../shared/billing/amounts.ts';
import { type ExactLine, printLines } from '../../../shared/billing/printed-lines.ts';
import { assertEvery } from '../../fixtures/rows.ts';

const lines = (amounts: readonly string[], rate = '20'): ExactLine[] =>
  amounts.map((amount, index) => ({ id: `line ${String(index).padStart(3, '0')}`, currency: 'GBP', rate, amount }));
const printed = (amounts: readonly string[]): string[] =>
  [...printLines(lines(amounts))].sort().map(([, cents]) => cents);
const sum = (amounts: Iterable<string>): string => writeAmount(roundTo(sumOf([...amounts].map(amountOf)), 2));

/** Decimals of up to twelve digits behind the point, small and large, many of them ties. */
const amount = fc.oneof(
  fc
    .tuple(fc.bigInt({ min: 1n - 10n ** 15n, max: 10n ** 15n - 1n }), fc.integer({ min: 0, max: 12 }))
    .map(([units, scale]) => writeAmount({ units, scale })),
  fc.constantFrom('0.005', '-0.005', '0.015', '0.1', '-0.3333', '0', '2.675'),
);
const anyLines = fc
  .array(fc.record({ currency: fc.constantFrom('GBP', 'EUR'), rate: fc.constantFrom('20', '0', '23'), amount }), {
    minLength: 1,
    maxLength: 60,
  })
  .map(rows => rows.map((row, index): ExactLine => ({ id: `${index}`, ...row })));
const groupOf = ({ currency, rate }: ExactLine): string => `${currency} ${rate}`;

test('three thirds of ten pounds are printed as 3.34, 3.33 and 3.33', () => {
  assert.deepEqual(printed(['3.333333333333', '3.333333333333', '3.333333333334']), ['3.33', '3.33', '3.34']);
  assert.deepEqual(printed(['3.3333', '3.3333', '3.3333']), ['3.34', '3.33', '3.33'], 'of equal ones the first by id');
});

test('the sum of what is owed is rounded, not each line', () => {
  assert.deepEqual(printed(['0.004', '0.004', '0.004']), ['0.01', '0.00', '0.00']);
  assert.deepEqual(printed(['0.005', '0.005']), ['0.01', '0.00']);
  assert.deepEqual(printed(['0.005']), ['0.01'], 'half a cent goes up');
  assert.deepEqual(printed(['-0.005']), ['-0.01'], 'and is given back as what was charged');
  assert.deepEqual(printed(['-2.6137', '0.272', '5.3417']), ['-2.61', '0.27', '5.34']);
});

test('a binary fraction would print another cent', () => {
  // As doubles 1.005 is 1.00499… and 0.1 + 0.2 is 0.30000000000000004.
  assert.deepEqual(printed(['1.005']), ['1.01']);
  assert.deepEqual(printed(['0.1', '0.2', '-0.3']), ['0.10', '0.20', '-0.30']);
});

test('20 and 20.0 per cent are one rate, pounds and euros are not one currency', () => {
  const [one, other] = lines(['0.005', '0.005']);
  assert.deepEqual([...printLines([one!, { ...other!, rate: '20.0' }]).values()].sort(), ['0.00', '0.01']);
  assert.deepEqual([...printLines([one!, { ...other!, currency: 'EUR' }]).values()], ['0.01', '0.01']);
});

test('printed lines of a currency and a tax rate add up to their exact sum, rounded once', () => {
  fc.assert(
    fc.property(anyLines, all => {
      const cents = printLines(all);
      assert.equal(cents.size, all.length);
      for (const group of new Set(all.map(groupOf))) {
        const own = all.filter(line => groupOf(line) === group);
        assert.equal(sum(own.map(({ id }) => cents.get(id)!)), sum(own.map(line => line.amount)), group);
      }
    }),
  );
});

test('no printed line is a whole cent off its exact amount', () => {
  fc.assert(
    fc.property(anyLines, all => {
      const cents = printLines(all);
      assertEvery(all, ({ id, amount: exact }) => {
        const difference = sumOf([
          amountOf(cents.get(id)!),
          amountOf(writeAmount({ ...amountOf(exact), units: -amountOf(exact).units })),
        ]);
        const units = unitsAt(difference, Math.max(2, difference.scale));
        const cent = 10n ** BigInt(Math.max(2, difference.scale) - 2);
        return units < cent && units > -cent;
      });
    }),
  );
});

test('the order of the lines changes no printed amount', () => {
  const shuffled = anyLines.chain(all =>
    fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length })),
  );
  fc.assert(
    fc.property(shuffled, ([all, other]) => {
      assert.deepEqual(new Map([...printLines(all)].sort()), new Map([...printLines(other)].sort()));
    }),
  );
});

test('what takes all lines back prints the same cents', () => {
  const negate = (text: string): string => writeAmount({ ...amountOf(text), units: -amountOf(text).units });
  const owed = fc
    .array(amount, { minLength: 1, maxLength: 40 })
    .filter(amounts => !/^-?0(\.0+)?$/.test(sumExact(amounts)));
  fc.assert(
    fc.property(owed, amounts => {
      const charged = printLines(lines(amounts));
      const credited = printLines(lines(amounts.map(negate)));
      assertEvery([...charged], ([id, cents]) => amountOf(credited.get(id)!).units === -amountOf(cents).units);
    }),
  );
});

const sumExact = (amounts: readonly string[]): string => writeAmount(sumOf(amounts.map(amountOf)));

test('68 small sums with up to eleven digits add up to 20.52, where other roundings give more', () => {
  // 65 sub-accounts with a little over half a cent's fraction each, and three larger ones.
  const small = Array.from({ length: 65 }, (_, index) => `0.0${5 + (index % 3)}5${String(index).padStart(2, '0')}41`);
  const rest = sumOf([
    amountOf('20.52022672899'),
    ...small.map(text => ({ ...amountOf(text), units: -amountOf(text).units })),
  ]);
  const large = ['15.4693625497', '2.13370001'].map(amountOf);
  const last = sumOf([rest, ...large.map(({ units, scale }) => ({ units: -units, scale }))]);
  const all = [...small, ...large.map(writeAmount), writeAmount(last)];
  assert.equal(all.length, 68);
  const eachRounded = sum(all.map(text => writeAmount(roundTo(amountOf(text), 2))));
  assert.notEqual(eachRounded, '20.52');
  assert.equal(sum(printed(all)), '20.52');
});

test('what is no decimal is refused, not guessed', () => {
  for (const text of ['', '1e3', '1,50', 'NaN', '.5', '0x10']) {
    assert.throws(() => printLines(lines([text])), new RangeError(`"${text}" is no amount`));
  }
});
