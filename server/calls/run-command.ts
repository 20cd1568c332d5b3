import type { CallRequest } from '../../shared/contract/call.ts';
import type { Envelope } from '../../shared/contract/envelope.ts';
import type { Command, CommandReply } from '../commands/command.ts';
import { commands } from '../commands/index.ts';
import { PortalError } from '../errors.ts';
import { findJourneyCommand } from '../journeys/journey-command.ts';
import type { Caller } from '../operations/caller.ts';
import { orDeclined } from '../operations/cloud-refusal.ts';
import { notPermitted } from '../operations/not-permitted.ts';
import { checkPlain } from '../operations/parameters.ts';
import type { Services } from '../operations/services.ts';
import { authorisePress, checkPressed, isDelivered, type LayoutMemory, type Press } from './press.ts';
import { showWaiting } from './show-waiting.ts';

export type CommandRequest = {
  readonly name: string;
  readonly request: CallRequest;
  readonly press?: string | undefined;
};

/** The refusal of a form tells the browser the server's own values too, so that it asks what the server asks. */
function withState(error: unknown, state: Readonly<Record<string, unknown>>): unknown {
  if (!(error instanceof PortalError) || error.code !== 'FIELDS_INVALID') return error;
  const effects = Object.entries(state).map(
    ([name, value]) => ({ do: 'set', path: `form.${name}`, value: value as number }) as const,
  );
  return new PortalError(error.code, { ...error.parts, effects });
}

/**
 * Checks the press and its body, runs the command, and gives its reply with only the fields that the command declares.
 * @throws {PortalError} when the caller may not run it, the press or body is wrong, and as the command
 */
export async function runCommand(
  services: Services,
  memory: LayoutMemory,
  caller: Caller,
  { name, request, press: key }: CommandRequest,
): Promise<CommandReply> {
  const command = commands.get(name) ?? findJourneyCommand(name, caller.version);
  const capability = caller.access.commands.get(name);
  if (!command || !capability) throw notPermitted(caller, `command ${name.slice(0, 80)}`);
  const press = authorisePress(caller, memory, { do: 'command', name }, request);
  const given = request.with ?? {};
  checkPlain(given);
  const unknown = isDelivered(name)
    ? undefined
    : Object.keys(given).find(parameter => !capability.parameters.has(parameter));
  if (unknown !== undefined)
    throw new PortalError('PARAMETER_INVALID', { detail: `parameter ${unknown.slice(0, 40)}` });
  const body = command.declaration.ownBody
    ? (request.body ?? {})
    : await checkCommandBody(services, caller, command, press, request);
  const { stage } = caller;
  const reply: CommandReply = await orDeclined(
    command.run({ caller, node: press.node, with: given, body, press: key, stage, services }),
  );
  if (!reply.envelope.Succeed) return showWaiting(caller, reply);
  const { Resources, effects } = reply.envelope;
  const breaches = new Set<string>();
  const projected = caller.access.projectCommand(name, reply.envelope, field => void breaches.add(field)) as Envelope;
  for (const field of breaches) services.contractWatch.noteBreach(name, field);
  return { ...reply, envelope: { ...projected, ...(Resources && { Resources }), ...(effects && { effects }) } };
}

/** The body that was checked, by the rules of the form and what the server knows itself. */
async function checkCommandBody(
  services: Services,
  caller: Caller,
  { declaration, formState }: Command,
  press: Press,
  request: CallRequest,
): Promise<Readonly<Record<string, unknown>>> {
  const { with: given = {}, body = {} } = request;
  const fields = caller.access.commands.get(declaration.name)?.fields;
  const state = (fields && (await formState?.({ caller, with: given, body, services }))) ?? {};
  try {
    return checkPressed(fields, body, caller, press, state) ?? {};
  } catch (error) {
    throw withState(error, state);
  }
}
