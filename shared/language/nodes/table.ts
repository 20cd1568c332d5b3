import type { NodeKind } from '../node-kind.ts';
import { catalogue, common, condition, format, link, name, path, place, requires, rows, text } from '../primitives.ts';
import { emptyState, keyName, menuItems, paging } from '../shapes.ts';

/**
 * The one list of the product: server paging, sort, search and filters kept in the address, column choice,
 * row menu, selection with bulk actions, export of the current filter, cards on a phone, three empty states.
 */
export const tableKind = {
  schema: {
    description: 'A list with paging, sort, row menu, export, cards on a phone and its empty states.',
    type: 'object',
    required: ['type', 'id', 'label', 'rows', 'key', 'columns', 'empty'],
    additionalProperties: false,
    properties: {
      type: { const: 'table' },
      ...common,
      label: { ...text, description: 'Accessible name of the table.' },
      rows,
      key: keyName,
      columns: {
        title: 'Units',
        type: 'array',
        minItems: 1,
        maxItems: 40,
        items: {
          type: 'object',
          required: ['title', 'path'],
          additionalProperties: false,
          properties: {
            id: name,
            requires,
            when: condition,
            testId: common.testId,
            title: text,
            path,
            format,
            catalogue,
            detail: { ...path, description: 'A second, quieter line.' },
            detailTitle: {
              ...text,
              description: 'Heading of the second line, which has a column of its own in an export.',
            },
            iconPath: { ...path, description: 'Path of an icon name shown before the value.' },
            avatar: { type: 'boolean', description: 'True to show the initials before the value.' },
            to: link,
            sort: { ...name, title: 'SortName', description: 'Name by which the operation sorts this column.' },
            priority: {
              enum: ['lead', 'normal', 'low'],
              description: 'lead: the name of the row; low: hidden when narrow.',
            },
          },
        },
      },
      sort: {
        title: 'Unit',
        type: 'object',
        required: ['path'],
        additionalProperties: false,
        properties: { path: place, initial: { title: 'SortName', type: 'string', pattern: '^-?[A-Za-z0-9]+$' } },
      },
      paging,
      filteredBy: {
        type: 'array',
        items: place,
        description: 'Places whose values narrow the list: an empty list then says "no match".',
      },
      empty: { ...emptyState, description: 'Shown when there is nothing yet.' },
      noMatch: { ...emptyState, description: 'Shown when search or filters match nothing.' },
      menu: { ...menuItems, description: 'Actions on one row.' },
      menuLabel: { ...text, description: 'Accessible name of the row menu; its values read row.' },
      export: { type: 'boolean', description: 'True to allow a CSV of the whole current filter (effect download).' },
      dense: { type: 'boolean', description: 'True for a table without frame inside a card.' },
    },
  },
  rules: { calls: true, isTable: true },
  example: [
    {
      type: 'table',
      id: 'customers',
      label: 'example.customers',
      rows: 'data.customers.Result.Items',
      key: 'Id',
      columns: [
        { id: 'name', title: 'example.name', path: 'row.Name' },
        { id: 'status', title: 'example.status', path: 'row.Status', catalogue: 'example' },
        { id: 'spend', title: 'example.spend', path: 'row.Spend', format: 'currency' },
      ],
      empty: { title: 'example.nothing' },
    },
  ],
} as const satisfies NodeKind;
