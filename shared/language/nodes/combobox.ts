import type { NodeKind } from '../node-kind.ts';
import { catalogue, common, condition, path, place, rows, text } from '../primitives.ts';
import { keyName } from '../shapes.ts';

/**
 * One item of a list that a search on the server narrows (document 1, section 2.5): what is typed goes to `words` after
 * 200 ms, from no character on, a data source reads it and gives the rows. Pattern: WAI-ARIA, editable combobox.
 */
export const comboboxKind = {
  schema: {
    description: 'Chooses one item of a list that a search on the server narrows; kept in a place.',
    short: {
      head: 'rows',
      defaults: {
        key: { known: 'key', of: 'rows' },
        titlePath: { known: 'titlePath', of: 'rows' },
        catalogue: { known: 'catalogue', of: 'status' },
        totalPath: { known: 'total', of: 'rows' },
      },
    },
    type: 'object',
    required: ['type', 'id', 'path', 'searchPath', 'label', 'rows', 'key', 'titlePath', 'emptyText'],
    additionalProperties: false,
    properties: {
      type: { const: 'combobox' },
      ...common,
      path: { ...place, description: 'Where the key of the chosen item is kept.' },
      searchPath: { ...place, description: 'Where what is typed is kept, for the data source that searches.' },
      label: text,
      placeholder: text,
      rows,
      key: keyName,
      titlePath: path,
      detail: path,
      status: path,
      catalogue: { ...catalogue, description: 'Words and shapes for the codes that status holds.' },
      markPath: { ...path, description: 'Items where this is true carry markText.' },
      markText: text,
      disabledWhen: { ...condition, description: 'Items that cannot be chosen; they stay readable.' },
      totalPath: { ...path, description: 'How many items there are; where more than are shown, it says so.' },
      emptyText: { ...text, description: 'Said when nothing matches.' },
    },
  },
  rules: { ownWords: ['filter'] },
  example: [
    {
      combobox: 'data.customers.Items',
      id: 'customer',
      path: 'state.customer',
      searchPath: 'state.words',
      label: 'example.customers',
      status: 'row.Status',
      catalogue: 'example',
      emptyText: 'example.noMatch',
    },
  ],
} as const satisfies NodeKind;
