import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OfferField } from '../../server/sandbox/marketplace/offer.ts';
import { checkFields } from '../../server/sandbox/orders/fields.ts';

const faultOf = (Kind: OfferField['Kind'], value: string, rest: Partial<OfferField> = {}) => {
  const field: OfferField = {
    PropertyName: 'Asked',
    Label: 'Asked',
    Kind,
    Mandatory: false,
    Regex: '',
    InvalidMessage: 'Not so',
    Options: [],
    PerCustomer: false,
    Prefill: '',
    ...rest,
  };
  return checkFields([field], { Asked: value }).Asked?.[0];
};

test('an address, a colour and a customer id of an order have their form, and may be left empty where they are optional', () => {
  const wrong = 'Must be the correct format';
  for (const [kind, right, ...others] of [
    ['ipv4', '192.0.2.17', '192.0.2', '192.0.2.256', '192.0.2.1.1', '192.0.2.017', '::1', '192.0.2.17/24'],
    ['hex-colour', '#1A2b3c', '1A2b3c', '#fff', '#1A2b3g', 'red'],
    ['customer-id', 'mex00001234-00005678', 'mex1234-5678', 'MEX00001234-00005678', 'mex00001234-000056789'],
  ] as const) {
    assert.equal(faultOf(kind, right), undefined, right);
    assert.equal(faultOf(kind, ''), undefined);
    assert.equal(faultOf(kind, '', { Mandatory: true }), 'This is a mandatory field');
    for (const value of others) assert.equal(faultOf(kind, value), wrong, value);
  }
});
