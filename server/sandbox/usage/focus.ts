import { withoutHidden } from '../../../shared/rules/hidden-characters.ts';
import type { Staged } from './load.ts';

/**
 * Reads rows of a cost and usage data set of the FinOps Open Cost and Usage Specification (FOCUS 1.0 to 1.3,
 * focus.finops.org), with the columns that Azure adds (`x_…`). The cost of a row is its BilledCost, its day that of
 * ChargePeriodStart, in UTC.
 */
export type FocusReader = {
  /** The charge of a row, or what is wrong with it. */
  read(record: readonly string[]): Staged | string;
  /** The currency of the rows so far; absent before the first. */
  currency(): string | undefined;
};

const needed = ['BilledCost', 'BillingCurrency', 'ChargePeriodStart'];
/** Columns that name the account of a charge: a tax or a credit of the whole bill has only the second one. */
const accounts = ['SubAccountId', 'BillingAccountId'] as const;
const decimal = /^-?(?:\d{1,15}(?:\.\d{0,30})?|\.\d{1,30})(?:[eE][-+]?\d{1,2})?$/;
const moment =
  /^(\d{4}-\d{2}-\d{2})(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z| ?[+-]00(?::?00)?(?: UTC)?| ?UTC| ?GMT)?)?$/i;
const groupOfId = /\/resourceGroups\/([^/]+)/i;

/**
 * Creates a reader of rows for a file with this header, or gives what is wrong with the header.
 * @param hasRate true where the caller says how much one of the file's currency is in `home`: costs in another currency
 *   need a rate, and those in `home` allow none
 */
export function createFocusReader(header: readonly string[], hasRate: boolean, home: string): FocusReader | string {
  const places = new Map(header.map((name, index) => [name.trim(), index]));
  const missing = needed.filter(name => !places.has(name));
  if (!accounts.some(name => places.has(name))) missing.push(accounts[0]);
  if (missing.length > 0) return `The header has no ${missing.join(', ')}.`;
  let currency: string | undefined;

  const read = (record: readonly string[]): Staged | string => {
    if (record.length !== header.length) return `${record.length} values, where the header has ${header.length}`;
    /** The first of these columns that has something in it. */
    const value = (...names: string[]): string => {
      for (const name of names) {
        const text = withoutHidden(record[places.get(name) ?? -1] ?? '').trim();
        if (text !== '' && text.toLowerCase() !== 'null') return text;
      }
      return '';
    };
    if (record.some(text => /\p{Cc}/u.test(text.replace(/[\t\r\n]/g, '')) || text.length > 10_000))
      return 'a value that is too long or has control characters';
    const cost = value('BilledCost');
    if (!decimal.test(cost)) return `BilledCost is "${cost}", which is no number`;
    const quantity = value('ConsumedQuantity') || '0';
    if (!decimal.test(quantity)) return `ConsumedQuantity is "${quantity}", which is no number`;
    const day = dayOf(value('ChargePeriodStart'));
    if (day === undefined) return `ChargePeriodStart is "${value('ChargePeriodStart')}", which is no date in UTC`;
    const subscription_id = value(...accounts);
    if (subscription_id === '') return 'SubAccountId is empty, and BillingAccountId too';
    const billed = value('BillingCurrency');
    const isFirst = currency === undefined;
    currency ??= billed;
    if (billed !== currency) return `BillingCurrency is "${billed}", where rows before have "${currency}"`;
    // Of the whole file, so that it is said once.
    if (isFirst && billed === home && hasRate)
      return `BillingCurrency is "${billed}", which the reseller is billed in: leave the rate empty`;
    if (isFirst && billed !== home && !hasRate)
      return `BillingCurrency is "${billed}", where the reseller is billed in ${home}: a rate is needed`;
    const resource_id = value('ResourceId');
    // What no resource was charged for (taxes, credits, support) stands under its category.
    const nameless = value('ChargeCategory') || 'Charge';
    return {
      source: value('ProviderName', 'ServiceProviderName'),
      subscription_id,
      subscription_name:
        value(value('SubAccountId') === '' ? 'BillingAccountName' : 'SubAccountName') || subscription_id,
      group_name: value('x_ResourceGroupName') || groupOfId.exec(resource_id)?.[1] || nameless,
      resource_id: resource_id || nameless,
      resource_name: value('ResourceName') || resource_id.split('/').at(-1) || nameless,
      service: value('ServiceName'),
      meter: value('x_SkuMeterName', 'SkuMeter', 'ChargeDescription', 'ServiceName') || nameless,
      unit: value('ConsumedUnit', 'PricingUnit'),
      day,
      quantity,
      cost,
    };
  };
  return { read, currency: () => currency };
}

function dayOf(text: string): string | undefined {
  const day = moment.exec(text)?.[1];
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(0, 10) === day ? day : undefined;
}
