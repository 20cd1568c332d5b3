import type { NodeKind } from '../node-kind.ts';
import { common, format, name, path, place, requires, rows, text } from '../primitives.ts';
import { resets } from '../shapes.ts';

/** One choice that narrows a list, kept in a place: tabs with counts, or a select. */
export const filterKind = {
  schema: {
    description: 'One choice that narrows a list; kept in a place.',
    short: {
      head: 'path',
      counted: { of: 'path', where: { look: ['tabs', 'segments'] } },
      defaults: {
        testId: { name: '{path}', style: 'hyphens' },
        resets: { known: 'pages', of: 'path' },
        label: { text: 'path' },
        titlePath: { known: 'titlePath', of: 'rows' },
        look: { is: 'select' },
      },
    },
    type: 'object',
    required: ['type', 'path', 'label'],
    additionalProperties: false,
    properties: {
      type: { const: 'filter' },
      ...common,
      path: place,
      label: text,
      look: {
        enum: ['tabs', 'select', 'segments'],
        description:
          'tabs: by what state a page lists its rows; segments: the same inside a tab, or two views of one thing; select: all else.',
      },
      rows: { ...rows, description: 'Further choices, after `options`; `title` reads one of them as row.…' },
      titlePath: { ...path, description: 'What such a choice is called.' },
      format: { ...format, description: 'How the title of such a choice is written.' },
      key: { ...name, title: 'KeyName', description: 'Field of it that is its value; else what it is called.' },
      resets,
      search: {
        title: 'Unit',
        description:
          'Further choices are found by typing: of a list that an operation gives a page of, no other filter is allowed.',
        short: { bare: 'path', defaults: { total: { known: 'total' } } },
        type: 'object',
        required: ['path', 'chosen'],
        additionalProperties: false,
        properties: {
          path: { ...place, description: 'Where what is typed is kept, for the data source that searches.' },
          chosen: { ...path, description: 'What the choice is called that is kept; it need not be among the rows.' },
          total: { ...path, description: 'How many choices there are; where more than are shown, it says so.' },
        },
      },
      follows: {
        ...path,
        description:
          'A value of the address that the choice begins with and follows, where a button takes the choice over into it by `set`.',
      },
      options: {
        title: 'Units',
        type: 'array',
        minItems: 1,
        maxItems: 60,
        items: {
          short: { pair: ['value', 'text'], defaults: { count: { known: 'count', of: 'value' } } },
          type: 'object',
          required: ['value', 'text'],
          additionalProperties: false,
          properties: {
            requires,
            testId: common.testId,
            value: { type: 'string', description: 'Empty for "all".' },
            text,
            count: path,
          },
        },
      },
    },
  },
  rules: {
    role: 'control',
    offersValues: true,
    offersRows: { unless: 'search' },
    ownWords: ['filter'],
    choices: { path: { each: 'options', value: 'value', unless: 'rows' } },
  },
  example: [
    {
      filter: 'route.status',
      look: 'segments',
      options: [{ '': 'example.all' }, { Active: 'example.active' }, { Failed: 'example.failedState' }],
    },
    { type: 'text', path: 'route.status' },
  ],
} as const satisfies NodeKind;
