import { mostRows } from '../../rules/row-letters.ts';
import type { NodeKind } from '../node-kind.ts';
import { common, fieldNodes, text } from '../primitives.ts';

/**
 * The same fields several times, as one adds and removes them: sites, contacts, ranges. A row is written as its fields
 * with the name of the group and its place before theirs (`Sites2Town`), and is there while `Sites2` is true; what a
 * row that was removed held is kept, so that it can be undone. Conditions inside a row name its fields plainly.
 */
export const fieldRowsKind = {
  schema: {
    description: 'The same fields several times, in rows that one adds and removes.',
    short: { head: 'propertyName' },
    type: 'object',
    required: ['type', 'propertyName', 'max', 'label', 'title', 'add', 'remove', 'removed', 'undoText', 'children'],
    additionalProperties: false,
    properties: {
      type: { const: 'field-rows' },
      ...common,
      propertyName: {
        type: 'string',
        pattern: '^[A-Za-z]+$',
        maxLength: 40,
        description: 'Name of the group in the body.',
      },
      min: {
        type: 'integer',
        minimum: 0,
        maximum: mostRows,
        description: 'Rows that there are at least, and at first.',
      },
      max: { type: 'integer', minimum: 1, maximum: mostRows, description: 'Rows that there can be.' },
      label: { ...text, description: 'Accessible name of the group.' },
      title: { ...text, description: 'Name of a row; interpolates {{letter}} (A, B, C) and {{number}}.' },
      add: text,
      remove: { ...text, description: 'Text of the button that removes a row; interpolates as the title does.' },
      removed: { ...text, description: 'Said once a row is gone; interpolates as the title does.' },
      undoText: text,
      children: fieldNodes,
    },
  },
  rules: { form: 'rows', ownValues: ['letter', 'number'] },
  example: [
    {
      type: 'form',
      id: 'contacts',
      submit: 'example.save',
      children: [
        {
          'field-rows': 'Contacts',
          min: 1,
          max: 5,
          label: 'example.contacts',
          title: 'example.contact',
          add: 'example.addContact',
          remove: 'example.removeContact',
          removed: 'example.contactRemoved',
          undoText: 'example.undo',
          children: [{ field: 'Name' }],
        },
      ],
      on: { submit: { toast: 'example.saved' } },
    },
  ],
} as const satisfies NodeKind;
