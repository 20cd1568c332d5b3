import type { NodeKind } from '../node-kind.ts';
import { common, nodes } from '../primitives.ts';

/** Children side by side, below each other on narrow pages. */
export const columnsKind = {
  schema: {
    description: 'Children side by side; below each other on narrow pages.',
    short: { head: 'children' },
    type: 'object',
    required: ['type', 'children'],
    additionalProperties: false,
    properties: {
      type: { const: 'columns' },
      ...common,
      shape: {
        enum: ['main', 'even', 'side', 'cards'],
        description:
          'main: wide then narrow; side: narrow then wide; even: equal; cards: as many as there is room for.',
      },
      children: nodes,
    },
  },
  rules: { role: 'arrangement' },
  example: [
    {
      columns: [
        { card: 'example.users', children: [{ text: 'example.text' }] },
        { card: 'example.billing-tab', children: [{ text: 'example.text' }] },
      ],
      shape: 'even',
    },
  ],
} as const satisfies NodeKind;
