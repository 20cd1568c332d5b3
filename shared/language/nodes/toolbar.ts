import type { NodeKind } from '../node-kind.ts';
import { common, nodes } from '../primitives.ts';

export const toolbarKind = {
  schema: {
    description: 'Search, filters and actions above a list; `end` stands at the far side.',
    short: { head: 'children' },
    type: 'object',
    required: ['type', 'children'],
    additionalProperties: false,
    properties: {
      type: { const: 'toolbar' },
      ...common,
      table: {
        title: 'TableName',
        type: 'string',
        description: 'The table below: its columns, height of rows and views are chosen here, and its filters cleared.',
      },
      end: nodes,
      children: nodes,
    },
  },
  rules: { role: 'arrangement' },
  example: [
    {
      toolbar: [{ type: 'search', path: 'route.search', label: 'example.searching' }],
      end: [{ button: 'example.save', press: { toast: 'example.saved' }, look: 'primary' }],
    },
  ],
} as const satisfies NodeKind;
