import type { NodeKind } from '../node-kind.ts';
import { common, format, path, text } from '../primitives.ts';

/** A paragraph: a text, or a value read from a path. */
export const textKind = {
  schema: {
    description: 'A paragraph: a text, or a value.',
    short: { head: 'text' },
    type: 'object',
    required: ['type'],
    additionalProperties: false,
    properties: {
      type: { const: 'text' },
      ...common,
      text,
      path,
      format,
      look: { enum: ['plain', 'quiet', 'lead'] },
    },
  },
  rules: { either: { names: ['text', 'path'], says: 'A text node has either "text" or "path".' } },
  example: [
    { text: 'example.text', look: 'lead' },
    { type: 'text', path: 'data.customers.Total', format: 'number' },
  ],
} as const satisfies NodeKind;
