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
      menu: [{ 'example.edit': { toast: 'example.saved' } }, { 'example.remove': { toast: 'example.gone' } }],
      text: 'example.open',
    },
  ],
} as const satisfies NodeKind;
