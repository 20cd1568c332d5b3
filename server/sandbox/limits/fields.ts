import { exactTo } from '../search.ts';

export const limitKinds = ['All', 'Some', 'None'] as const;

/** Fields of a body that say which customers an engineer sees. */
export const limitFields = {
  Sees: { enum: limitKinds },
  Word: { type: 'string', maxLength: 50 },
  Customers: { type: 'array', maxItems: exactTo, items: { type: 'string', pattern: '^\\d{1,15}$' } },
} as const;
