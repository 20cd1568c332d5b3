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
        { type: 'tick-all', label: 'example.all', boxes: ['Mail', 'Calendar'] },
        { type: 'field', propertyName: 'Mail', kind: 'checkbox', label: 'example.agree' },
        { type: 'field', propertyName: 'Calendar', kind: 'checkbox', label: 'example.extra' },
      ],
      on: {
        submit: [
          { do: 'command', command: 'example.save' },
          { do: 'toast', text: 'example.saved', kind: 'ok' },
        ],
      },
    },
  ],
} as const satisfies NodeKind;
