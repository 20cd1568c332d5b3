import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CommandContext } from '../../server/commands/command.ts';
import {
  firstValues,
  orderBody,
  orderFields,
  type Product,
  type Quote,
  summaryOf,
  withFieldNames,
} from '../../server/commands/selling/order-form.ts';
import { Declined } from '../../server/operations/cloud-refusal.ts';

const domain = {
  PropertyName: 'Domain',
  Label: 'Domain',
  Kind: 'text',
  Mandatory: true,
  Regex: '^[a-z.]+$',
  InvalidMessage: 'Must be a domain',
  Options: [],
} as const;
const region = {
  ...domain,
  PropertyName: 'Region',
  Label: 'Region',
  Kind: 'select',
  Regex: '',
  Options: ['UK', 'EU'],
} as const;
const product: Product = {
  Id: 8,
  SubId: 1,
  Name: 'Office Suite',
  Unit: 'licence',
  MinQuantity: 2,
  MaxQuantity: 10,
  Terms: [{ Id: 'annual', Name: '1 year', Months: 12 }],
  Billing: [{ Id: 'monthly', Name: 'Every month' }],
  Fields: [domain, region],
};
const quote: Quote = {
  UnitPrice: '9.4',
  MonthlyPrice: '18.8',
  FirstCharge: '18.8',
  FirstChargeDate: '2026-12-01',
  CancelFreeUntil: '2026-11-29',
};
const values = { Quantity: 2, TermId: 'annual', BillingId: 'monthly', Domain: 'contoso.test', Region: 'UK' };

test('the form of an order is quantity, term, billing and what the product asks for', () => {
  const fields = orderFields(product, { Quantity: 'How many' });
  assert.deepEqual(
    fields.map(({ propertyName, kind }) => [propertyName, kind]),
    [
      ['Quantity', 'number'],
      ['TermId', 'select'],
      ['BillingId', 'select'],
      ['Domain', 'text'],
      ['Region', 'select'],
    ],
  );
  assert.deepEqual([fields[0]?.label, fields[0]?.min, fields[0]?.max], ['How many', 2, 10]);
  assert.deepEqual([fields[3]?.regex, fields[3]?.invalidMessage], ['^[a-z.]+$', 'Must be a domain']);
  assert.deepEqual(firstValues(product), { Quantity: 2, TermId: 'annual', BillingId: 'monthly' });
});

test('a field of the product never takes the place of one of ours', () => {
  const fields = orderFields({ ...product, Fields: [{ ...domain, PropertyName: 'Quantity' }] }, {});
  assert.equal(fields.filter(({ propertyName }) => propertyName === 'Quantity').length, 1);
});

test('the product’s own fields stand apart in the body, and their errors come back by their names', async () => {
  assert.deepEqual(orderBody(values), {
    Quantity: 2,
    TermId: 'annual',
    BillingId: 'monthly',
    Fields: { Domain: 'contoso.test', Region: 'UK' },
  });
  const envelope = { Succeed: false, Errors: { 'Fields.Domain': ['Taken'], Quantity: ['Too many'] } };
  const step = withFieldNames(() => Promise.reject(new Declined({ status: 422, envelope })));
  assert.deepEqual(await step({} as CommandContext), {
    status: 422,
    envelope: { Succeed: false, Errors: { Domain: ['Taken'], Quantity: ['Too many'] } },
  });
});

test('a summary shows choices by their names, and of a quote what is there', () => {
  const fields = orderFields(product, {});
  const shown = summaryOf(product, fields, values, {}, quote);
  assert.equal(shown.values.TermId, '1 year');
  assert.equal(shown.values.$MonthlyPrice, '18.8');
  const { FirstChargeDate, CancelFreeUntil } = quote;
  const hidden = summaryOf(product, fields, values, {}, { FirstChargeDate, CancelFreeUntil });
  assert.doesNotMatch(JSON.stringify(hidden), /Price|18\.8|9\.4|FirstCharge(?!Date)/);
  assert.equal(hidden.values.$CancelFreeUntil, '2026-11-29');
});
