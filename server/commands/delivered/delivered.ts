import { createHash } from 'node:crypto';
import type { Delivered } from '../../../shared/contract/delivered.ts';
import { openDelivered, submitDelivered } from '../../../shared/contract/delivered-commands.ts';
import { activeFields, isShownOnly } from '../../../shared/rules/validation.ts';
import { PortalError } from '../../errors.ts';
import { call } from '../../operations/ask.ts';
import { checkBody } from '../../operations/check-body.ts';
import type { Command, CommandContext, CommandReply } from '../command.ts';
import { type Model, readModel } from './delivered-model.ts';

/** The data holds the version that the cloud checks, which submitting fetches anew: a change in between shows here. */
function stampOf({ data }: Model): string {
  return createHash('sha256').update(JSON.stringify(data)).digest('base64url').slice(0, 16);
}

async function open(context: CommandContext): Promise<CommandReply> {
  const model = await readModel(context);
  const { title, children, values, events } = model;
  const Result: Delivered = { ...(title !== undefined && { title }), children, values, events, stamp: stampOf(model) };
  return { envelope: { Succeed: true, Result } };
}

/** What was emptied is sent as empty, or the data below would bring the old value back. Forms without data send less. */
function emptied(
  { fields, data }: Model,
  values: Readonly<Record<string, unknown>>,
  { caller }: CommandContext,
): Record<string, unknown> {
  const shown = activeFields(fields, values, { principal: caller.principal.facts });
  const gone = shown.filter(
    ({ propertyName }) => Object.hasOwn(data, propertyName) && !Object.hasOwn(values, propertyName),
  );
  const changeable = gone.filter(field => !isShownOnly(field));
  return Object.fromEntries(
    changeable.map(({ propertyName, kind }) => [
      propertyName,
      kind === 'checkbox' ? false : kind === 'number' ? null : '',
    ]),
  );
}

/**
 * The form is fetched again and validates what was typed; the visible values are laid over the data, which holds what no
 * item shows, and the whole is sent (document 2, sections 5 and 7).
 */
async function submit(context: CommandContext): Promise<CommandReply> {
  const model = await readModel(context);
  const values = checkBody(model.fields, context.body, context.caller);
  const { $stamp } = context.body;
  if ($stamp !== undefined && $stamp !== stampOf(model)) throw new PortalError('RECORD_CHANGED');
  const { Messages } = await call(context, model.submit, {
    ...model.data,
    ...emptied(model, values, context),
    ...values,
  });
  const effects = model.events.map(event => ({ do: 'publish', event }) as const);
  return { envelope: { Succeed: true, ...(Messages && { Messages }), ...(effects.length > 0 && { effects }) } };
}

/** Opens the form or popup of a `delivered` node. */
export const deliveredOpen: Command = {
  declaration: {
    name: openDelivered,
    reply: {
      title: 'text?',
      children: { kind: 'model:nodes', requires: 'anyone' },
      values: { kind: 'model:values', requires: 'anyone' },
      events: ['text'],
      stamp: 'text',
    },
    ownBody: true,
  },
  run: open,
};

/** Takes what was typed into it. */
export const deliveredSubmit: Command = {
  declaration: { name: submitDelivered, ownBody: true },
  run: submit,
};
