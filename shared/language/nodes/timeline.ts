import type { NodeKind } from '../node-kind.ts';
import { catalogue, common, format, link, path, place, requires, rows, text } from '../primitives.ts';
import { emptyState, keyName, paging } from '../shapes.ts';

/** What happened, newest first, by day: for histories that are read, where a table is for those that are compared. */
export const timelineKind = {
  schema: {
    description: 'What happened, by day: when, what, on what, by whom and how it ended; with pages and empty states.',
    short: {
      head: 'rows',
      defaults: {
        testId: { name: '{rows}-timeline', style: 'hyphens' },
        label: { heading: true },
        key: { known: 'key', of: 'rows' },
        catalogue: { known: 'catalogue', of: 'status' },
        filteredBy: { known: 'filters', of: 'rows' },
      },
    },
    type: 'object',
    required: ['type', 'label', 'rows', 'key', 'at', 'titlePath', 'empty'],
    additionalProperties: false,
    properties: {
      type: { const: 'timeline' },
      ...common,
      label: { ...text, description: 'Accessible name of the list.' },
      rows: { ...rows, description: 'Path of what happened, in the order of time.' },
      key: keyName,
      at: { ...path, description: 'Path of the moment. Its day, in the time zone of the person, heads a group.' },
      titlePath: { ...path, description: 'Path of what happened.' },
      about: { ...path, description: 'Path of what it happened to.' },
      by: { ...path, description: 'Path of who did it.' },
      detail: { ...path, description: 'Path of a second line.' },
      facts: {
        title: 'Units',
        type: 'array',
        maxItems: 10,
        description: 'Further values, each with its label; one without a value is left out.',
        items: {
          short: {
            bare: 'path',
            ofRow: 'path',
            pair: ['label', 'path'],
            defaults: { label: { text: 'path' }, format: { known: 'format', of: 'path' } },
          },
          type: 'object',
          required: ['label', 'path'],
          additionalProperties: false,
          properties: { requires, label: text, path, format },
        },
      },
      status: { ...path, description: 'Path of how it ended.' },
      catalogue: { ...catalogue, description: 'Says the word, the shape and the icon of how it ended.' },
      to: link,
      paging,
      filteredBy: {
        type: 'array',
        items: place,
        description: 'Places whose values narrow the list: an empty list then says "no match".',
      },
      empty: { ...emptyState, description: 'Shown when there is nothing yet.' },
      noMatch: { ...emptyState, description: 'Shown when search or filters match nothing.' },
    },
  },
  rules: { ownWords: ['timeline', 'table'] },
  example: [
    {
      timeline: 'data.customers.Items',
      label: 'example.latest',
      at: 'row.Changed',
      titlePath: 'row.Name',
      facts: ['Users'],
      status: 'row.Status',
      catalogue: 'example',
      empty: { title: 'example.nothing' },
    },
  ],
} as const satisfies NodeKind;
