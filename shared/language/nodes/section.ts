import type { NodeKind } from '../node-kind.ts';
import { common, nodes, text } from '../primitives.ts';

/** A titled part of a screen. */
export const sectionKind = {
  schema: {
    description: 'A titled part of a screen.',
    short: { head: 'title' },
    type: 'object',
    required: ['type', 'children'],
    additionalProperties: false,
    properties: {
      type: { const: 'section' },
      ...common,
      title: text,
      maxHeight: { type: 'integer', minimum: 100, description: 'Of the content, in px; what is longer scrolls.' },
      children: nodes,
    },
  },
  example: [{ section: 'example.title', children: [{ text: 'example.text' }] }],
} as const satisfies NodeKind;
