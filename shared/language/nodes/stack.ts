import type { NodeKind } from '../node-kind.ts';
import { common, nodes } from '../primitives.ts';

export const stackKind = {
  schema: {
    description: 'Children below each other.',
    short: { head: 'children' },
    type: 'object',
    required: ['type', 'children'],
    additionalProperties: false,
    properties: {
      type: { const: 'stack' },
      ...common,
      tight: { type: 'boolean', description: 'Less space between.' },
      children: nodes,
    },
  },
  rules: { role: 'arrangement' },
  example: [{ stack: [{ text: 'example.hello' }, { text: 'example.text' }], tight: true }],
} as const satisfies NodeKind;
