import type { NodeKind } from '../node-kind.ts';
import { common, place, text } from '../primitives.ts';
import { resets } from '../shapes.ts';

/** A day that narrows a list, as YYYY-MM-DD. */
export const dayKind = {
  schema: {
    description: 'A day that narrows a list; kept in a place.',
    short: {
      head: 'path',
      defaults: { testId: { name: '{path}', style: 'hyphens' }, resets: { known: 'pages', of: 'path' } },
    },
    type: 'object',
    required: ['type', 'path', 'label'],
    additionalProperties: false,
    properties: {
      type: { const: 'day' },
      ...common,
      path: place,
      label: text,
      resets,
    },
  },
  rules: { role: 'control', ownWords: ['day'] },
  example: [
    { day: 'route.from', label: 'example.since' },
    { type: 'text', path: 'route.from', format: 'date' },
  ],
} as const satisfies NodeKind;
