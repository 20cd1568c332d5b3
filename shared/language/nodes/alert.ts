import type { NodeKind } from '../node-kind.ts';
import { common, nodes, text } from '../primitives.ts';

/**
 * How an alert of each type looks (document 2, section 3): the browser draws the meanings that colour and shape repeat.
 * The meanings themselves are other names of the types that have them.
 */
export const alertLooks = {
  primary: 'info',
  secondary: 'off',
  success: 'ok',
  danger: 'bad',
  error: 'bad',
  warning: 'wait',
  info: 'info',
  dark: 'off',
  light: 'none',
  ok: 'ok',
  bad: 'bad',
  wait: 'wait',
  off: 'off',
  none: 'none',
} as const;

const types = Object.keys(alertLooks) as (keyof typeof alertLooks)[];

export const alertKind = {
  schema: {
    description: 'A message in place.',
    short: { head: 'text', defaults: { testId: { name: '{text}', style: 'hyphens' } } },
    type: 'object',
    required: ['type', 'kind', 'text'],
    additionalProperties: false,
    properties: {
      type: { const: 'alert' },
      ...common,
      kind: {
        title: 'AlertType',
        description:
          'What kind of message it is: error and danger, warning, success, info and primary, secondary and dark, light.',
        enum: types,
      },
      title: text,
      text,
      actions: nodes,
    },
  },
  example: [{ alert: 'example.text', kind: 'warning', title: 'example.title' }],
} as const satisfies NodeKind;
