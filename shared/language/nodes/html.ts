import type { NodeKind } from '../node-kind.ts';
import { common, path } from '../primitives.ts';

/** HTML from the cloud, sanitised on the server. */
export const htmlKind = {
  schema: {
    description: 'HTML from the cloud; the server sanitises it before it leaves.',
    short: { head: 'path' },
    type: 'object',
    required: ['type', 'path'],
    additionalProperties: false,
    properties: { type: { const: 'html' }, ...common, path: { ...path, title: 'HtmlPath' } },
  },
  example: [{ html: 'data.one.Notice' }],
} as const satisfies NodeKind;
