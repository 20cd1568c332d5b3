import { path } from './primitives.ts';

/** What a document writes in place of a requirement: its name. */
export const requirementName = {
  title: 'RequirementName',
  description: 'The name of a requirement in access.json.',
  type: 'string',
  pattern: '^[a-z][a-z0-9-]*$',
  maxLength: 60,
} as const;

const features = {
  title: 'FeatureNames',
  type: 'array',
  minItems: 1,
  items: { type: 'string' },
  description: 'Features that are on.',
} as const;
const userTypes = {
  title: 'UserTypes',
  type: 'array',
  minItems: 1,
  items: { enum: ['public', 'reseller', 'engineer', 'endUserAdmin', 'endUser', 'mustSign'] },
  description: 'What the caller is.',
} as const;
const systems = {
  title: 'SystemNames',
  type: 'array',
  minItems: 1,
  items: { enum: ['dashboard', 'comms', 'hardware', 'distribution'] },
  description:
    'Other systems of the operator where the caller is at home: their account is linked to it, or, of the dashboard of single experience, they land there.',
} as const;
const switched = { type: 'boolean', description: 'In the end-user view, or not.' } as const;
const jumped = { type: 'boolean', description: 'Signed in by an admin jump, or not.' } as const;
const parts = { type: 'array', minItems: 1, maxItems: 20, items: { title: 'Requires' } } as const;

/** The shapes behind the titles Requires and Condition. */
export const requirement = {
  type: 'object',
  additionalProperties: false,
  minProperties: 1,
  properties: {
    views: {
      title: 'ViewNames',
      type: 'array',
      minItems: 1,
      items: { type: 'string' },
      description: 'Views that are open to the caller.',
    },
    permissions: {
      title: 'PermissionNames',
      type: 'array',
      minItems: 1,
      items: { type: 'string' },
      description: 'Permissions that the caller holds.',
    },
    features,
    userTypes,
    prices: { const: true, description: 'The caller sees prices.' },
    currencies: {
      type: 'array',
      minItems: 1,
      items: { enum: ['GBP', 'EUR'] },
      description: 'The currency of the caller.',
    },
    systems,
    switched,
    previousTypes: {
      title: 'UserTypes',
      type: 'array',
      minItems: 1,
      items: { enum: ['reseller', 'engineer', 'endUserAdmin'] },
      description: 'While switched: the user type before.',
    },
    jumped,
    all: { ...parts, description: 'Requirements that must all be met: names or written out.' },
    any: { ...parts, description: 'Requirements of which one must be met: names or written out.' },
    not: {
      title: 'Excluded',
      description:
        '"not" holds features, userTypes, systems, switched and jumped only: around a permission, view or price it would let a right take something away.',
      type: 'object',
      additionalProperties: false,
      minProperties: 1,
      properties: { features, userTypes, systems, switched, jumped },
    },
  },
} as const;

const scalar = { type: ['string', 'number', 'boolean', 'null'] } as const;
export const conditionShape = {
  type: 'object',
  additionalProperties: false,
  minProperties: 1,
  properties: {
    path,
    is: scalar,
    in: { type: 'array', minItems: 1, maxItems: 100, items: scalar },
    empty: { type: 'boolean' },
    atLeast: { type: 'number', description: 'The least number or amount.' },
    same: { ...path, description: 'Path of another value; met where both are there and the same, as text.' },
    before: { ...path, description: 'Path of a day or moment that is later: a day is compared with a day.' },
    after: { ...path, description: 'Path of a day or moment that is earlier.' },
    below: { ...path, description: 'Path of a number or amount that is greater.' },
    above: { ...path, description: 'Path of a number or amount that is less.' },
    contains: { ...path, description: 'Path of a value that the list at "path" has, or of a part of the text there.' },
    not: { title: 'Condition' },
    all: { type: 'array', minItems: 1, maxItems: 20, items: { title: 'Condition' } },
    any: { type: 'array', minItems: 1, maxItems: 20, items: { title: 'Condition' } },
  },
} as const;
