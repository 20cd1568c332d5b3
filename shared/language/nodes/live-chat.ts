import type { NodeKind } from '../node-kind.ts';
import { common, effects, text } from '../primitives.ts';

/**
 * The live chat of support in a frame (document 1, section 1). It stands on the screen `/live-chat/{ticket}` alone, which
 * the command `site.live-chat` leads to: that page alone may frame the chat, once.
 */
export const liveChatKind = {
  schema: {
    description: 'The live chat of support in a frame, on a page of its own.',
    short: { head: 'label', defaults: { testId: { name: '{id}', style: 'hyphens' } } },
    type: 'object',
    required: ['type', 'id', 'label', 'over', 'late'],
    additionalProperties: false,
    properties: {
      type: { const: 'live-chat' },
      ...common,
      label: { ...text, description: 'Name of the frame; stands beside the address of the chat.' },
      over: { ...text, description: 'Said in its place where the page was opened already, or is too old.' },
      late: { ...text, description: 'Said above the frame where the chat has not answered within ten seconds.' },
      again: { ...text, description: 'Button beside both, which runs `on.again`.' },
      on: {
        title: 'Handlers',
        type: 'object',
        additionalProperties: false,
        properties: { again: { ...effects, description: 'Opens the chat anew.' } },
      },
    },
  },
  example: [{ 'live-chat': 'example.title', id: 'chat', over: 'example.none', late: 'example.none' }],
} as const satisfies NodeKind;
