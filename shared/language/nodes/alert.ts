import type { NodeKind } from '../node-kind.ts';
import { common, kind, nodes, text } from '../primitives.ts';

export const alertKind = {
  schema: {
    description: 'A message in place.',
    short: { head: 'text', defaults: { testId: { name: '{text}', style: 'hyphens' } } },
    type: 'object',
    required: ['type', 'kind', 'text'],
    additionalProperties: false,
    properties: { type: { const: 'alert' }, ...common, kind, title: text, text, actions: nodes },
  },
  example: [{ type: 'alert', kind: 'wait', title: 'example.title', text: 'example.text' }],
} as const satisfies NodeKind;
