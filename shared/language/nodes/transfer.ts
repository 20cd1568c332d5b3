import type { NodeKind } from '../node-kind.ts';
import { common, nodes, text } from '../primitives.ts';

/**
 * Lists between which entries are moved (document 2, section 4, permission popup): those that are selected go from the
 * first list to another one, and back. Every list is a field of kind `list` of the form around: its entries are lines of
 * text in order, and a list of them, or of items with a `key`, where it comes from and goes to. With `also` an entry can be
 * in several lists at once but the first, which has those that are in no other. Pattern: WAI-ARIA, listbox.
 */
export const transferKind = {
  schema: {
    description: 'Lists between which selected entries are moved, each a field of the form.',
    type: 'object',
    required: [
      'type',
      'label',
      'searchLabel',
      'selectAll',
      'selectedText',
      'move',
      'moved',
      'emptyText',
      'noMatchText',
      'children',
    ],
    additionalProperties: false,
    properties: {
      type: { const: 'transfer' },
      ...common,
      label: { ...text, description: 'Accessible name of the lists together.' },
      searchLabel: { ...text, description: 'Name of the search of a list; interpolates {{list}}, its label.' },
      selectAll: { ...text, description: 'Name of the box that selects all of a list; interpolates {{list}}.' },
      selectedText: { ...text, description: 'How many of a list are selected; interpolates {{count}} and {{all}}.' },
      move: { ...text, description: 'Text of the button that moves to a list; interpolates {{list}}.' },
      also: {
        ...text,
        description:
          'Text of the button that adds to a further list and leaves where they are; interpolates {{list}}. With it an entry can be in several lists but the first.',
      },
      moved: { ...text, description: 'Said once they are moved; interpolates {{count}} and {{list}}.' },
      emptyText: { ...text, description: 'Said of a list that has none.' },
      noMatchText: { ...text, description: 'Said where the search finds none.' },
      children: { ...nodes, minItems: 2, maxItems: 4, description: 'The lists: fields of kind list.' },
    },
  },
  rules: {
    childFields: { kind: 'list', says: 'The children of a transfer are its lists.' },
    ownValues: ['list', 'count', 'all'],
  },
  example: [
    {
      type: 'form',
      id: 'group-members',
      initial: 'data.one',
      submit: 'example.save',
      children: [
        {
          type: 'transfer',
          label: 'example.members',
          searchLabel: 'example.searchList',
          selectAll: 'example.selectAll',
          selectedText: 'example.selectedOf',
          move: 'example.moveTo',
          also: 'example.alsoTo',
          moved: 'example.movedTo',
          emptyText: 'example.none',
          noMatchText: 'example.noMatch',
          children: [
            { field: 'Others?', kind: 'list', key: 'Address', nameKey: 'Name' },
            { field: 'Members', kind: 'list', key: 'Address' },
          ],
        },
      ],
      on: { submit: { toast: 'example.saved' } },
    },
  ],
} as const satisfies NodeKind;
