import type { NodeKind } from '../node-kind.ts';
import { catalogue, common, path } from '../primitives.ts';

export const badgeKind = {
  schema: {
    description: 'A short mark: the entry of a catalogue for a value, else the value itself.',
    short: { head: 'path', defaults: { catalogue: { known: 'catalogue', of: 'path' } } },
    type: 'object',
    required: ['type', 'path'],
    additionalProperties: false,
    properties: { type: { const: 'badge' }, ...common, path, catalogue },
  },
  example: [{ badge: 'data.one.Status', catalogue: 'example' }],
} as const satisfies NodeKind;
