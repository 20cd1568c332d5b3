import type { NodeKind } from '../node-kind.ts';
import { common, nodes, path, rows, text } from '../primitives.ts';

/**
 * A policy in sections (document 1, section 3): headers, paragraphs and lists, with links that jump to the anchored ones.
 * What the sections say is text and nothing else. One of type 1 (custom) stands for `children`.
 */
export const policyKind = {
  schema: {
    description: 'A policy in sections, with links that jump to them.',
    short: { head: 'rows', defaults: { testId: { name: '{rows}', style: 'hyphens' } } },
    type: 'object',
    required: ['type', 'rows', 'label', 'typePath', 'content'],
    additionalProperties: false,
    properties: {
      type: { const: 'policy' },
      ...common,
      rows: { ...rows, description: 'Path of the sections.' },
      label: { ...text, description: 'Accessible name of the links.' },
      typePath: { ...path, description: 'Path of the type: 1 custom, 2 header, 3 content, 4 sub-content, 5 list.' },
      content: { ...path, description: 'Path of the text; the items of a list stand between "|".' },
      number: { ...path, description: 'Path of what stands before the text, such as "2.1".' },
      anchor: { ...path, description: 'Path of the name of a section that links lead to.' },
      anchorText: { ...path, description: 'Path of the text of such a link.' },
      nesting: { ...path, description: 'Path of the level: each is 10 pixels further in.' },
      children: { ...nodes, description: 'What stands where a section is of type 1 (custom).' },
    },
  },
  example: [
    {
      policy: 'data.policy.Rows',
      label: 'example.sections',
      typePath: 'row.Type',
      content: 'row.Content',
      number: 'row.ContentLabel',
      anchor: 'row.AnchorValue',
      anchorText: 'row.AnchorText',
      nesting: 'row.NestingLevel',
    },
  ],
} as const satisfies NodeKind;
