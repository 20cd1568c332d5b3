import type { NodeKind } from '../node-kind.ts';
import { common, link, nodes, path, text } from '../primitives.ts';

/** A framed part: title, count, actions at its end, content. */
export const cardKind = {
  schema: {
    description: 'A framed part with a title, an optional count and actions.',
    short: { head: 'title' },
    type: 'object',
    required: ['type', 'children'],
    additionalProperties: false,
    properties: {
      type: { const: 'card' },
      ...common,
      iconPath: { ...path, description: 'Path of an icon name, shown before the title.' },
      title: text,
      count: path,
      actions: nodes,
      to: { ...link, description: 'Where "all of it" is; shown with moreText at the end of the head.' },
      moreText: text,
      flush: { type: 'boolean', description: 'True where the content brings its own padding (lists, tables).' },
      children: nodes,
    },
  },
  example: [
    {
      card: 'example.customers',
      iconPath: 'data.one.Icon',
      count: 'data.customers.Total',
      children: [{ text: 'example.text' }],
    },
  ],
} as const satisfies NodeKind;
