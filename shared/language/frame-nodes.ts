import { common, condition, link, name, nodes, path, place, requires, rows, text } from './primitives.ts';

/** A titled part of a screen. */
export const section = {
  description: 'A titled part of a screen.',
  type: 'object',
  required: ['type', 'children'],
  additionalProperties: false,
  properties: {
    type: { const: 'section' },
    ...common,
    title: text,
    maxHeight: { type: 'integer', minimum: 100, description: 'Of the content, in px; what is longer scrolls.' },
    children: nodes,
  },
} as const;

/** A framed part: title, count, actions at its end, content. */
export const card = {
  description: 'A framed part with a title, an optional count and actions.',
  type: 'object',
  required: ['type', 'children'],
  additionalProperties: false,
  properties: {
    type: { const: 'card' },
    ...common,
    icon: { ...path, description: 'Path of an icon name, shown before the title.' },
    title: text,
    count: path,
    actions: nodes,
    to: { ...link, description: 'Where "all of it" is; shown with moreText at the end of the head.' },
    moreText: text,
    flush: { type: 'boolean', description: 'True where the content brings its own padding (lists, tables).' },
    children: nodes,
  },
} as const;

/** Children side by side, below each other on narrow pages. */
export const columns = {
  description: 'Children side by side; below each other on narrow pages.',
  type: 'object',
  required: ['type', 'children'],
  additionalProperties: false,
  properties: {
    type: { const: 'columns' },
    ...common,
    shape: {
      enum: ['main', 'even', 'side', 'cards'],
      description: 'main: wide then narrow; side: narrow then wide; even: equal; cards: as many as there is room for.',
    },
    children: nodes,
  },
} as const;

export const stack = {
  description: 'Children below each other.',
  type: 'object',
  required: ['type', 'children'],
  additionalProperties: false,
  properties: {
    type: { const: 'stack' },
    ...common,
    tight: { type: 'boolean', description: 'Less space between.' },
    children: nodes,
  },
} as const;

export const toolbar = {
  description: 'Search, filters and actions above a list; `end` stands at the far side.',
  type: 'object',
  required: ['type', 'children'],
  additionalProperties: false,
  properties: { type: { const: 'toolbar' }, ...common, end: nodes, children: nodes },
} as const;

/** Parts of which one is seen at a time; the choice is kept in the address or on the page. */
export const tabs = {
  description: 'Parts of which one is seen at a time.',
  type: 'object',
  required: ['type', 'path', 'label', 'tabs'],
  additionalProperties: false,
  properties: {
    type: { const: 'tabs' },
    ...common,
    path: place,
    label: { ...text, description: 'Accessible name of the tab list.' },
    tabs: {
      title: 'Units',
      type: 'array',
      minItems: 1,
      maxItems: 30,
      items: {
        type: 'object',
        required: ['id', 'title', 'children'],
        additionalProperties: false,
        properties: {
          id: name,
          requires,
          when: condition,
          testId: common.testId,
          title: text,
          count: path,
          children: nodes,
        },
      },
    },
  },
} as const;

/** A template drawn once per item of a list. */
export const repeat = {
  description: 'A template drawn once per item of a list.',
  type: 'object',
  required: ['type', 'rows', 'key', 'children'],
  additionalProperties: false,
  properties: {
    type: { const: 'repeat' },
    ...common,
    rows,
    key: { ...name, title: 'KeyName', description: 'Field of an item that identifies it.' },
    children: nodes,
  },
} as const;
