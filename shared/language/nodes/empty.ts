import type { NodeKind } from '../node-kind.ts';
import { common, icon, kind, nodes, text } from '../primitives.ts';

/** What stands where nothing is: an icon, a sentence, what to do. */
export const emptyKind = {
  schema: {
    description: 'What stands where nothing is, and what to do about it.',
    short: { head: 'title', defaults: { text: { beside: 'title', adds: 'Text', ifThere: true } } },
    type: 'object',
    required: ['type', 'title'],
    additionalProperties: false,
    properties: {
      type: { const: 'empty' },
      ...common,
      icon,
      kind,
      level: { enum: [1, 2] },
      title: text,
      text,
      actions: nodes,
    },
  },
  example: [
    {
      empty: 'example.nothing',
      icon: 'inbox',
      text: 'example.text',
      actions: [{ button: 'example.go', press: { toast: 'example.saved' }, look: 'primary' }],
    },
  ],
} as const satisfies NodeKind;
