import type { NodeKind } from '../node-kind.ts';
import { address, common, externalAddress, icon, text } from '../primitives.ts';
import { iconOfVerb } from '../shapes.ts';

export const linkKind = {
  schema: {
    description: 'Goes to a screen, or to an https address outside.',
    short: {
      head: 'text',
      otherHead: { name: 'button', with: ['to', 'external'], gives: { look: 'button' } },
      defaults: { testId: { name: '{text}', style: 'hyphens' }, icon: iconOfVerb },
    },
    type: 'object',
    required: ['type', 'text'],
    additionalProperties: false,
    properties: {
      type: { const: 'link' },
      ...common,
      text,
      to: address,
      external: externalAddress,
      icon,
      look: { enum: ['link', 'button', 'primary'] },
      keep: {
        anyOf: [{ const: true }, { type: 'array', items: { type: 'string' } }],
        description: 'Query parameters of this address to carry along; true for all.',
      },
    },
  },
  rules: { either: { names: ['to', 'external'], says: 'A link has either "to" or "external".' } },
  example: [
    { link: 'example.more', to: '/docs/layout' },
    { link: 'example.open', external: 'https://www.w3.org/WAI/', icon: 'external' },
  ],
} as const satisfies NodeKind;
