import type { NodeKind } from '../node-kind.ts';
import { catalogue, common, condition, effects, path, place, rows, text } from '../primitives.ts';
import { keyName, paging, valueName } from '../shapes.ts';

/**
 * A long list of which many items are ticked, page by page and search by search: what is ticked stays so. The form around
 * sends the keys of those that are. `all` ticks everything that the search finds: its command answers with their `keys`.
 */
export const ticksKind = {
  schema: {
    description:
      'A long list of which many items are ticked, over its pages and searches; the form around sends their keys.',
    short: {
      head: 'rows',
      defaults: {
        label: { heading: true },
        key: { known: 'key', of: 'rows' },
        titlePath: { known: 'titlePath', of: 'rows' },
        catalogue: { known: 'catalogue', of: 'status' },
      },
    },
    type: 'object',
    required: [
      'type',
      'id',
      'propertyName',
      'label',
      'rows',
      'key',
      'titlePath',
      'searchPath',
      'searchLabel',
      'paging',
      'ticked',
      'all',
      'none',
      'emptyText',
      'on',
    ],
    additionalProperties: false,
    properties: {
      type: { const: 'ticks' },
      ...common,
      propertyName: valueName,
      label: { ...text, description: 'Accessible name of the list.' },
      rows,
      key: keyName,
      titlePath: path,
      detail: { ...path, description: 'A second, quieter line.' },
      status: path,
      catalogue: { ...catalogue, description: 'Words and shapes for the codes that status holds.' },
      disabledWhen: { ...condition, description: 'Items that cannot be ticked; they stay readable.' },
      reason: { ...path, description: 'Why an item cannot be ticked, in words.' },
      countPath: { ...place, description: 'Where it is kept how many are ticked.' },
      searchPath: { ...place, description: 'Where the words are kept by which the list is narrowed.' },
      searchLabel: { ...text, description: 'Label of the search.' },
      paging,
      ticked: { ...text, description: 'How many are ticked; interpolates {{count}}.' },
      all: { ...text, description: 'Text of the button that ticks all that are found.' },
      none: { ...text, description: 'Text of the button that unticks all.' },
      emptyText: { ...text, description: 'Said when nothing is found.' },
      on: {
        title: 'Handlers',
        type: 'object',
        required: ['all'],
        additionalProperties: false,
        properties: { all: { ...effects, maxItems: 1, description: 'The command that names all that are found.' } },
      },
    },
  },
  rules: { holds: { kind: 'list', maxLength: 400_000 }, ownValues: ['count'], readsPlaces: ['searchPath'] },
  example: [
    {
      type: 'form',
      id: 'invite',
      submit: 'example.save',
      children: [
        {
          ticks: 'data.customers.Items',
          id: 'customers',
          propertyName: 'Customers',
          label: 'example.customers',
          status: 'row.Status',
          catalogue: 'example',
          searchPath: 'state.words',
          searchLabel: 'example.searching',
          paging: { page: 'state.page', size: 'state.size' },
          ticked: 'example.ticked',
          all: 'example.tickAll',
          none: 'example.tickNone',
          emptyText: 'example.noMatch',
          on: { all: { command: 'example.keys' } },
          disabledWhen: { 'row.Status': 'Failed' },
          reason: 'row.Status',
        },
      ],
      on: { submit: { toast: 'example.saved' } },
    },
  ],
} as const satisfies NodeKind;
