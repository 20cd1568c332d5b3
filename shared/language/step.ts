import { condition, fieldNodes, name, nodes, requires, text } from './primitives.ts';

/** What is drawn of a step, whether a command or a journey leads to it. */
export const stepProperties = {
  id: name,
  requires,
  when: { ...condition, description: 'The step is left out where this is not met.' },
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
  refuse: {
    title: 'Units',
    type: 'array',
    maxItems: 10,
    description: 'In a journey: what the fields of the step may not be together.',
    items: {
      type: 'object',
      required: ['when', 'field', 'text'],
      additionalProperties: false,
      properties: {
        requires,
        when: { ...condition, description: 'What makes the step wrong as a whole; reads its fields as form.…' },
        field: { ...name, description: 'The field, or the list of rows, that shows it.' },
        text,
      },
    },
  },
  children: fieldNodes,
  aside: {
    ...nodes,
    description: 'What stands beside the fields, such as what an order costs; below them where the page is narrow.',
  },
  bar: {
    ...nodes,
    description: 'What stands in one line above the buttons: with "aside" only where the page is narrow.',
  },
  live: {
    type: 'boolean',
    description:
      'True to ask for what "aside" and "bar" show again as the fields change. A command answers with facts; a journey has "estimate".',
  },
} as const;

/** What is said of a draft. */
export const draftTexts = {
  saved: { ...text, description: 'Said while everything is kept; interpolates {{at}}.' },
  saving: text,
  unsaved: { ...text, description: 'Said when it could not be kept.' },
  changed: { ...text, description: 'Said when it was changed elsewhere meanwhile.' },
  mine: { ...text, description: 'Text of the button that keeps what was typed here.' },
  theirs: { ...text, description: 'Text of the button that shows what was kept elsewhere.' },
} as const;

export const draftTextNames = ['saved', 'saving', 'unsaved', 'changed', 'mine', 'theirs'] as const;
