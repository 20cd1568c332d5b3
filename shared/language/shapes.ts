import { common, condition, effects, icon, name, nodes, path, place, requires, text } from './primitives.ts';

/** Parts that several node kinds share. */

/** Symbols of what is done often, by the first word of its text's name: `customers.exportAll` has that of a download. */
export const iconOfVerb = {
  words: {
    add: 'plus',
    copy: 'copy',
    delete: 'trash',
    download: 'download',
    export: 'download',
    reactivate: 'play',
    refresh: 'refresh',
    rename: 'pen',
    suspend: 'pause',
  },
  of: 'text',
  at: 'start',
} as const;

export const keyName = {
  ...name,
  title: 'KeyName',
  description: 'Field of an item that identifies it: no two items have the same.',
} as const;

/** Of what stands in a form for one value. */
export const valueName = {
  type: 'string',
  pattern: '^[A-Za-z]+$',
  maxLength: 40,
  description: 'Name of the value in the body.',
} as const;

export const emptyState = {
  title: 'Unit',
  short: { defaults: { title: { namedText: 'none' }, text: { beside: 'title', adds: 'Text', ifThere: true } } },
  type: 'object',
  required: ['title'],
  additionalProperties: false,
  properties: { icon, title: text, text, actions: nodes },
} as const;

/** An entry of a menu: it goes somewhere or does something. */
export const menuItems = {
  title: 'Units',
  type: 'array',
  maxItems: 40,
  items: {
    short: {
      pair: ['text', 'press'],
      defaults: {
        id: { name: '{text}', style: 'hyphens' },
        testId: { name: '{id}', style: 'hyphens' },
        icon: iconOfVerb,
      },
    },
    type: 'object',
    required: ['text', 'on'],
    additionalProperties: false,
    properties: {
      id: common.id,
      requires,
      when: condition,
      testId: common.testId,
      text,
      icon,
      danger: { type: 'boolean', description: 'True for what cannot be undone.' },
      divider: { type: 'boolean', description: 'True to draw a line above.' },
      on: {
        title: 'Handlers',
        type: 'object',
        required: ['press'],
        additionalProperties: false,
        properties: { press: effects },
      },
    },
  },
} as const;

/** Entries of the menu of a row. */
export const rowMenuItems = {
  ...menuItems,
  items: {
    ...menuItems.items,
    short: {
      ...menuItems.items.short,
      defaults: { ...menuItems.items.short.defaults, testId: { name: 'row-{id}', style: 'hyphens' } },
    },
    properties: {
      ...menuItems.items.properties,
      shown: { type: 'boolean', description: 'True for a button of the row itself, in place of an entry of its menu.' },
    },
  },
} as const;

/** Pages of a list that the server cuts; its operation gets page and size. */
export const paging = {
  title: 'Unit',
  description: 'Pages that the operation cuts.',
  short: {
    bare: 'sizes',
    defaults: {
      page: { known: 'page' },
      size: { known: 'size' },
      sizes: { is: [25, 50, 100] },
      total: { known: 'total' },
      exact: { known: 'exact' },
    },
  },
  type: 'object',
  required: ['page', 'size', 'total'],
  additionalProperties: false,
  properties: {
    page: place,
    size: place,
    sizes: {
      type: 'array',
      items: { type: 'integer', minimum: 1, maximum: 100 },
      description: 'Rows per page; the first is the default.',
    },
    total: path,
    exact: { ...path, description: 'False when the total is a lower bound ("10,000+").' },
  },
} as const;

export const resets = {
  type: 'array',
  items: place,
  description: 'Places to clear when the choice changes (the page).',
} as const;
