import type { NodeKind } from '../node-kind.ts';
import {
  catalogue,
  common,
  condition,
  effects,
  format,
  icon,
  link,
  name,
  nodes,
  path,
  place,
  requires,
  rows,
  text,
} from '../primitives.ts';
import { emptyState, iconOfVerb, keyName, paging, rowMenuItems } from '../shapes.ts';

/** One call, made once for each row. */
const callOfRow = { ...effects, minItems: 1, maxItems: 1 } as const;

/** What can be done with several rows at once. */
const bulkActions = {
  title: 'Units',
  description:
    'What can be done with several rows at once, which then have boxes to choose them by: one call for each row, a result for each, and another try of those that failed.',
  type: 'array',
  maxItems: 10,
  items: {
    short: {
      defaults: {
        id: { name: '{text}', style: 'hyphens' },
        testId: { name: 'bulk-{id}', style: 'hyphens' },
        icon: iconOfVerb,
        question: { beside: 'text', adds: 'Question' },
        explanation: { beside: 'text', adds: 'Explanation', ifThere: true },
        leftOut: { beside: 'text', adds: 'LeftOut', ifThere: true },
      },
    },
    type: 'object',
    required: ['id', 'text', 'question', 'on'],
    additionalProperties: false,
    properties: {
      id: common.id,
      requires,
      when: { ...condition, description: 'The rows that it is for, read as row.…; the others are left out.' },
      testId: common.testId,
      text,
      icon,
      danger: { type: 'boolean', description: 'True for what cannot be undone.' },
      question: { ...text, description: 'Asked before it begins; reads count, the number of rows.' },
      explanation: { ...text, description: 'What follows from it.' },
      leftOut: { ...text, description: 'Why rows that do not meet `when` are left out.' },
      reasons: {
        title: 'Units',
        description:
          'Why a row is left out, where there are several reasons: the first whose `when` it meets is told of it.',
        type: 'array',
        maxItems: 10,
        items: {
          type: 'object',
          required: ['when', 'text'],
          additionalProperties: false,
          properties: {
            requires,
            when: { ...condition, description: 'The rows that it is told of, read as row.….' },
            text,
          },
        },
      },
      notes: {
        title: 'Units',
        description: 'What is told of rows before it begins, each of those whose `when` a row meets.',
        type: 'array',
        maxItems: 10,
        items: {
          type: 'object',
          required: ['text'],
          additionalProperties: false,
          properties: {
            requires,
            when: { ...condition, description: 'The rows that it is told of, read as row.….' },
            text,
            values: common.values,
          },
        },
      },
      on: {
        title: 'Handlers',
        type: 'object',
        required: ['each'],
        additionalProperties: false,
        properties: {
          each: { ...callOfRow, description: 'The call for one row.' },
          undo: { ...callOfRow, description: 'The call that takes it back, for one row for which it was done.' },
        },
      },
    },
  },
} as const;

/** Where the address keeps what else a view is, besides filters, order and page size. */
const view = {
  title: 'Unit',
  description: 'Where the address keeps how the table is shown. With it people name views and pick them again.',
  type: 'object',
  required: ['hidden', 'density'],
  additionalProperties: false,
  properties: {
    hidden: { ...place, description: 'Place of the columns that are hidden.' },
    density: { ...place, description: 'Place of the height of rows: compact or comfortable.' },
  },
} as const;

/**
 * The one list of the product: server paging, sort, search and filters kept in the address, column choice,
 * row menu, selection with bulk actions, export of the current filter, cards on a phone, three empty states.
 */
export const tableKind = {
  schema: {
    description: 'A list with paging, sort, row menu, export, cards on a phone and its empty states.',
    short: {
      head: 'rows',
      defaults: {
        id: { known: 'source', of: 'rows' },
        testId: { name: '{id}-table', style: 'hyphens' },
        label: { heading: true },
        key: { known: 'key', of: 'rows' },
        filteredBy: { known: 'filters', of: 'rows' },
      },
    },
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
          short: {
            bare: 'path',
            ofRow: 'path',
            ifOptional: { of: 'path', gives: 'priority', is: 'low' },
            pair: ['title', 'path'],
            defaults: {
              id: { name: '{path}', style: 'camel' },
              title: { text: 'id' },
              catalogue: { known: 'catalogue', of: 'path' },
              format: { known: 'format', of: 'path', unless: 'catalogue' },
              detailFormat: { known: 'format', of: 'detail' },
              sort: { known: 'sort', of: 'path' },
              priority: { ofFirst: 'lead' },
            },
          },
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
            detailFormat: { ...format, description: 'How the second line is written.' },
            detailTitle: {
              ...text,
              description: 'Heading of the second line, which has a column of its own in an export.',
            },
            iconPath: { ...path, description: 'Path of an icon name shown before the value.' },
            avatar: { type: 'boolean', description: 'True to show the initials before the value.' },
            to: link,
            total: { ...path, description: 'Sum of the column over all rows of the list, whatever page is shown.' },
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
        short: { bare: 'initial', defaults: { path: { known: 'order' } } },
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
      noMatch: {
        ...emptyState,
        short: {
          defaults: { title: { namedText: 'noMatch' }, text: emptyState.short.defaults.text, icon: { is: 'search' } },
        },
        description: 'Shown when search or filters match nothing.',
      },
      view,
      bulk: bulkActions,
      chosenKeys: { ...place, description: 'Place of the keys of the chosen rows, separated by commas.' },
      chosenActions: {
        ...nodes,
        maxItems: 5,
        description: 'Buttons for the chosen rows together, beside those of "bulk".',
      },
      menu: { ...rowMenuItems, description: 'Actions on one row.' },
      menuLabel: { ...text, description: 'Accessible name of the row menu; its values read row.' },
      export: {
        type: 'boolean',
        description: 'True to allow a file of the whole current filter, as CSV or a workbook (effect download).',
      },
      dense: { type: 'boolean', description: 'True for a table without frame inside a card.' },
    },
  },
  rules: { calls: true, isTable: true, beyondPage: 'bulk', ownValues: ['count'], ownWords: ['table', 'bulk', 'view'] },
  example: [
    { toolbar: [{ type: 'search', path: 'route.search', label: 'example.searching' }], table: 'customers' },
    {
      table: 'data.customers.Items',
      label: 'example.customers',
      columns: ['Name', { path: 'Status', catalogue: 'example' }, 'Spend'],
      filteredBy: ['route.search'],
      view: { hidden: 'route.hidden', density: 'route.density' },
      bulk: [
        {
          id: 'remove-chosen',
          text: 'example.remove',
          icon: 'trash',
          danger: true,
          question: 'example.removeChosen',
          when: { 'row.Status': 'Off' },
          reasons: [{ when: { 'row.Status': 'On' }, text: 'example.nothing' }],
          notes: [{ when: { 'row.Spend': { atLeast: 1 } }, text: 'example.removes', values: { name: 'row.Name' } }],
          on: { each: { call: 'example.remove', with: ['row.Id'] } },
        },
      ],
      empty: { title: 'example.nothing' },
    },
  ],
} as const satisfies NodeKind;
