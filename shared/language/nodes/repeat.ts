import type { NodeKind } from '../node-kind.ts';
import { common, nodes, rows } from '../primitives.ts';
import { keyName } from '../shapes.ts';

/** A template drawn once per item of a list. */
export const repeatKind = {
  schema: {
    description: 'A template drawn once per item of a list.',
    short: { head: 'rows', defaults: { key: { known: 'key', of: 'rows' } } },
    type: 'object',
    required: ['type', 'rows', 'key', 'children'],
    additionalProperties: false,
    properties: {
      type: { const: 'repeat' },
      ...common,
      rows,
      key: keyName,
      propertyName: {
        type: 'string',
        pattern: '^[A-Za-z]+$',
        maxLength: 40,
        description:
          'In a step of a journey: each item has the fields of "children", such as a quantity; the answer is the list of items, by their key, for which something was entered.',
      },
      children: nodes,
    },
  },
  rules: { offers: 'propertyName' },
  example: [
    {
      repeat: 'data.customers.Items',
      children: [
        { type: 'text', path: 'row.Name' },
        { status: 'row.Status', catalogue: 'example' },
      ],
    },
  ],
} as const satisfies NodeKind;
