import type { NodeKind } from '../node-kind.ts';
import { common, nodes, place } from '../primitives.ts';

/**
 * Fields of which what is chosen is kept at a place as well, shortly after each choice, so that a data source can ask what
 * would follow from it: boxes, switches, radios, selects and days by their names, as the query of an address
 * (`Mail=true&Calendar=false`). What is typed in other fields is not kept.
 */
export const keptChoicesKind = {
  schema: {
    description:
      'Fields of which what is chosen is kept at a place too, for a data source to ask what follows from it.',
    short: { head: 'path' },
    type: 'object',
    required: ['type', 'path', 'children'],
    additionalProperties: false,
    properties: { type: { const: 'kept-choices' }, ...common, path: place, children: nodes },
  },
  rules: { role: 'arrangement', readsPlaces: ['path'] },
  example: [
    {
      type: 'form',
      id: 'form',
      submit: 'example.save',
      children: [
        {
          'kept-choices': 'state.words',
          children: [
            { field: 'Mail', kind: 'checkbox', label: 'example.agree' },
            { field: 'Calendar', kind: 'checkbox', label: 'example.extra' },
          ],
        },
      ],
      on: { submit: [{ command: 'example.save' }, { toast: 'example.saved' }] },
    },
  ],
} as const satisfies NodeKind;
