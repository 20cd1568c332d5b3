import {
  catalogue,
  common,
  condition,
  format,
  icon,
  kind,
  link,
  nodes,
  path,
  requires,
  rows,
  text,
} from './primitives.ts';

export const heading = {
  description: 'A heading inside a part.',
  type: 'object',
  required: ['type', 'text'],
  additionalProperties: false,
  properties: { type: { const: 'heading' }, ...common, text, level: { enum: [2, 3] } },
} as const;

/** A paragraph: a text, or a value read from a path. */
export const textNode = {
  description: 'A paragraph: a text, or a value.',
  type: 'object',
  required: ['type'],
  additionalProperties: false,
  properties: {
    type: { const: 'text' },
    ...common,
    text,
    path,
    format,
    look: { enum: ['plain', 'quiet', 'lead'] },
  },
} as const;

/** HTML from the cloud, sanitised on the server. */
export const html = {
  description: 'HTML from the cloud; the server sanitises it before it leaves.',
  type: 'object',
  required: ['type', 'path'],
  additionalProperties: false,
  properties: { type: { const: 'html' }, ...common, path: { ...path, title: 'HtmlPath' } },
} as const;

export const alert = {
  description: 'A message in place.',
  type: 'object',
  required: ['type', 'kind', 'text'],
  additionalProperties: false,
  properties: { type: { const: 'alert' }, ...common, kind, title: text, text, actions: nodes },
} as const;

export const badge = {
  description: 'A short mark: the entry of a catalogue for a value, else the value itself.',
  type: 'object',
  required: ['type', 'path'],
  additionalProperties: false,
  properties: { type: { const: 'badge' }, ...common, path, catalogue },
} as const;

/** A status of the product: shape and word, from a catalogue. */
export const status = {
  description: 'A status: shape and word, by the entry of a catalogue.',
  type: 'object',
  required: ['type', 'path', 'catalogue'],
  additionalProperties: false,
  properties: { type: { const: 'status' }, ...common, path, catalogue },
} as const;

/** Label and value pairs; as a ledger, one strip of figures. */
export const facts = {
  description: 'Label and value pairs; as a ledger, one strip of figures.',
  type: 'object',
  required: ['type', 'items'],
  additionalProperties: false,
  properties: {
    type: { const: 'facts' },
    ...common,
    look: { enum: ['list', 'stacked', 'ledger'] },
    items: {
      title: 'Units',
      type: 'array',
      minItems: 1,
      maxItems: 60,
      items: {
        type: 'object',
        required: ['label', 'path'],
        additionalProperties: false,
        properties: {
          requires,
          when: condition,
          testId: common.testId,
          label: text,
          path,
          format,
          catalogue,
          to: link,
          note: text,
          values: common.values,
        },
      },
    },
  },
} as const;

/** A QR code of a text, drawn in the browser: no picture is loaded from anywhere. */
export const qrCode = {
  description: 'A QR code of a text, drawn in the browser.',
  type: 'object',
  required: ['type', 'path', 'label'],
  additionalProperties: false,
  properties: {
    type: { const: 'qr-code' },
    ...common,
    path: { ...path, description: 'Path of the text that it holds.' },
    label: { ...text, description: 'What it is for, for those who do not see it.' },
  },
} as const;

/** What stands where nothing is: an icon, a sentence, what to do. */
export const empty = {
  description: 'What stands where nothing is, and what to do about it.',
  type: 'object',
  required: ['type', 'title'],
  additionalProperties: false,
  properties: {
    type: { const: 'empty' },
    ...common,
    icon,
    kind,
    level: { enum: [1, 2] },
    title: text,
    text,
    actions: nodes,
  },
} as const;

/**
 * A policy in sections (document 1, section 3): headers, paragraphs and lists, with links that jump to the anchored ones.
 * What the sections say is text and nothing else. One of type 1 (custom) stands for `children`.
 */
export const policy = {
  description: 'A policy in sections, with links that jump to them.',
  type: 'object',
  required: ['type', 'rows', 'label', 'kind', 'content'],
  additionalProperties: false,
  properties: {
    type: { const: 'policy' },
    ...common,
    rows: { ...rows, description: 'Path of the sections.' },
    label: { ...text, description: 'Accessible name of the links.' },
    kind: { ...path, description: 'Path of the type: 1 custom, 2 header, 3 content, 4 sub-content, 5 list.' },
    content: { ...path, description: 'Path of the text; the items of a list stand between "|".' },
    number: { ...path, description: 'Path of what stands before the text, such as "2.1".' },
    anchor: { ...path, description: 'Path of the name of a section that links lead to.' },
    anchorText: { ...path, description: 'Path of the text of such a link.' },
    nesting: { ...path, description: 'Path of the level: each is 10 pixels further in.' },
    children: { ...nodes, description: 'What stands where a section is of type 1 (custom).' },
  },
} as const;
