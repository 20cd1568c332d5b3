import { mostRows } from '../rules/row-letters.ts';
import { paging } from './data-nodes.ts';
import {
  catalogue,
  common,
  condition,
  effects,
  name,
  nodes,
  path,
  place,
  requires,
  rows as rowsPath,
  text,
} from './primitives.ts';

/**
 * The same fields several times, as one adds and removes them: sites, contacts, ranges. A row is written as its fields
 * with the name of the group and its place before theirs (`Sites2Town`), and is there while `Sites2` is true; what a
 * row that was removed held is kept, so that it can be undone. Conditions inside a row name its fields plainly.
 */
export const rows = {
  description: 'The same fields several times, in rows that one adds and removes.',
  type: 'object',
  required: ['type', 'propertyName', 'max', 'label', 'title', 'add', 'remove', 'removed', 'undo', 'children'],
  additionalProperties: false,
  properties: {
    type: { const: 'rows' },
    ...common,
    propertyName: {
      type: 'string',
      pattern: '^[A-Za-z]+$',
      maxLength: 40,
      description: 'Name of the group in the body.',
    },
    min: { type: 'integer', minimum: 0, maximum: mostRows, description: 'Rows that there are at least, and at first.' },
    max: { type: 'integer', minimum: 1, maximum: mostRows, description: 'Rows that there can be.' },
    label: { ...text, description: 'Accessible name of the group.' },
    title: { ...text, description: 'Name of a row; interpolates {{letter}} (A, B, C) and {{number}}.' },
    add: text,
    remove: { ...text, description: 'Text of the button that removes a row; interpolates as the title does.' },
    removed: { ...text, description: 'Said once a row is gone; interpolates as the title does.' },
    undo: text,
    children: nodes,
  },
} as const;

/**
 * Lists between which entries are moved (document 2, section 4, permission popup): those that are selected go from the
 * first list to another one, and back. Every list is a field of kind `list` of the form around: its entries are lines of
 * text in order, and a list of them, or of items with a `key`, where it comes from and goes to. Pattern: WAI-ARIA, listbox.
 */
export const transfer = {
  description: 'Lists between which selected entries are moved, each a field of the form.',
  type: 'object',
  required: ['type', 'label', 'search', 'selectAll', 'selected', 'move', 'moved', 'empty', 'noMatch', 'children'],
  additionalProperties: false,
  properties: {
    type: { const: 'transfer' },
    ...common,
    label: { ...text, description: 'Accessible name of the lists together.' },
    search: { ...text, description: 'Name of the search of a list; interpolates {{list}}, its label.' },
    selectAll: { ...text, description: 'Name of the box that selects all of a list; interpolates {{list}}.' },
    selected: { ...text, description: 'How many of a list are selected; interpolates {{count}} and {{all}}.' },
    move: { ...text, description: 'Text of the button that moves to a list; interpolates {{list}}.' },
    moved: { ...text, description: 'Said once they are moved; interpolates {{count}} and {{list}}.' },
    empty: { ...text, description: 'Said of a list that has none.' },
    noMatch: { ...text, description: 'Said where the search finds none.' },
    children: { ...nodes, minItems: 2, maxItems: 4, description: 'The lists: fields of kind list.' },
  },
} as const;

/**
 * A long list of which many items are ticked, page by page and search by search: what is ticked stays so. The form around
 * sends the keys of those that are. `all` ticks everything that the search finds: its command answers with their `keys`.
 */
export const ticks = {
  description:
    'A long list of which many items are ticked, over its pages and searches; the form around sends their keys.',
  type: 'object',
  required: [
    'type',
    'id',
    'propertyName',
    'label',
    'rows',
    'key',
    'title',
    'search',
    'find',
    'paging',
    'ticked',
    'all',
    'none',
    'empty',
    'on',
  ],
  additionalProperties: false,
  properties: {
    type: { const: 'ticks' },
    ...common,
    propertyName: {
      type: 'string',
      pattern: '^[A-Za-z]+$',
      maxLength: 40,
      description: 'Name of the value in the body.',
    },
    label: { ...text, description: 'Accessible name of the list.' },
    rows: rowsPath,
    key: { ...name, title: 'KeyName', description: 'Field of an item that identifies it.' },
    title: path,
    detail: { ...path, description: 'A second, quieter line.' },
    status: path,
    catalogue: { ...catalogue, description: 'Words and shapes for the codes that status holds.' },
    disabledWhen: { ...condition, description: 'Items that cannot be ticked; they stay readable.' },
    reason: { ...path, description: 'Why an item cannot be ticked, in words.' },
    count: { ...place, description: 'Where it is kept how many are ticked.' },
    search: { ...place, description: 'Where the words are kept by which the list is narrowed.' },
    find: { ...text, description: 'Label of the search.' },
    paging,
    ticked: { ...text, description: 'How many are ticked; interpolates {{count}}.' },
    all: { ...text, description: 'Text of the button that ticks all that are found.' },
    none: { ...text, description: 'Text of the button that unticks all.' },
    empty: { ...text, description: 'Said when nothing is found.' },
    on: {
      title: 'Handlers',
      type: 'object',
      required: ['all'],
      additionalProperties: false,
      properties: { all: { ...effects, maxItems: 1, description: 'The command that names all that are found.' } },
    },
  },
} as const;

/**
 * A wizard that the server leads: a command answers with the step to show (`step`, one of those named here), nodes to
 * show before those of the step itself (`children`) and first values (`values`), and gets what was typed in all steps so
 * far, with the name of the step as `$step`. Steps that it passes over are not shown; one goes back to those that were.
 * Its last answer has effects only. Where something else comes first it answers with effects and `waits`: what was typed
 * is there again when one comes back to the address. What a step asks stands in its `children`; these read the answer as `reply.Result.…`.
 *
 * With `draft` the command keeps what was typed: it gets the values of one step, the `$version` of the draft that they
 * were typed over, and `$to` where one goes without being through; it answers with the steps that there are (`steps`) and
 * the draft (`draft`). `keep` runs a moment after the last change, and its command answers with the draft alone.
 */
export const steps = {
  description: 'A wizard whose steps a command delivers and judges one after another.',
  type: 'object',
  required: ['type', 'id', 'label', 'steps', 'back', 'on'],
  additionalProperties: false,
  properties: {
    type: { const: 'steps' },
    ...common,
    label: { ...text, description: 'Accessible name of the list of steps.' },
    steps: {
      title: 'Units',
      type: 'array',
      minItems: 1,
      maxItems: 12,
      items: {
        title: 'Step',
        type: 'object',
        required: ['id', 'title', 'submit'],
        additionalProperties: false,
        properties: {
          id: name,
          requires,
          when: { ...condition, description: 'Steps that are not on this way.' },
          title: text,
          submit: text,
          busy: text,
          danger: { type: 'boolean' },
          twoColumns: { type: 'boolean' },
          whole: { type: 'boolean', description: 'True to send it only once all that it asks is right.' },
          last: {
            type: 'boolean',
            description: 'True where all is done: none goes back from it, and nothing is unsaved.',
          },
          children: nodes,
        },
      },
    },
    draft: {
      title: 'Unit',
      description: 'There where the command keeps what was typed.',
      type: 'object',
      required: ['saved', 'saving', 'unsaved', 'changed', 'mine', 'theirs'],
      additionalProperties: false,
      properties: {
        saved: { ...text, description: 'Said while everything is kept; interpolates {{at}}.' },
        saving: text,
        unsaved: { ...text, description: 'Said when it could not be kept.' },
        changed: { ...text, description: 'Said when it was changed elsewhere meanwhile.' },
        mine: { ...text, description: 'Text of the button that keeps what was typed here.' },
        theirs: { ...text, description: 'Text of the button that shows what was kept elsewhere.' },
      },
    },
    back: { ...text, description: 'Text of the button that leads to the step before.' },
    actions: { ...nodes, description: 'What else one does at every step, beside its buttons, such as leaving.' },
    words: {
      description: 'Texts that the command puts into what it delivers, by name.',
      type: 'object',
      propertyNames: { pattern: '^[A-Za-z]+$' },
      additionalProperties: text,
    },
    errorTitle: { ...text, description: 'Heading of the alert that shows what the server said.' },
    on: {
      title: 'Handlers',
      type: 'object',
      required: ['step'],
      additionalProperties: false,
      properties: {
        step: { ...effects, maxItems: 1, description: 'The command that leads the way.' },
        keep: { ...effects, maxItems: 1, description: 'The command that keeps what is typed.' },
      },
    },
  },
} as const;
