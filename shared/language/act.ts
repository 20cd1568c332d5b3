import { menuItems } from './data.ts';
import { address, common, condition, effects, externalAddress, icon, text } from './primitives.ts';

/** The spec's button descriptor (document 2, section 3): Action, Text, Style, IsDisabled, DataTestId. */
export const button = {
  description: 'Does something.',
  type: 'object',
  required: ['type', 'text', 'on'],
  additionalProperties: false,
  properties: {
    type: { const: 'button' },
    ...common,
    text,
    icon,
    look: { enum: ['plain', 'primary', 'danger', 'quiet', 'link'] },
    small: { type: 'boolean' },
    busy: { ...text, description: 'Its text while its effects run.' },
    disabledWhen: condition,
    on: {
      title: 'Handlers',
      type: 'object',
      required: ['press'],
      additionalProperties: false,
      properties: { press: effects },
    },
  },
} as const;

export const linkNode = {
  description: 'Goes to a screen, or to an https address outside.',
  type: 'object',
  required: ['type', 'text'],
  additionalProperties: false,
  properties: {
    type: { const: 'link' },
    ...common,
    text,
    to: address,
    external: externalAddress,
    icon,
    look: { enum: ['link', 'button', 'primary'] },
    keep: {
      anyOf: [{ const: true }, { type: 'array', items: { type: 'string' } }],
      description: 'Query parameters of this address to carry along; true for all.',
    },
  },
} as const;

export const menu = {
  description: 'A button that opens a list of actions.',
  type: 'object',
  required: ['type', 'text', 'items'],
  additionalProperties: false,
  properties: {
    type: { const: 'menu' },
    ...common,
    text,
    icon,
    look: { enum: ['plain', 'primary', 'quiet'] },
    items: { ...menuItems, minItems: 1 },
  },
} as const;
