import { catalogue, common, condition, format, icon, kind, link, nodes, path, requires, text } from './primitives.ts';

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
  description: 'A short mark: a text, or an entry of a catalogue.',
  type: 'object',
  required: ['type'],
  additionalProperties: false,
  properties: { type: { const: 'badge' }, ...common, text, path, kind, catalogue },
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
