import { integer, partial, text } from '../http/schema.ts';
import { exactTo } from '../search.ts';
import { ifHeldChoices } from './tables.ts';

const ifHeld = {
  enum: ifHeldChoices,
  description: 'What becomes of a service of the product that is held already; absent: a second subscription.',
} as const;

const what = {
  ServiceId: integer,
  SubId: integer,
  Quantity: { type: 'integer', minimum: 1, maximum: 100_000 },
  TermId: text(40),
  BillingId: text(40),
  Fields: {
    type: 'object',
    maxProperties: 30,
    additionalProperties: { type: ['string', 'number', 'boolean', 'null'], maxLength: 200 },
  },
} as const;

export const orderBody = partial(
  {
    CustomerId: text(40),
    UserId: { ...text(20), description: 'Empty: for the customer as a whole.' },
    Action: { enum: ['Add', 'Modify', 'Upgrade'] },
    InstanceId: { ...text(20), description: 'What is modified or upgraded.' },
    IfHeld: ifHeld,
    ...what,
  },
  'CustomerId',
  'ServiceId',
  'SubId',
  'Action',
  'Quantity',
  'TermId',
  'BillingId',
  'Fields',
);

const { Fields: _, ...priced } = orderBody.properties;

/** Fields that an order's price depends on: all but what the product asks for besides. */
export const priceBody = {
  ...orderBody,
  required: ['CustomerId', 'ServiceId', 'SubId', 'Action', 'Quantity', 'TermId', 'BillingId'],
  properties: priced,
} as const;

/** Query for the subject of an order, before anything of it is typed. */
export const subjectQuery = partial(
  {
    customerId: text(300),
    userId: text(120),
    serviceId: { ...integer, description: 'With subId, of what is added; without them the customer alone is checked.' },
    subId: integer,
    action: { enum: ['Add', 'Modify', 'Upgrade', 'Retry'] },
    instanceId: { ...text(40), description: 'What is modified, upgraded or tried again.' },
  },
  'customerId',
  'action',
);

export const bulkQuoteBody = partial(
  {
    Customers: {
      type: 'array',
      minItems: 1,
      maxItems: exactTo,
      items: partial(
        {
          CustomerId: text(40),
          Quantity: { ...what.Quantity, description: 'Absent: that of the order.' },
          Fields: { ...what.Fields, description: 'Values of the fields that are PerCustomer.' },
          IfHeld: ifHeld,
        },
        'CustomerId',
        'Fields',
      ),
    },
    ...what,
    Fields: { ...what.Fields, description: 'Values of all other fields, the same for every customer.' },
  },
  'Customers',
  'ServiceId',
  'SubId',
  'Quantity',
  'TermId',
  'BillingId',
  'Fields',
);

export const bulkBody = {
  ...bulkQuoteBody,
  properties: {
    ...bulkQuoteBody.properties,
    OnlyIfAll: {
      type: 'boolean',
      default: false,
      description:
        'True to order only while every customer can have it; else who cannot is not eligible when its turn comes.',
    },
    LeftOut: {
      type: 'array',
      default: [],
      maxItems: exactTo,
      items: text(40),
      description: 'Customers that were chosen too and cannot have it: they are part of the result, with the reason.',
    },
  },
} as const;

/** Ten thousand customers, each with values of its own. */
export const bulkBytes = 8 * 1024 ** 2;
