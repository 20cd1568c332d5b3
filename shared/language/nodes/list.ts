import type { NodeKind } from '../node-kind.ts';
import { catalogue, common, effects, icon, link, name, nodes, path, rows, text } from '../primitives.ts';

/** Items with an icon, a title, a quieter second line, a status and an action. */
export const listKind = {
  schema: {
    description: 'Items with an icon, a title, a second line, a status and actions.',
    short: {
      head: 'rows',
      defaults: {
        testId: { name: '{rows}-list', style: 'hyphens' },
        label: { heading: true },
        key: { known: 'key', of: 'rows' },
        titlePath: { known: 'titlePath', of: 'rows' },
        emptyText: { namedText: 'none' },
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
      icon: { ...icon, description: 'The icon of items that have none of their own.' },
      titlePath: path,
      titleMarks: { ...path, description: 'Path of where each part of the title to mark begins and ends, in turn.' },
      detail: path,
      detailMarks: { ...path, description: 'The same for the second line.' },
      at: { ...path, description: 'Path of a date, shown friendly.' },
      remark: { ...path, description: 'Path of a third line, such as a reason.' },
      status: path,
      catalogue,
      to: link,
      on: {
        title: 'Handlers',
        type: 'object',
        required: ['press'],
        additionalProperties: false,
        properties: {
          press: { ...effects, description: 'What pressing the title of an item does, in place of "to"; reads row.' },
        },
      },
      actions: { ...nodes, description: 'What one does with an item, at its end; reads row.' },
      limit: { type: 'integer', minimum: 1, maximum: 100, description: 'Shown at first; the rest after "Show more".' },
      emptyText: text,
    },
  },
  rules: { ownWords: ['list'] },
  example: [
    {
      list: 'data.customers.Items',
      label: 'example.customers',
      iconPath: 'row.Icon',
      at: 'row.Changed',
      status: 'row.Status',
      catalogue: 'example',
      actions: [{ button: 'example.remove', small: true, press: { call: 'example.remove', with: ['row.Id'] } }],
      emptyText: 'example.nothing',
    },
  ],
} as const satisfies NodeKind;
