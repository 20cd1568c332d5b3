import type { NodeKind } from '../node-kind.ts';
import { common, effects, fieldNodes, path, text } from '../primitives.ts';

/**
 * Values that are typed, checked and sent. `form` names the form document that holds the fields and that the
 * operation or command of `submit` declares as its body; without it the fields stand in `children`.
 */
export const formKind = {
  schema: {
    description: 'Values that are typed, checked and sent.',
    short: {
      head: 'form',
      defaults: {
        id: { name: '{form}', style: 'hyphens' },
        testId: { name: '{id}-form', style: 'hyphens' },
        submit: { ownText: 'submit' },
        busy: { beside: 'submit', adds: 'Busy', ifThere: true },
        errorTitle: { beside: 'submit', adds: 'Failed', ifThere: true },
        cancel: { namedText: 'cancel', within: 'popup', elseText: 'runtime.confirm.cancel' },
      },
    },
    type: 'object',
    required: ['type', 'id', 'submit', 'on'],
    additionalProperties: false,
    properties: {
      type: { const: 'form' },
      ...common,
      form: {
        title: 'FormName',
        type: 'string',
        pattern: '^[a-z][a-z0-9-]*$',
        description: 'Id of the form document.',
      },
      initial: { ...path, title: 'InitialPath', description: 'Object whose fields are the first values.' },
      submit: { ...text, description: 'Text of the submit button.' },
      busy: { ...text, description: 'Its text while submitting.' },
      cancel: { ...text, description: 'Text of the second button; needs on.cancel.' },
      danger: { type: 'boolean' },
      large: { type: 'boolean', description: 'True for the roomy form of the sign-in card.' },
      twoColumns: { type: 'boolean' },
      pristine: {
        type: 'boolean',
        description:
          'Whether unchanged values may be submitted; absent: unless there are initial ones. With false nothing is sent while all is blank.',
      },
      errorTitle: { ...text, description: 'Heading of the alert that shows what the server said.' },
      children: fieldNodes,
      on: {
        title: 'Handlers',
        short: { bare: 'submit', defaults: { cancel: { is: [{ do: 'close-popup' }], within: 'popup' } } },
        type: 'object',
        required: ['submit'],
        additionalProperties: false,
        properties: { submit: effects, cancel: effects },
      },
    },
  },
  rules: {
    calls: true,
    form: 'opens',
    handlerTexts: ['cancel'],
    either: { names: ['form', 'children'], says: 'A form has either "form" (a form document) or "children".' },
  },
  example: [
    {
      type: 'form',
      id: 'form',
      submit: 'example.save',
      children: [
        { field: 'Name' },
        { field: 'Email?', regex: '^[^@ ]+@[^@ ]+$', invalidMessage: 'example.wrongEmail' },
      ],
      on: { submit: [{ command: 'example.save' }, { toast: 'example.saved' }] },
      initial: 'data.one',
    },
  ],
} as const satisfies NodeKind;
