import type { NodeKind } from '../node-kind.ts';
import { common, icon, text } from '../primitives.ts';
import { menuItems } from '../shapes.ts';

export const menuKind = {
  schema: {
    description: 'A button that opens a list of actions.',
    short: { head: 'items' },
    type: 'object',
    required: ['type', 'text', 'items'],
    additionalProperties: false,
    properties: {
      type: { const: 'menu' },
      ...common,
      text,
      icon,
      items: { ...menuItems, minItems: 1 },
    },
  },
  example: [
    {
      type: 'menu',
      text: 'example.open',
      items: [
        { id: 'edit', text: 'example.edit', on: { press: [{ do: 'toast', text: 'example.saved', kind: 'ok' }] } },
        { id: 'remove', text: 'example.remove', on: { press: [{ do: 'toast', text: 'example.gone', kind: 'ok' }] } },
      ],
    },
  ],
} as const satisfies NodeKind;
