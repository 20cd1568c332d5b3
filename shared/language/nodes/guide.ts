import type { NodeKind } from '../node-kind.ts';
import { catalogue, common, condition, link, nodes, path, requires, text, textValues } from '../primitives.ts';

/**
 * A card of things to set up, in order (document 2, section 2, integration guide card). Each is ticked by a value that the
 * server found, and by nothing that is pressed. It opens and closes, and how it was left is kept on the device; until it
 * was pressed it is open while something is left to do.
 */
export const guideKind = {
  schema: {
    description: 'A card that opens and closes, with numbered things to do that are ticked by what the server finds.',
    short: { head: 'title', defaults: { testId: { name: '{id}', style: 'hyphens' } } },
    type: 'object',
    required: ['type', 'id', 'title', 'steps'],
    additionalProperties: false,
    properties: {
      type: { const: 'guide' },
      ...common,
      title: text,
      heading: { ...text, description: 'Stands above what it is about.' },
      text: { ...text, description: 'What it is about.' },
      status: { ...path, description: 'Path of how all of it stands.' },
      catalogue: { ...catalogue, description: 'Words and shapes for the codes that status holds.' },
      steps: {
        title: 'Units',
        type: 'array',
        minItems: 1,
        maxItems: 20,
        description: 'What there is to do, in order.',
        items: {
          type: 'object',
          required: ['title', 'text', 'done'],
          additionalProperties: false,
          properties: {
            requires,
            title: text,
            text,
            values: { ...textValues, description: 'Values that the texts of this step interpolate, by name.' },
            done: { ...condition, description: 'Holds where it is done, by data of the server.' },
            to: { ...link, description: 'Where it is done; needs linkText.' },
            linkText: text,
          },
        },
      },
      children: { ...nodes, description: 'What stands at the end: an ending text, a link, a button that looks again.' },
    },
  },
  rules: { ownWords: ['guide'] },
  example: [
    {
      guide: 'example.title',
      id: 'set-up',
      heading: 'example.latest',
      text: 'example.text',
      status: 'data.one.Status',
      catalogue: 'example',
      steps: [
        { title: 'example.name', text: 'example.text', done: { path: 'data.one.Status', is: 'Active' } },
        {
          title: 'example.email',
          text: 'example.text',
          done: { path: 'data.one.Status', is: 'Failed' },
          to: '/docs/layout',
          linkText: 'example.all',
        },
      ],
      children: [{ text: 'example.note', look: 'quiet' }],
    },
  ],
} as const satisfies NodeKind;
