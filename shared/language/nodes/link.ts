import type { NodeKind } from '../node-kind.ts';
import { address, common, externalAddress, icon, path, text } from '../primitives.ts';
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
      externalPath: {
        ...path,
        description: 'Where the https address outside stands, in place of "external"; without one it is plain text.',
      },
      icon,
      look: { enum: ['link', 'button', 'primary'] },
      keep: {
        anyOf: [{ const: true }, { type: 'array', items: { type: 'string' } }],
        description: 'Query parameters of this address to carry along; true for all.',
      },
    },
  },
  rules: {
    either: {
      names: ['to', 'external', 'externalPath'],
      says: 'A link has either "to", "external" or "externalPath".',
    },
  },
  example: [
    { link: 'example.more', to: '/docs/layout' },
    { link: 'example.open', external: 'https://www.w3.org/WAI/', icon: 'external' },
    { link: 'example.open', externalPath: 'principal.privacyPolicy' },
  ],
} as const satisfies NodeKind;
