import { finishHostedPage } from '../../contract/hosted-page.ts';
import type { NodeKind } from '../node-kind.ts';
import { common, effects, text } from '../primitives.ts';

/**
 * The form of another provider in a frame of 500 px, such as that of a card (document 2, section 9). It stands on the
 * screen `/hosted-page/{ticket}` alone, which an operation with `hostedPage` leads to: that page alone may frame the
 * provider, once. What the form answers goes to the operation that `hostedPage` names, and only its reply is believed.
 */
export const hostedPageKind = {
  schema: {
    description: 'The form of another provider in a frame, on a page of its own.',
    short: { head: 'label', defaults: { testId: { name: '{id}', style: 'hyphens' } } },
    type: 'object',
    required: ['type', 'id', 'label', 'over'],
    additionalProperties: false,
    properties: {
      type: { const: 'hosted-page' },
      ...common,
      label: { ...text, description: 'Name of the frame; stands beside the address of the provider.' },
      over: { ...text, description: 'Said in its place where the page was opened already, or is too old.' },
      on: {
        title: 'Handlers',
        type: 'object',
        additionalProperties: false,
        properties: { done: { ...effects, description: 'Once the cloud has taken what the provider answered.' } },
      },
    },
  },
  rules: { calls: true, commands: [finishHostedPage] },
  example: [{ 'hosted-page': 'example.title', id: 'provider', over: 'example.none' }],
} as const satisfies NodeKind;
