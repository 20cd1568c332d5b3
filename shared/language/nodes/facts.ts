import type { NodeKind } from '../node-kind.ts';
import { catalogue, common, condition, format, link, path, requires, text } from '../primitives.ts';

/** Label and value pairs; as a ledger, one strip of figures. */
export const factsKind = {
  schema: {
    description: 'Label and value pairs; as a ledger, one strip of figures.',
    short: { head: 'items' },
    type: 'object',
    required: ['type', 'items'],
    additionalProperties: false,
    properties: {
      type: { const: 'facts' },
      ...common,
      look: { enum: ['list', 'stacked', 'ledger'] },
      items: {
        title: 'Units',
        type: 'array',
        minItems: 1,
        maxItems: 60,
        items: {
          short: {
            bare: 'path',
            pair: ['label', 'path'],
            defaults: {
              label: { text: 'path' },
              catalogue: { known: 'catalogue', of: 'path' },
              format: { known: 'format', of: 'path', unless: 'catalogue' },
            },
          },
          type: 'object',
          required: ['label', 'path'],
          additionalProperties: false,
          properties: {
            requires,
            when: condition,
            testId: common.testId,
            label: text,
            path,
            format,
            catalogue,
            to: link,
            note: text,
            values: common.values,
          },
        },
      },
    },
  },
  example: [{ facts: [{ 'example.customers': 'data.customers.Total' }, 'data.one.Name'], look: 'ledger' }],
} as const satisfies NodeKind;
