import type { NodeKind } from '../node-kind.ts';
import { common, condition, effects, icon, text } from '../primitives.ts';
import { iconOfVerb } from '../shapes.ts';

/** The spec's button descriptor (document 2, section 3): Action, Text, Style, IsDisabled, DataTestId. */
export const buttonKind = {
  schema: {
    description: 'Does something.',
    short: { head: 'text', defaults: { testId: { name: '{text}', style: 'hyphens' }, icon: iconOfVerb } },
    type: 'object',
    required: ['type', 'text', 'on'],
    additionalProperties: false,
    properties: {
      type: { const: 'button' },
      ...common,
      text,
      icon,
      look: { enum: ['plain', 'primary', 'danger', 'quiet', 'link'] },
      small: { type: 'boolean' },
      busy: { ...text, description: 'Its text while its effects run.' },
      disabledWhen: condition,
      on: {
        title: 'Handlers',
        type: 'object',
        required: ['press'],
        additionalProperties: false,
        properties: { press: effects },
      },
    },
  },
  example: [
    {
      button: 'example.save',
      press: [{ command: 'example.save' }, { toast: 'example.saved' }],
      look: 'primary',
      busy: 'example.saving',
    },
  ],
} as const satisfies NodeKind;
