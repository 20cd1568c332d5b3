import type { NodeKind } from '../node-kind.ts';
import { common, nodes, path, rows, text } from '../primitives.ts';
import { keyName, valueName } from '../shapes.ts';

/**
 * The same fields for each of many items, one row an item and one column a field, page by page (shared/rules/grid.ts).
 * What is typed is judged by the rules of the fields, in browser and server, and its error stands at its row. The form
 * around sends, as one value, the JSON of a list of `[key, values]`, one for each item whose values differ from its
 * first ones; none where none does. Fields of kind `display` show what is so of an item, or its `figures`. Without
 * `propertyName` nothing is typed, and the fields are of kind `display`.
 */
export const gridKind = {
  schema: {
    description:
      'The same fields for each of many items, in rows; the form around sends what differs from its first values.',
    short: { head: 'rows', defaults: { key: { known: 'key', of: 'rows' } } },
    type: 'object',
    required: ['type', 'id', 'label', 'rows', 'key', 'titlePath', 'heading', 'fields', 'searchLabel', 'noMatchText'],
    additionalProperties: false,
    properties: {
      type: { const: 'grid' },
      ...common,
      propertyName: valueName,
      label: { ...text, description: 'Accessible name of the table.' },
      rows,
      key: keyName,
      titlePath: path,
      heading: { ...text, description: 'Heading of the titles.' },
      initial: { ...path, description: 'Object of an item whose fields are its first values; else the item itself.' },
      figures: {
        ...path,
        description:
          'Object by key: of each item the values that fields of kind display show, which may change with what is typed.',
      },
      fields: { ...nodes, maxItems: 12, description: 'The fields that each item has.' },
      searchLabel: { ...text, description: 'Label of the search, which is there where there is more than one page.' },
      noMatchText: { ...text, description: 'Said when no item has the words.' },
      all: { ...text, description: 'Shows all items; there where something is typed.' },
      fromFile: {
        type: 'object',
        description:
          'There where values are taken from a CSV file: in the first column a title or key, in the others the fields, in their order or as a first line names them.',
        required: ['button', 'used', 'unknown'],
        additionalProperties: false,
        properties: {
          button: text,
          used: { ...text, description: 'Says how many rows were used; interpolates {{count}}.' },
          unknown: { ...text, description: 'Names the rows that no item has; interpolates {{names}}.' },
        },
      },
      wrong: { ...text, description: 'Shows the items that need a correction; there where something is typed.' },
    },
  },
  rules: { holds: { kind: 'text-area', maxLength: 800_000 }, fieldsOfRow: 'fields', ownValues: ['count', 'names'] },
  example: [
    {
      type: 'form',
      id: 'domains',
      submit: 'example.save',
      children: [
        {
          grid: 'data.customers.Items',
          id: 'grid',
          propertyName: 'Values',
          label: 'example.customers',
          titlePath: 'row.Name',
          heading: 'example.name',
          fields: [{ field: 'Users', kind: 'number', min: 1 }],
          searchLabel: 'example.searching',
          noMatchText: 'example.noMatch',
          all: 'example.all',
          wrong: 'example.wrong',
        },
      ],
      on: { submit: { toast: 'example.saved' } },
    },
  ],
} as const satisfies NodeKind;
