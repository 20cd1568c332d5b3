import type { FromSchema } from 'json-schema-to-ts';

const message = { type: 'string', maxLength: 500 } as const;
const name = { ...message, description: 'A rule with a name stands in the checklist.' } as const;
const regex = { type: 'string', maxLength: 500 } as const;
const value = { type: 'integer', minimum: 0, maximum: 1000 } as const;

/** What a new password must be, as the cloud says it (document 1, section 5): six types of rule. */
export const passwordRulesSchema = {
  type: 'array',
  maxItems: 50,
  items: {
    anyOf: [
      {
        type: 'object',
        required: ['Type'],
        properties: { Type: { const: 'required' }, Name: name, Message: message },
      },
      {
        type: 'object',
        required: ['Type', 'Regex'],
        properties: { Type: { const: 'pattern' }, Name: name, Regex: regex, Message: message },
      },
      {
        type: 'object',
        required: ['Type', 'Value'],
        properties: {
          Type: { enum: ['minLength', 'MinimumLength', 'MinimumScore'] },
          Name: name,
          Value: value,
          Message: message,
        },
      },
      {
        type: 'object',
        required: ['Type', 'Patterns'],
        properties: {
          Type: { const: 'MultiplePattern' },
          Name: name,
          Patterns: { type: 'array', maxItems: 20, items: regex },
          Message: message,
        },
      },
    ],
  },
} as const;

export type PasswordRules = FromSchema<typeof passwordRulesSchema>;
export type PasswordRule = PasswordRules[number];
