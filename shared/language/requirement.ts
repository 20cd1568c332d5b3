import { path } from './primitives.ts';

/** The shapes behind the titles Requires and Condition. */
export const requirement = {
  type: 'object',
  additionalProperties: false,
  minProperties: 1,
  properties: {
    views: { title: 'ViewNames', type: 'array', minItems: 1, items: { type: 'string' } },
    permissions: { title: 'PermissionNames', type: 'array', minItems: 1, items: { type: 'string' } },
    features: {
      title: 'FeatureNames',
      type: 'array',
      minItems: 1,
      items: { type: 'string' },
      description: 'All of them; "!Name" for off.',
    },
    userTypes: {
      title: 'UserTypes',
      type: 'array',
      minItems: 1,
      items: { enum: ['public', 'reseller', 'engineer', 'endUserAdmin', 'endUser', 'mustSign'] },
    },
    prices: { const: true },
    currencies: { type: 'array', minItems: 1, items: { enum: ['GBP', 'EUR'] } },
    switched: { type: 'boolean' },
    previousTypes: {
      title: 'UserTypes',
      type: 'array',
      minItems: 1,
      items: { enum: ['reseller', 'engineer', 'endUserAdmin'] },
      description: 'While switched: the user type before.',
    },
    jumped: { type: 'boolean', description: 'Signed in by an admin jump, or not.' },
    any: { type: 'array', minItems: 1, maxItems: 20, items: { title: 'Requires' } },
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
    atLeast: { type: 'number' },
    same: { ...path, description: 'Path of another value; met where both are there and the same, as text.' },
    not: { title: 'Condition' },
    all: { type: 'array', minItems: 1, maxItems: 20, items: { title: 'Condition' } },
    any: { type: 'array', minItems: 1, maxItems: 20, items: { title: 'Condition' } },
  },
} as const;
