import type { NodeKind } from '../node-kind.ts';
import { catalogue, common, link, path } from '../primitives.ts';

/** A status of the product: shape and word, from a catalogue. */
export const statusKind = {
  schema: {
    description: 'A status: shape and word, by the entry of a catalogue.',
    short: { head: 'path', defaults: { catalogue: { known: 'catalogue', of: 'path' } } },
    type: 'object',
    required: ['type', 'path', 'catalogue'],
    additionalProperties: false,
    properties: { type: { const: 'status' }, ...common, path, catalogue, to: link },
  },
  example: [{ status: 'data.one.Status', catalogue: 'example' }],
} as const satisfies NodeKind;
