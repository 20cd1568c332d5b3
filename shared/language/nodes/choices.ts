import type { NodeKind } from '../node-kind.ts';
import { catalogue, common, condition, effects, path, rows, text } from '../primitives.ts';
import { keyName, paging } from '../shapes.ts';

/** Items of which one is pressed (document 1, section 2.5, select product). */
export const choicesKind = {
  schema: {
    description: 'Items of which one is pressed; those that cannot be are dimmed and say why.',
    short: {
      head: 'rows',
      defaults: {
        testId: { name: '{id}', style: 'hyphens' },
        key: { known: 'key', of: 'rows' },
        catalogue: { known: 'catalogue', of: 'status' },
      },
    },
    type: 'object',
    required: ['type', 'id', 'label', 'rows', 'key', 'titlePath', 'emptyText', 'on'],
    additionalProperties: false,
    properties: {
      type: { const: 'choices' },
      ...common,
      label: { ...text, description: 'Accessible name of the list.' },
      rows,
      key: keyName,
      iconPath: { ...path, description: 'Path of an icon name.' },
      titlePath: path,
      detail: path,
      status: path,
      catalogue: { ...catalogue, description: 'Words and shapes for the codes that status holds.' },
      markPath: { ...path, description: 'Items where this is true carry markText.' },
      markText: text,
      disabledWhen: { ...condition, description: 'Items that cannot be pressed.' },
      paging,
      emptyText: text,
      on: {
        title: 'Handlers',
        type: 'object',
        required: ['press'],
        additionalProperties: false,
        properties: { press: { ...effects, description: 'Run with the item as row.' } },
      },
    },
  },
  example: [
    {
      type: 'choices',
      id: 'product',
      label: 'example.customers',
      rows: 'data.customers.Items',
      key: 'Id',
      iconPath: 'row.Icon',
      titlePath: 'row.Name',
      status: 'row.Status',
      catalogue: 'example',
      paging: { page: 'route.page', size: 'route.size', total: 'data.customers.Total' },
      emptyText: 'example.nothing',
      on: { press: [{ do: 'toast', text: 'example.added', kind: 'ok' }] },
    },
  ],
} as const satisfies NodeKind;
