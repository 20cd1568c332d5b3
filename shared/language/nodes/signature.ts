import type { NodeKind } from '../node-kind.ts';
import { common, nodes, text } from '../primitives.ts';

/**
 * A name drawn with a pointer or typed, as the data URL of a PNG (document 1, section 7, signature image): the value of
 * the field inside, which says what it is called, whether it must be given, and what is said when it is missing.
 */
export const signatureKind = {
  schema: {
    description: 'A name drawn with a pointer or typed: the value of the field inside, as the data URL of a PNG.',
    type: 'object',
    required: ['type', 'typed', 'clear', 'children'],
    additionalProperties: false,
    properties: {
      type: { const: 'signature' },
      ...common,
      typed: { ...text, description: 'Label of the input for those who type their name.' },
      clear: { ...text, description: 'Text of the button that empties it.' },
      children: { ...nodes, minItems: 1, maxItems: 1, description: 'The field: of kind text.' },
    },
  },
  rules: { childFields: { kind: 'text', says: 'The child of a signature is a field of kind text.' } },
  example: [
    {
      type: 'form',
      id: 'sign',
      submit: 'example.save',
      children: [
        {
          type: 'signature',
          typed: 'example.typed',
          clear: 'example.clear',
          children: [{ field: 'Image', label: 'example.signature' }],
        },
      ],
      on: { submit: { toast: 'example.saved' } },
    },
  ],
} as const satisfies NodeKind;
