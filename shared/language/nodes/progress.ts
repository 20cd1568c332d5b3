import type { NodeKind } from '../node-kind.ts';
import { common, path, text } from '../primitives.ts';

/** How far work has come that takes a while. It follows its data: what refreshes that moves the bar. */
export const progressKind = {
  schema: {
    description: 'A bar of work that takes a while: so much of so much, or only that it is under way.',
    short: { head: 'label' },
    type: 'object',
    required: ['type', 'label'],
    additionalProperties: false,
    properties: {
      type: { const: 'progress' },
      ...common,
      label: { ...text, description: 'What is done; read out with the bar.' },
      share: {
        title: 'Unit',
        type: 'object',
        description: 'How much is done of how much. Without it, or without these numbers, the work is only under way.',
        required: ['done', 'of'],
        additionalProperties: false,
        properties: {
          done: { ...path, description: 'Path of how many are done.' },
          of: { ...path, description: 'Path of how many there are.' },
        },
      },
    },
  },
  rules: { ownWords: ['progress'] },
  example: [
    { progress: 'example.saving', share: { done: 'data.one.Users', of: 'data.customers.Total' } },
    { progress: 'example.searching' },
  ],
} as const satisfies NodeKind;
