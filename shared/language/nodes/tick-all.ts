import type { NodeKind } from '../node-kind.ts';
import { common, text } from '../primitives.ts';

export const tickAllKind = {
  schema: {
    description: 'A box that ticks and unticks boxes of its form; half ticked while only some are.',
    short: { head: 'boxes', defaults: { testId: { is: 'tick-all' } } },
    type: 'object',
    required: ['type', 'label', 'boxes'],
    additionalProperties: false,
    properties: {
      type: { const: 'tick-all' },
      ...common,
      label: text,
      boxes: {
        type: 'array',
        items: { type: 'string', pattern: '^[A-Za-z][A-Za-z0-9_]*$' },
        minItems: 1,
        maxItems: 1000,
        description: 'Names of the boxes.',
      },
    },
  },
  example: [
    {
      type: 'form',
      id: 'form',
      submit: 'example.save',
      children: [
        { 'tick-all': ['Mail', 'Calendar'], label: 'example.all' },
        { field: 'Mail?', kind: 'checkbox', label: 'example.agree' },
        { field: 'Calendar?', kind: 'checkbox', label: 'example.extra' },
      ],
      on: { submit: [{ command: 'example.save' }, { toast: 'example.saved' }] },
    },
  ],
} as const satisfies NodeKind;
