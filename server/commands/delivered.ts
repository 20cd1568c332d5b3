import { createHash } from 'node:crypto';
import { type Delivered, openDelivered, submitDelivered } from '../../shared/contract/delivered.ts';
import { activeFields, isShownOnly } from '../../shared/rules/validation.ts';
import { PortalError } from '../errors.ts';
import { traceOf } from './caller.ts';
import type { Command, CommandContext, CommandReply } from './context.ts';
import { callDelivered, Declined } from './delivered-call.ts';
import { type Model, readModel } from './delivered-model.ts';
import { checkBody } from './fields.ts';

async function orDeclined(work: Promise<CommandReply>): Promise<CommandReply> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Declined) return { status: error.status, envelope: error.envelope };
    throw error;
  }
}

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

async function record(
  { caller, services }: CommandContext,
  { operation, name, parameters }: Model['submit'],
  outcome: 'done' | 'refused' | 'failed',
): Promise<void> {
  if (operation.audit === undefined) return;
  const detail = Object.fromEntries(Object.entries(parameters).map(([key, value]) => [key, String(value)]));
  await services.audit({
    action: operation.audit,
    outcome,
    ...traceOf(caller),
    detail: { operation: name, ...detail },
  });
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
 * The form is fetched again and judges what was typed; the visible values are laid over the data, which holds what no
 * item shows, and the whole is sent (document 2, sections 5 and 7).
 */
async function submit(context: CommandContext): Promise<CommandReply> {
  const model = await readModel(context);
  const values = checkBody(model.fields, context.body, context.caller);
  const { $stamp } = context.body;
  if ($stamp !== undefined && $stamp !== stampOf(model)) throw new PortalError('RECORD_CHANGED');
  try {
    const { Messages } = await callDelivered(context, model.submit, {
      ...model.data,
      ...emptied(model, values, context),
      ...values,
    });
    await record(context, model.submit, 'done');
    const effects = model.events.map(event => ({ do: 'publish', event }) as const);
    return { envelope: { Succeed: true, ...(Messages && { Messages }), ...(effects.length > 0 && { effects }) } };
  } catch (error) {
    await record(context, model.submit, error instanceof Declined ? 'refused' : 'failed');
    throw error;
  }
}

/** Opens the form or popup of a `delivered` node. */
export const deliveredOpen: Command = {
  declaration: { name: openDelivered, reply: ['title', 'children', 'values', 'events', 'stamp'] },
  run: context => orDeclined(open(context)),
};

/** Takes what was typed into it. */
export const deliveredSubmit: Command = {
  declaration: { name: submitDelivered },
  run: context => orDeclined(submit(context)),
};
