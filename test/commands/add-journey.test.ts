import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Adding,
  commitmentOf,
  type Decision,
  decideAdd,
  type JourneyFacts,
  partsOf,
  segmentOf,
} from '../../server/commands/selling/add-journey.ts';
import { isCustomerDisabled, isHiddenAt, isProductDisabled } from '../../server/commands/selling/add-rules.ts';
import { type OrderLimit, type ProductCode, productCodes } from '../../shared/catalogue/codes.ts';
import { assertEvery } from '../fixtures/rows.ts';

const product = (key: string): ProductCode => {
  const found = productCodes.find(({ serviceId, subId }) => `${serviceId}-${subId}` === key);
  assert.ok(found, key);
  return found;
};
const unsigned = { signed: false };
const signed = { signed: true };
const ready: JourneyFacts = { partner: 0, agreement: signed, outstanding: [] };
const base = '/customers/customer/1001';
const nce = (route: string, listing: string) =>
  `${base}/nce-question?serviceRouteName=${route}&listingId=${listing}&isNewJourney=true`;

type Case = readonly [name: string, key: string, answers: JourneyFacts, expected: Decision, adding?: Partial<Adding>];

const cases: readonly Case[] = [
  ['a product is asked for its agreement', '1-1', {}, { ask: 'agreement' }],
  ['of the office suite it is asked first whose it is', '8-1', {}, { ask: 'partner' }],
  ['… of every family of it', '8-9', {}, { ask: 'partner' }],
  ['a suite that is ours already ends the flow', '8-1', { partner: 1 }, { do: 'leave', partner: 1 }],
  ['… and so does one of another partner', '8-1', { partner: 2 }, { do: 'leave', partner: 2 }],
  ['a suite that is nobody’s goes on to its agreement', '8-1', { partner: 0 }, { ask: 'agreement' }],
  ['changing what is there asks for no partner', '8-1', {}, { ask: 'agreement' }, { mode: 'upgrade' }],
  ['unsigned: it is asked who may sign', '1-1', { agreement: unsigned }, { ask: 'mayAgree' }],
  ['who may sign is asked to', '1-1', { agreement: unsigned, mayAgree: true }, { do: 'sign', isSecure: false }],
  [
    '… in words of its own for the secure suite',
    '8-9',
    { partner: 0, agreement: unsigned, mayAgree: true },
    { do: 'sign', isSecure: true },
  ],
  [
    'who may not hears that it takes an authorised user',
    '1-1',
    { agreement: unsigned, mayAgree: false },
    { do: 'authorised-only', isSecure: false },
  ],
  ['signed: linked agreements are asked for', '1-1', { agreement: signed }, { ask: 'outstanding' }],
  ['an outstanding one: it is asked who may sign', '1-1', { ...ready, outstanding: ['9', '11'] }, { ask: 'mayAgree' }],
  [
    'an outstanding one is signed like the other',
    '1-1',
    { ...ready, outstanding: ['9', '11'], mayAgree: true },
    { do: 'sign', isSecure: false },
  ],
  [
    'an outstanding one without the permission ends in the dialog that says so',
    '1-1',
    { ...ready, outstanding: ['9'], mayAgree: false },
    { do: 'no-permission' },
  ],
  ['many are asked for no partner: that is each customer’s own', '8-1', {}, { ask: 'agreement' }, { mode: 'many' }],
  [
    'many sign as one does',
    '8-1',
    { agreement: unsigned, mayAgree: true },
    { do: 'sign', isSecure: false },
    { mode: 'many' },
  ],
  ['… and go to the order for many', '8-1', ready, { do: 'go', to: ['/services/8/1/add-to-many'] }, { mode: 'many' }],
  ['classic', '1-1', ready, { do: 'go', to: [`${base}/add-service/hosted-exchange`] }],
  [
    'classic for a user',
    '1-1',
    ready,
    { do: 'go', to: ['/customers/customer/1001+a%2Bb%40x.test/add-service/hosted-exchange'] },
    { user: 'a+b@x.test' },
  ],
  ['new journey', '4-1', ready, { do: 'go', to: [`${base}/cs/add-service/advanced-email-security`] }],
  ['commercial licence', '8-2', ready, { do: 'go', to: [nce('power-bi', 'business-analytics')] }],
  ['the core suite without CrossSell', '8-1', ready, { do: 'go', to: [nce('office-365', 'office-suite')] }],
  [
    'the core suite with CrossSell',
    '8-1',
    ready,
    { do: 'go', to: [`${base}/cs/add-service/office-suite`] },
    { crossSell: true },
  ],
  ['the cloud platform without CrossSell', '6-1', ready, { do: 'go', to: [`${base}/add-service/azure`] }],
  [
    'the cloud platform with CrossSell',
    '6-1',
    ready,
    { do: 'go', to: [`${base}/cs/add-service/cloud-platform`] },
    { crossSell: true },
  ],
  ['files backup', '18-1', ready, { do: 'go', to: [`${base}/add-services/18/Add/customer`] }],
  [
    'files backup for a user',
    '18-1',
    ready,
    { do: 'go', to: ['/customers/customer/1001+5/add-services/18/Add/user'] },
    { user: '5' },
  ],
  [
    'mail signatures go through the customer’s view',
    '17-1',
    ready,
    { do: 'go', to: [`${base}/view/services`, `${base}/add-services/17/Add/customer`] },
  ],
  [
    'upgrade, classic',
    '1-1',
    ready,
    { do: 'go', to: [`${base}/upgrade-service/hosted-exchange/31`] },
    { mode: 'upgrade', instance: '31' },
  ],
  [
    'upgrade, new journey',
    '4-1',
    ready,
    { do: 'go', to: [`${base}/cs/upgrade-service/advanced-email-security/31`] },
    { mode: 'upgrade', instance: '31' },
  ],
  [
    'upgrade, commercial licence',
    '8-2',
    ready,
    { do: 'go', to: [`${base}/cs-nce/upgrade-service/business-analytics/31`] },
    { mode: 'upgrade', instance: '31' },
  ],
  ['modify', '1-1', ready, { do: 'go', to: [`${base}/cs/modify-service/1/31`] }, { mode: 'modify', instance: '31' }],
];

for (const [name, key, answers, expected, adding] of cases) {
  test(`${name} (${key})`, () => {
    const given: Adding = { product: product(key), mode: 'add', customer: '1001', crossSell: false, ...adding };
    assert.deepEqual(decideAdd(given, answers), expected);
  });
}

test('the answer of the nce-question decides whether a commercial licence is for a term', () => {
  for (const [key, byListing, features, expected] of [
    ['8-2', true, [], 'term'],
    ['8-2', false, [], 'monthly'],
    ['8-2', false, ['DisableLegacyMicrosoftOrders'], 'term'],
    ['8-1', false, [], 'monthly'],
    ['8-1', true, ['CrossSell'], undefined],
    ['1-1', false, [], undefined],
    ['4-1', true, [], undefined],
    ['8-2', undefined, [], undefined],
    ['8-2', undefined, ['DisableLegacyMicrosoftOrders'], 'term'],
  ] as const)
    assert.equal(commitmentOf(product(key), byListing, features), expected, `${key} ${byListing} ${features}`);
});

test('every product that is sold leads somewhere, and no two classic ones to the same route name', () => {
  const ways = productCodes
    .filter(({ hidden }) => !hidden)
    .map(code => {
      const way = decideAdd({ product: code, mode: 'add', customer: '1', crossSell: false }, ready);
      assert.ok('do' in way && way.do === 'go' && !/null|undefined|\/$/.test(way.to.join(' ')), code.name);
      return way.to.at(-1);
    });
  assert.equal(new Set(ways).size, ways.length);
});

test('cloud platform plan 6 and the suite’s cloud sub-service are sold under agreement service 20', () => {
  const under20 = productCodes.filter(({ agreementServiceId }) => agreementServiceId === 20);
  assert.deepEqual(
    under20.map(({ serviceId, subId }) => `${serviceId}-${subId}`),
    ['6-6', '8-6'],
  );
});

test('a segment of customer and user comes apart as it was put together, whatever a user is called', () => {
  assert.equal(segmentOf('1001'), '1001');
  for (const user of ['5', 'a+b@x.test', '+', 'ü/?#']) {
    const segment = decodeURIComponent(segmentOf('1001', user));
    assert.deepEqual(partsOf(segment), { customer: '1001', user });
  }
  assert.deepEqual(partsOf('1001'), { customer: '1001', user: undefined });
});

const limits: readonly OrderLimit[] = ['Unknown', 'OncePerReseller', 'OncePerCustomer', 'MultiplePerCustomer'];
const statuses = ['Active', 'Activating', 'Deleting', 'ActivationFailed', 'DeletionFailed'];

test('a product that is not added can always be chosen', () => {
  for (const orderLimit of limits)
    for (const level of ['customer', 'user'] as const)
      assert.equal(isProductDisabled(product('1-1'), level, { added: false, status: null, orderLimit }), false);
});

test('an added product can be chosen again only while it is active and may be had more than once', () => {
  for (const orderLimit of limits)
    for (const status of statuses)
      assert.equal(
        isProductDisabled(product('8-1'), 'customer', { added: true, status, orderLimit }),
        status !== 'Active' || orderLimit === 'OncePerCustomer' || orderLimit === 'OncePerReseller',
        `${status} ${orderLimit}`,
      );
});

test('some products are never added twice: at user level most, at customer level those of the list', () => {
  const held = { added: true, status: 'Active', orderLimit: 'MultiplePerCustomer' } as const;
  const keys = (level: 'customer' | 'user', wanted: boolean) =>
    new Set(productCodes.filter(code => isProductDisabled(code, level, held) === wanted).map(code => code.serviceId));
  assert.deepEqual(
    [...keys('customer', true)].sort((a, b) => a - b),
    [6, 12, 14, 22, 27, 114],
  );
  assert.deepEqual(
    [...keys('user', false)].sort((a, b) => a - b),
    [2, 3, 8, 9],
  );
});

test('at user level nine services are not there', () => {
  const hidden = new Set(productCodes.filter(code => isHiddenAt(code, 'user')).map(({ serviceId }) => serviceId));
  assert.deepEqual(
    [...hidden].sort((a, b) => a - b),
    [6, 12, 14, 16, 17, 22, 26, 27, 114],
  );
  assertEvery(productCodes, code => !isHiddenAt(code, 'customer'));
});

test('a customer is greyed out unless it has nothing, or what it has is active and may be had again', () => {
  for (const orderLimit of limits) {
    assert.equal(isCustomerDisabled(null, orderLimit), false);
    assert.equal(isCustomerDisabled('Active', orderLimit), orderLimit === 'OncePerCustomer');
    for (const status of [...statuses.slice(1), 'Suspended'])
      assert.equal(isCustomerDisabled(status, orderLimit), true);
  }
});
