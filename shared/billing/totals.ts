import { groupBy } from '../rules/group-by.ts';
import { type Amount, amountOf, percentOf, printedScale, roundTo, sumOf, writeAmount, writeRate } from './amounts.ts';

/** A printed amount and the tax on it in per cent, as decimals. */
export type Taxed = { readonly amount: string; readonly rate: string };

export type Document = {
  readonly lines: readonly Taxed[];
  /** What is taken off the whole invoice or credit memo, and what is added to it. */
  readonly allowances?: readonly Taxed[];
  readonly charges?: readonly Taxed[];
  readonly prepaid?: string;
};

export type TaxOfRate = { readonly rate: string; readonly taxable: string; readonly tax: string };

/** Totals of an invoice or credit memo, as decimals with two digits. */
export type Totals = {
  readonly lines: string;
  readonly allowances: string;
  readonly charges: string;
  readonly net: string;
  /** By rate, the highest first. */
  readonly taxes: readonly TaxOfRate[];
  readonly tax: string;
  readonly gross: string;
  readonly prepaid: string;
  readonly payable: string;
};

/**
 * Computes the totals of an invoice or a credit memo by the equations of EN 16931 (BR-CO-10 to BR-CO-17): lines less
 * allowances and with charges are the net amount; the tax of each rate is rounded once, half up; net and tax are the
 * gross amount; what has been paid is taken off it.
 */
export function totalsOf({ lines, allowances = [], charges = [], prepaid = '0' }: Document): Totals {
  const negated = allowances.map(({ amount, rate }) => ({ rate, amount: writeAmount(negative(amountOf(amount))) }));
  const parts = [...lines, ...negated, ...charges];
  const taxes = [...groupBy(parts, ({ rate }) => writeRate(rate))]
    .map(([rate, taxed]) => {
      const taxable = add(taxed);
      return { rate, taxable, tax: percentOf(taxable, amountOf(rate)) };
    })
    .sort((one, other) => Number(other.rate) - Number(one.rate));
  const net = add(parts);
  const tax = roundTo(sumOf(taxes.map(one => one.tax)), printedScale);
  const gross = sumOf([net, tax]);
  const paid = roundTo(amountOf(prepaid), printedScale);
  return {
    lines: writeAmount(add(lines)),
    allowances: writeAmount(add(allowances)),
    charges: writeAmount(add(charges)),
    net: writeAmount(net),
    taxes: taxes.map(one => ({ rate: one.rate, taxable: writeAmount(one.taxable), tax: writeAmount(one.tax) })),
    tax: writeAmount(tax),
    gross: writeAmount(gross),
    prepaid: writeAmount(paid),
    payable: writeAmount(sumOf([gross, negative(paid)])),
  };
}

const add = (taxed: readonly Taxed[]): Amount =>
  roundTo(sumOf(taxed.map(({ amount }) => amountOf(amount))), printedScale);

const negative = ({ units, scale }: Amount): Amount => ({ units: -units, scale });
