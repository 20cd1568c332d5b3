import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Document, type Taxed, totalsOf } from '../../../shared/billing/totals.ts';

const at = (rate: string, ...amounts: readonly string[]): Taxed[] => amounts.map(amount => ({ amount, rate }));

const document: Document = {
  lines: [...at('25', '4000', '900'), ...at('15', '2000')],
  allowances: at('25', '100'),
  charges: at('25', '200'),
};

test('lines of 6900, an allowance and a charge make 7000, with tax at two rates 8550', () => {
  assert.deepEqual(totalsOf(document), {
    lines: '6900.00',
    allowances: '100.00',
    charges: '200.00',
    net: '7000.00',
    taxes: [
      { rate: '25.00', taxable: '5000.00', tax: '1250.00' },
      { rate: '15.00', taxable: '2000.00', tax: '300.00' },
    ],
    tax: '1550.00',
    gross: '8550.00',
    prepaid: '0.00',
    payable: '8550.00',
  });
});

test('of 7125, of which 1000 is exempt and 1000 is paid, 6125 is left', () => {
  const { net, tax, taxes, gross, prepaid, payable } = totalsOf({
    lines: [...at('25', '4000', '900'), ...at('0', '1000')],
    allowances: at('25', '200'),
    charges: at('25', '200'),
    prepaid: '1000',
  });
  assert.deepEqual(
    { net, tax, gross, prepaid, payable },
    { net: '5900.00', tax: '1225.00', gross: '7125.00', prepaid: '1000.00', payable: '6125.00' },
  );
  assert.deepEqual(
    taxes.map(({ rate, taxable }) => [rate, taxable]),
    [
      ['25.00', '4900.00'],
      ['0.00', '1000.00'],
    ],
  );
});

test('twenty lines, one of them negative, are 229.60 with 20.73 of tax at 6 and 21 per cent', () => {
  const low = '19.90 9.85 8.29 14.46 35.00 35.00 10.65 1.55 14.37 8.29 16.58 9.95 3.30 3.90 102.12 -109.98';
  const totals = totalsOf({ lines: [...at('6', ...low.split(' ')), ...at('21', '10.80', '7.60', '9.34', '18.63')] });
  assert.deepEqual(totals.taxes, [
    { rate: '21.00', taxable: '46.37', tax: '9.74' },
    { rate: '6.00', taxable: '183.23', tax: '10.99' },
  ]);
  assert.deepEqual([totals.net, totals.tax, totals.payable], ['229.60', '20.73', '250.33']);
});

test('of 1801.78 at three rates, one of them nothing on a negative line, 801.78 is left to pay', () => {
  const { net, tax, gross, payable } = totalsOf({
    lines: [...at('25', '1273.00', '187.50'), ...at('15', '-3.96', '4.96'), ...at('0', '-25.00')],
    allowances: at('25', '100.00'),
    charges: at('25', '100.00'),
    prepaid: '1000.00',
  });
  assert.deepEqual(
    { net, tax, gross, payable },
    { net: '1436.50', tax: '365.28', gross: '1801.78', payable: '801.78' },
  );
});

test('a credit memo has the totals of its invoice, and a correction their negatives', () => {
  const invoice: Document = { lines: at('25', '1200', '125') };
  assert.equal(totalsOf(invoice).gross, '1656.25');
  assert.equal(totalsOf({ lines: at('25', '-1200', '-125') }).gross, '-1656.25');
});

test('tax is rounded once per rate, half up', () => {
  assert.deepEqual(totalsOf({ lines: at('20', '0.01', '0.01') }).tax, '0.00');
  assert.equal(totalsOf({ lines: at('6', '183.23') }).tax, '10.99');
  assert.equal(totalsOf({ lines: [...at('6', '183.23'), ...at('21', '46.37')] }).gross, '250.33');
  assert.equal(totalsOf({ lines: at('21', '0.5') }).tax, '0.11', '0.105');
  assert.equal(totalsOf({ lines: at('21', '-0.5') }).tax, '-0.11');
});

const cents = fc.integer({ min: -10_000_000, max: 10_000_000 }).map(units => (units / 100).toFixed(2));
const taxed = fc.array(fc.record({ amount: cents, rate: fc.constantFrom('0', '5', '13.5', '20', '23') }), {
  maxLength: 30,
});
const whole = (text: string): number => Math.round(Number(text) * 100);

test('the equations of EN 16931 hold for any lines, allowances and charges', () => {
  fc.assert(
    fc.property(taxed, taxed, taxed, cents, (lines, allowances, charges, prepaid) => {
      const totals = totalsOf({ lines, allowances, charges, prepaid });
      assert.equal(whole(totals.net), whole(totals.lines) - whole(totals.allowances) + whole(totals.charges));
      assert.equal(
        whole(totals.net),
        totals.taxes.reduce((sum, { taxable }) => sum + whole(taxable), 0),
      );
      assert.equal(
        whole(totals.tax),
        totals.taxes.reduce((sum, { tax }) => sum + whole(tax), 0),
      );
      assert.equal(whole(totals.gross), whole(totals.net) + whole(totals.tax));
      assert.equal(whole(totals.payable), whole(totals.gross) - whole(totals.prepaid));
    }),
  );
});
