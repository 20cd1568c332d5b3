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
} from './primitives.ts';

const emptyState = {
  title: 'Unit',
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

/** Pages of a list that the server cuts; its operation gets page and size. */
export const paging = {
  title: 'Unit',
  description: 'Pages that the operation cuts.',
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

/**
 * The one list of the product: server paging, sort, search and filters kept in the address, column choice,
 * row menu, selection with bulk actions, export of the current filter, cards on a phone, three empty states.
 */
export const table = {
  description: 'A list with paging, sort, row menu, export, cards on a phone and its empty states.',
  type: 'object',
  required: ['type', 'id', 'label', 'rows', 'key', 'columns', 'empty'],
  additionalProperties: false,
  properties: {
    type: { const: 'table' },
    ...common,
    label: { ...text, description: 'Accessible name of the table.' },
    rows,
    key: { ...name, title: 'KeyName', description: 'Field of an item that identifies it.' },
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
          icon: { ...path, description: 'Path of an icon name shown before the value.' },
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
} as const;

/** Items with an icon, a title, a quieter second line, a status and an action. */
export const list = {
  description: 'Items with an icon, a title, a second line and a status.',
  type: 'object',
  required: ['type', 'label', 'rows', 'key', 'title', 'empty'],
  additionalProperties: false,
  properties: {
    type: { const: 'list' },
    ...common,
    label: { ...text, description: 'Accessible name of the list.' },
    rows,
    key: { ...name, title: 'KeyName' },
    icon: { ...path, description: 'Path of an icon name.' },
    title: path,
    detail: path,
    at: { ...path, description: 'Path of a date, shown friendly.' },
    status: path,
    catalogue,
    to: link,
    limit: { type: 'integer', minimum: 1, maximum: 100, description: 'Shown at first; the rest after "Show more".' },
    empty: text,
  },
} as const;

/**
 * Figures as bars (stacked, where there are several series) or lines, with a legend. Who cannot see them reads the same
 * figures in `table`, so that no chart stands without one. Six series are told apart by colour, pattern and shape.
 */
export const chart = {
  description: 'Figures as bars or lines, with a legend; a table of the document has the same figures.',
  type: 'object',
  required: ['type', 'label', 'look', 'rows', 'title', 'figure', 'table', 'empty'],
  additionalProperties: false,
  properties: {
    type: { const: 'chart' },
    ...common,
    label: { ...text, description: 'Accessible name, and that of the only series.' },
    look: { enum: ['bars', 'lines'] },
    rows: { ...rows, description: 'Path of the points of one series or, with labels, of a list of series.' },
    title: { ...path, description: 'Path of what an item is called: a point or, with labels, a series.' },
    figure: { ...path, description: 'Path of its number or, with labels, of a list of numbers, one for each label.' },
    labels: { ...path, description: 'Path of a list: what the points of all series are called.' },
    labelFormat: { ...format, description: 'How what a point is called is written.' },
    format,
    table: { title: 'TableName', type: 'string', description: 'Id of the table that has the same figures.' },
    empty: { ...emptyState, description: 'Shown when there are no figures.' },
  },
} as const;

/** The notification bell of the header: badge, dropdown, mark as read. */
export const bell = {
  description: 'The notification bell: badge with the unread count, dropdown with the newest, mark as read.',
  type: 'object',
  required: ['type', 'id', 'label', 'count', 'rows', 'key', 'at', 'title', 'empty'],
  additionalProperties: false,
  properties: {
    type: { const: 'bell' },
    ...common,
    label: { ...text, description: 'Accessible name; interpolates {{count}}.' },
    heading: text,
    count: path,
    rows,
    key: { ...name, title: 'KeyName' },
    at: path,
    title: path,
    detail: path,
    status: { ...path, description: 'Path of what kind of note it is.' },
    catalogue: { ...catalogue, description: 'Symbols and words for the kinds that status holds.' },
    isNew: condition,
    filter: { ...place, description: 'Where the choice between new, read and all is kept.' },
    newText: text,
    readText: text,
    allText: { ...text, description: 'Offers all, too.' },
    markText: text,
    markAllText: text,
    limit: { type: 'integer', minimum: 1, maximum: 20, description: 'Shown at first; the rest after "Show more".' },
    moreText: text,
    lessText: text,
    empty: text,
    on: {
      title: 'Handlers',
      type: 'object',
      additionalProperties: false,
      properties: { mark: effects, markAll: effects },
    },
  },
} as const;
