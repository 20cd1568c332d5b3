import type { NodeKind } from '../node-kind.ts';
import { common, text } from '../primitives.ts';

export const headingKind = {
  schema: {
    description: 'A heading inside a part.',
    short: { head: 'text' },
    type: 'object',
    required: ['type', 'text'],
    additionalProperties: false,
    properties: { type: { const: 'heading' }, ...common, text, level: { enum: [2, 3] } },
  },
  rules: { role: 'decoration' },
  example: [{ heading: 'example.title' }, { text: 'example.text' }],
} as const satisfies NodeKind;
