import type { NodeKind } from '../node-kind.ts';
import { common, path, text } from '../primitives.ts';

/** A QR code of a text, drawn in the browser: no picture is loaded from anywhere. */
export const qrCodeKind = {
  schema: {
    description: 'A QR code of a text, drawn in the browser.',
    short: { head: 'path' },
    type: 'object',
    required: ['type', 'path', 'label'],
    additionalProperties: false,
    properties: {
      type: { const: 'qr-code' },
      ...common,
      path: { ...path, description: 'Path of the text that it holds.' },
      label: { ...text, description: 'What it is for, for those who do not see it.' },
    },
  },
  example: [{ 'qr-code': 'data.one.Address', label: 'example.qr' }],
} as const satisfies NodeKind;
