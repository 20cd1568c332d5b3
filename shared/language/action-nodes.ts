import { menuItems, paging } from './data-nodes.ts';
import {
  address,
  catalogue,
  common,
  condition,
  effects,
  externalAddress,
  icon,
  name,
  nodes,
  path,
  rows,
  text,
} from './primitives.ts';

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
    items: { ...menuItems, minItems: 1 },
  },
} as const;

/**
 * Does something by itself. Reading a page never acts (RFC 9110, section 9.2.1): where following a link does, its page
 * has a task, which a program that only reads never runs.
 */
export const task = {
  description: 'Runs its effects once, as soon as it is seen; when they fail it says so and offers another try.',
  type: 'object',
  required: ['type', 'on', 'children'],
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
    on: {
      title: 'Handlers',
      type: 'object',
      required: ['open'],
      additionalProperties: false,
      properties: { open: effects },
    },
    children: { ...nodes, description: 'Shown until then and afterwards; what changes in them is read out.' },
  },
} as const;

/** Items of which one is pressed (document 1, section 2.5, select product). */
export const choices = {
  description: 'Items of which one is pressed; those that cannot be are dimmed and say why.',
  type: 'object',
  required: ['type', 'id', 'label', 'rows', 'key', 'title', 'empty', 'on'],
  additionalProperties: false,
  properties: {
    type: { const: 'choices' },
    ...common,
    label: { ...text, description: 'Accessible name of the list.' },
    rows,
    key: { ...name, title: 'KeyName', description: 'Field of an item that identifies it.' },
    icon: { ...path, description: 'Path of an icon name.' },
    title: path,
    detail: path,
    status: path,
    catalogue: { ...catalogue, description: 'Words and shapes for the codes that status holds.' },
    mark: { ...path, description: 'Items where this is true carry markText.' },
    markText: text,
    disabledWhen: { ...condition, description: 'Items that cannot be pressed.' },
    paging,
    empty: text,
    on: {
      title: 'Handlers',
      type: 'object',
      required: ['press'],
      additionalProperties: false,
      properties: { press: { ...effects, description: 'Run with the item as row.' } },
    },
  },
} as const;
