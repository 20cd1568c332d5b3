import type { CallRequest } from '../../shared/contract/call.ts';
import { openDelivered, submitDelivered } from '../../shared/contract/delivered.ts';
import type { Envelope } from '../../shared/contract/envelope.ts';
import { PortalError } from '../errors.ts';
import type { Caller } from './caller.ts';
import type { Command, CommandReply, Services } from './context.ts';
import { checkBody } from './fields.ts';
import { commands } from './index.ts';
import { notPermitted } from './parameters.ts';
import { judgePress, type LayoutMemory, layoutChanged, type Press } from './press.ts';

export type CommandRequest = {
  readonly name: string;
  readonly request: CallRequest;
  readonly press?: string | undefined;
};

/** A delivered model brings its own fields and its node's parameters; press.ts and the command itself check them. */
const isDelivered = (name: string): boolean => name === openDelivered || name === submitDelivered;

/** The refusal of a form tells the browser the server's own values too, so that it asks what the server asks. */
function withState(error: unknown, state: Readonly<Record<string, unknown>>): unknown {
  if (!(error instanceof PortalError) || error.code !== 'FIELDS_INVALID') return error;
  const effects = Object.entries(state).map(
    ([name, value]) => ({ do: 'set', path: `form.${name}`, value: value as number }) as const,
  );
  return new PortalError(error.code, { ...error.parts, effects });
}

/** Runs a command for a caller and cuts its reply to what the command declares. Throws a PortalError. */
export async function runCommand(
  services: Services,
  memory: LayoutMemory,
  caller: Caller,
  { name, request, press: key }: CommandRequest,
): Promise<CommandReply> {
  const command = commands.get(name);
  const capability = caller.access.commands.get(name);
  if (!command || !capability) throw notPermitted(caller, `command ${name.slice(0, 80)}`);
  const press = judgePress(caller, memory, { do: 'command', name }, request);
  const given = request.with ?? {};
  const unknown = isDelivered(name)
    ? undefined
    : Object.keys(given).find(parameter => !capability.parameters.has(parameter));
  if (unknown !== undefined)
    throw new PortalError('PARAMETER_INVALID', { detail: `parameter ${unknown.slice(0, 40)}` });
  const body = isDelivered(name)
    ? (request.body ?? {})
    : await checkCommandBody(services, caller, command, press, request);
  const { step } = caller;
  const reply = await command.run({ caller, node: press.node, with: given, body, press: key, step, services });
  if (!reply.envelope.Succeed) return reply;
  const { Resources, effects } = reply.envelope;
  const projected = caller.access.projectCommand(name, reply.envelope) as Envelope;
  return { ...reply, envelope: { ...projected, ...(Resources && { Resources }), ...(effects && { effects }) } };
}

async function checkCommandBody(
  services: Services,
  caller: Caller,
  command: Command,
  press: Press,
  request: CallRequest,
): Promise<Readonly<Record<string, unknown>>> {
  const given = request.body ?? {};
  const fields = caller.access.commands.get(command.declaration.name)?.fields;
  if (!fields) {
    if (Object.keys(given).length > 0) throw new PortalError('BAD_REQUEST', { detail: 'the command takes no body' });
    return {};
  }
  const state = (await command.formState?.({ caller, with: request.with ?? {}, body: given, services })) ?? {};
  try {
    return checkBody(fields, given, caller, state);
  } catch (error) {
    if (press.isOld) throw layoutChanged(press.layout);
    throw withState(error, state);
  }
}
