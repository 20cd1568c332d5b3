import type { NodeKind } from '../node-kind.ts';
import { common, place, text } from '../primitives.ts';

export const searchKind = {
  schema: {
    description: 'A search box whose words are kept in a place.',
    short: {
      head: 'path',
      defaults: {
        testId: { name: '{path}', style: 'hyphens' },
        resets: { known: 'pages', of: 'path' },
        label: { text: 'path' },
        placeholder: { same: 'label' },
      },
    },
    type: 'object',
    required: ['type', 'path', 'label'],
    additionalProperties: false,
    properties: {
      type: { const: 'search' },
      ...common,
      path: place,
      label: text,
      placeholder: text,
      resets: { type: 'array', items: place, description: 'Places to clear when the words change (the page).' },
    },
  },
  rules: { role: 'control' },
  example: [
    { type: 'search', path: 'route.search', label: 'example.searching', resets: ['route.page'] },
    { type: 'text', path: 'route.search' },
  ],
} as const satisfies NodeKind;
