import type { NodeKind } from '../node-kind.ts';
import { common, effects, path, text } from '../primitives.ts';

/**
 * How a new password stands while it is typed (document 1, section 5): a meter of 0 to 4, and a checklist of the rules
 * that have a name. The server judges; `check` runs with every pause and answers with `score`, `isStrong` and `named`.
 */
export const strengthKind = {
  schema: {
    description: 'How a new password stands while it is typed: a meter, and a checklist of its rules.',
    short: { head: 'path' },
    type: 'object',
    required: ['type', 'path', 'label', 'strong', 'weak', 'met', 'unmet', 'on'],
    additionalProperties: false,
    properties: {
      type: { const: 'strength' },
      ...common,
      path: { ...path, description: 'Path of the password.' },
      label: { ...text, description: 'Name of the meter.' },
      strong: { ...text, description: 'Said once the score reaches what the rules ask for.' },
      weak: { ...text, description: 'Said before.' },
      met: { ...text, description: 'Said of a rule that is met, for those who do not see its mark.' },
      unmet: { ...text, description: 'Said of a rule that is not met yet.' },
      on: {
        title: 'Handlers',
        type: 'object',
        required: ['check'],
        additionalProperties: false,
        properties: { check: effects },
      },
    },
  },
  example: [
    {
      type: 'form',
      id: 'form',
      submit: 'example.save',
      children: [
        { field: 'NewPassword?', label: 'example.password' },
        {
          strength: 'form.NewPassword',
          label: 'example.strength',
          strong: 'example.strong',
          weak: 'example.weak',
          met: 'example.met',
          unmet: 'example.unmet',
          on: { check: { command: 'example.check' } },
        },
      ],
      on: { submit: [{ command: 'example.save' }, { toast: 'example.saved' }] },
    },
  ],
} as const satisfies NodeKind;
