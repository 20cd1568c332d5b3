import type { NodeKind } from '../node-kind.ts';
import { catalogue, common, link, name, path, rows, text } from '../primitives.ts';

/** Items with an icon, a title, a quieter second line, a status and an action. */
export const listKind = {
  schema: {
    description: 'Items with an icon, a title, a second line and a status.',
    short: {
      head: 'rows',
      defaults: {
        label: { heading: true },
        key: { known: 'key', of: 'rows' },
        catalogue: { known: 'catalogue', of: 'status' },
      },
    },
    type: 'object',
    required: ['type', 'label', 'rows', 'key', 'titlePath', 'emptyText'],
    additionalProperties: false,
    properties: {
      type: { const: 'list' },
      ...common,
      label: { ...text, description: 'Accessible name of the list.' },
      rows,
      key: { ...name, title: 'KeyName' },
      iconPath: { ...path, description: 'Path of an icon name.' },
      titlePath: path,
      detail: path,
      at: { ...path, description: 'Path of a date, shown friendly.' },
      status: path,
      catalogue,
      to: link,
      limit: { type: 'integer', minimum: 1, maximum: 100, description: 'Shown at first; the rest after "Show more".' },
      emptyText: text,
    },
  },
  rules: { ownWords: ['list'] },
  example: [
    {
      type: 'list',
      label: 'example.customers',
      rows: 'data.customers.Items',
      key: 'Id',
      iconPath: 'row.Icon',
      titlePath: 'row.Name',
      at: 'row.Changed',
      status: 'row.Status',
      catalogue: 'example',
      emptyText: 'example.nothing',
    },
  ],
} as const satisfies NodeKind;
