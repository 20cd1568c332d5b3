import type { NodeKind } from '../node-kind.ts';
import { common, effects, nodes, path } from '../primitives.ts';

/**
 * Does something by itself. Reading a page never acts (RFC 9110, section 9.2.1): where following a link does, its page
 * has a task, which a program that only reads never runs.
 */
export const taskKind = {
  schema: {
    description: 'Runs its effects once, as soon as it is seen; when they fail it says so and offers another try.',
    short: { head: 'children' },
    type: 'object',
    required: ['type', 'on'],
    additionalProperties: false,
    properties: {
      type: { const: 'task' },
      ...common,
      after: {
        type: 'integer',
        minimum: 0,
        maximum: 60_000,
        description: 'Milliseconds to wait first; a task that is gone by then does nothing.',
      },
      once: {
        ...path,
        description: 'It runs once for each value of this path, in a browser and for a user; after that it is nothing.',
      },
      unasked: {
        type: 'boolean',
        description:
          'True for what nobody has asked for: it waits until there is no form and no wizard on the page, and nothing over it.',
      },
      on: {
        title: 'Handlers',
        short: { bare: 'open' },
        type: 'object',
        required: ['open'],
        additionalProperties: false,
        properties: { open: effects },
      },
      children: { ...nodes, description: 'Shown until then and afterwards; what changes in them is read out.' },
    },
  },
  example: [
    {
      task: [{ text: 'example.looked', when: { 'state.done': true } }],
      id: 'look',
      after: 500,
      on: [{ set: 'state.done', value: true }],
    },
    {
      task: [{ text: 'example.gone' }],
      id: 'ask',
      after: 3000,
      once: 'state.done',
      unasked: true,
      on: [{ toast: 'example.gone' }],
    },
  ],
} as const satisfies NodeKind;
