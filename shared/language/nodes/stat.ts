import type { NodeKind } from '../node-kind.ts';
import { common, format, link, path, rows, text } from '../primitives.ts';

/**
 * One figure that stands out, with how it has changed since an earlier moment. Only the document knows whether more is
 * better. Without an earlier value nothing is said of a change.
 */
export const statKind = {
  schema: {
    description: 'A figure with its label, and its change since an earlier value.',
    short: {
      head: 'path',
      defaults: {
        label: { text: 'path' },
        testId: { name: '{path}', style: 'hyphens' },
        format: { known: 'format', of: 'path' },
      },
    },
    type: 'object',
    required: ['type', 'label', 'path'],
    additionalProperties: false,
    properties: {
      type: { const: 'stat' },
      ...common,
      label: text,
      path,
      format,
      earlier: {
        title: 'Unit',
        type: 'object',
        description: 'What it is compared with; nothing is said where there is no earlier value.',
        required: ['path', 'text'],
        additionalProperties: false,
        properties: {
          path: { ...path, description: 'Path of the earlier value, of the same kind.' },
          text: { ...text, description: 'Since when, as in "since the end of last month".' },
          better: { enum: ['more', 'less'], description: 'What is good; without it a change is neither good nor bad.' },
        },
      },
      to: { ...link, description: 'Address of what it counts.' },
      trend: {
        title: 'Unit',
        type: 'object',
        description:
          'Draws how it went as a line; a point without a number is a gap. Its figures stand elsewhere, too.',
        required: ['rows', 'figure'],
        additionalProperties: false,
        properties: { rows, figure: { ...path, description: 'Path of the number of a point.' } },
      },
    },
  },
  rules: { ownWords: ['stat'] },
  example: [
    {
      stat: 'data.one.Users',
      earlier: { path: 'data.customers.Total', text: 'example.lastMonth', better: 'more' },
      trend: { rows: 'data.customers.Items', figure: 'row.Users' },
    },
  ],
} as const satisfies NodeKind;
