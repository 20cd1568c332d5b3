import type { NodeKind } from '../node-kind.ts';
import { common, condition, name, nodes, path, place, requires, text } from '../primitives.ts';

/** Parts of which one is seen at a time; the choice is kept in the address or on the page. */
export const tabsKind = {
  schema: {
    description: 'Parts of which one is seen at a time.',
    short: { head: 'tabs', defaults: { label: { heading: true } } },
    type: 'object',
    required: ['type', 'path', 'label', 'tabs'],
    additionalProperties: false,
    properties: {
      type: { const: 'tabs' },
      ...common,
      path: place,
      label: { ...text, description: 'Accessible name of the tab list.' },
      tabs: {
        title: 'Units',
        type: 'array',
        minItems: 1,
        maxItems: 30,
        items: {
          short: {
            pair: ['title', 'children'],
            defaults: { id: { name: '{title}', style: 'hyphens' }, testId: { name: 'tab-{id}', style: 'hyphens' } },
          },
          type: 'object',
          required: ['id', 'title', 'children'],
          additionalProperties: false,
          properties: {
            id: name,
            requires,
            when: condition,
            testId: common.testId,
            title: text,
            count: path,
            children: nodes,
          },
        },
      },
    },
  },
  rules: { ownWords: ['tabs'], choices: { path: { each: 'tabs', value: 'id' } } },
  example: [
    {
      tabs: [
        { 'example.users-tab': [{ text: 'example.hello' }], id: 'users' },
        { 'example.billing-tab': [{ text: 'example.text' }], id: 'billing' },
      ],
      path: 'route.tab',
      label: 'example.company',
    },
  ],
} as const satisfies NodeKind;
