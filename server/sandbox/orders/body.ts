import { exactTo } from '../database/search.ts';
import { idempotencyKey } from '../http/idempotency.ts';
import { integer, text } from '../http/schema.ts';
import type { FieldValues } from './fields.ts';

export type Action = 'Add' | 'Modify' | 'Upgrade';

/** What is ordered, for whom. `ServiceId` and `SubId` are of what one will have: of an upgrade, the better product. */
export type OrderBody = {
  readonly CustomerId: string;
  readonly UserId?: string;
  readonly ServiceId: number;
  readonly SubId: number;
  readonly Action: Action;
  readonly InstanceId?: string;
  readonly Quantity: number;
  readonly TermId: string;
  readonly BillingId: string;
  readonly Fields: FieldValues;
};

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

export const orderBody = {
  type: 'object',
  additionalProperties: false,
  required: ['CustomerId', 'ServiceId', 'SubId', 'Action', 'Quantity', 'TermId', 'BillingId', 'Fields'],
  properties: {
    CustomerId: text(40),
    UserId: { ...text(20), description: 'Empty: for the customer as a whole.' },
    Action: { enum: ['Add', 'Modify', 'Upgrade'] },
    InstanceId: { ...text(20), description: 'What is modified or upgraded.' },
    ...what,
  },
} as const;

/** What an order will be about, before anything of it is typed. */
export const subjectQuery = {
  type: 'object',
  additionalProperties: false,
  required: ['customerId', 'action'],
  properties: {
    customerId: text(300),
    userId: text(120),
    serviceId: { ...integer, description: 'With subId, of what is added; without them the customer alone is judged.' },
    subId: integer,
    action: { enum: ['Add', 'Modify', 'Upgrade', 'Retry'] },
    instanceId: { ...text(40), description: 'What is modified, upgraded or tried again.' },
  },
} as const;

export const bulkBody = {
  type: 'object',
  additionalProperties: false,
  required: ['CustomerIds', 'ServiceId', 'SubId', 'Quantity', 'TermId', 'BillingId', 'Fields'],
  properties: {
    CustomerIds: { type: 'array', minItems: 1, maxItems: exactTo, uniqueItems: true, items: text(40) },
    ...what,
  },
} as const;

export const orderHeaders = idempotencyKey;
