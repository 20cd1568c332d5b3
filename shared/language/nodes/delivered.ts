import { openDelivered, submitDelivered } from '../../contract/delivered-commands.ts';
import type { NodeKind } from '../node-kind.ts';
import { bindings, common, effects, text } from '../primitives.ts';

/**
 * A form or popup that the cloud delivers at run time in the spec's wire form: the dynamic form
 * (`GET /api/dynamicForm/{formId}`) or the generic popup (document 2, section 3). `operations` lists every
 * operation that its paths may resolve to; anything else is refused.
 */
export const deliveredKind = {
  schema: {
    description: 'A dynamic form or generic popup that the cloud delivers at run time.',
    short: { head: 'operation', defaults: { testId: { name: '{id}-form', style: 'hyphens' } } },
    type: 'object',
    required: ['type', 'id', 'model', 'operation', 'operations', 'submit'],
    additionalProperties: false,
    properties: {
      type: { const: 'delivered' },
      ...common,
      model: { enum: ['dynamic-form', 'generic-popup'] },
      operation: { title: 'OperationName', type: 'string', description: 'Operation that delivers the model.' },
      with: bindings,
      operations: {
        type: 'array',
        minItems: 1,
        maxItems: 20,
        items: { title: 'OperationName', type: 'string' },
        description:
          'Operations that the delivered paths may resolve to; for a dynamic form, the one that takes its values.',
      },
      submit: text,
      busy: text,
      cancel: text,
      on: {
        title: 'Handlers',
        type: 'object',
        additionalProperties: false,
        properties: { done: effects, cancel: effects },
      },
    },
  },
  rules: {
    calls: true,
    commands: [openDelivered, submitDelivered],
    reads: 'operation',
    ownWords: ['delivered'],
  },
  example: [
    {
      delivered: 'example.one',
      id: 'mailbox',
      model: 'dynamic-form',
      operations: ['example.put'],
      submit: 'example.save',
      on: { done: { toast: 'example.saved' } },
    },
  ],
} as const satisfies NodeKind;
