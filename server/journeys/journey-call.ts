import type { Envelope } from '../../shared/contract/envelope.ts';
import type { JourneyCall } from '../../shared/language/types.ts';
import { bindAll, type Scope } from '../../shared/rules/path.ts';
import { decide } from '../access/requirement.ts';
import type { CommandContext } from '../commands/command.ts';
import { commands } from '../commands/index.ts';
import { PortalError } from '../errors.ts';
import { contractOf } from '../layouts/contract/operation-contract.ts';
import type { Contract } from '../layouts/names/contract.ts';
import { call, declaredReply } from '../operations/ask.ts';
import type { Caller } from '../operations/caller.ts';
import { Declined } from '../operations/cloud-refusal.ts';
import { notPermitted } from '../operations/not-permitted.ts';
import type { Detail } from '../operations/perform.ts';
import { fillTemplate } from './template.ts';

/** What the audit record holds of a call, of its reply once it is there. */
export type DetailOf = (reply: { readonly envelope: Envelope } | undefined) => Detail;

/** True when the caller meets the requirements of a journey's call (an operation or a command). */
export function mayCall({ requires, operation, command }: JourneyCall, { principal, version }: Caller): boolean {
  const target = operation === undefined ? version.commands.get(command ?? '') : version.operations.get(operation);
  return target !== undefined && decide(requires, principal).met && decide(target.requires, principal).met;
}

/** Gives what the operation or command of a journey's call declares of its reply. */
export function contractOfCall({ operation: name, command }: JourneyCall, { version }: Caller): Contract | undefined {
  const operation = version.operations.get(name ?? '');
  if (operation) return contractOf(operation);
  const envelope = version.commandContracts.get(command ?? '');
  return envelope?.type === 'record' ? envelope.fields.get('Result') : undefined;
}

/**
 * Makes a call of a journey in the caller's name, as strictly as any other. Gives the envelope with the fields that the
 * caller may have.
 * @throws {Declined} when the cloud or the command refuses
 * @throws {PortalError} NOT_PERMITTED, and as the operation or command
 */
export async function runCall(
  context: CommandContext,
  asked: JourneyCall,
  scope: Scope,
  detail?: DetailOf,
): Promise<Envelope> {
  const { caller } = context;
  const name = asked.operation ?? asked.command ?? '';
  if (!mayCall(asked, caller)) throw notPermitted(caller, name);
  const parameters = bindAll(asked.with, scope);
  const body = asked.body === undefined ? undefined : fillTemplate(asked.body, scope);
  const operation = caller.version.operations.get(asked.operation ?? '');
  if (operation) return call(context, { name, operation, parameters, detail }, body);
  const command = commands.get(name);
  if (!command) throw new PortalError('INTERNAL', { detail: `no command ${name}` });
  const reply = await command.run({ ...context, with: parameters, body: (body ?? {}) as CommandContext['body'] });
  if (!reply.envelope.Succeed) throw new Declined({ status: reply.status ?? 200, envelope: reply.envelope });
  return declaredReply(context, name, contractOfCall(asked, caller), reply.envelope);
}

type Calls = Readonly<Record<string, JourneyCall>>;

/** Makes a journey's calls in parallel, leaving out those that the caller may not make; gives the replies by name. */
export async function askAll(
  context: CommandContext,
  calls: Calls | undefined,
  scope: Scope,
): Promise<Readonly<Record<string, Envelope>>> {
  const there = Object.entries(calls ?? {}).filter(([, asked]) => mayCall(asked, context.caller));
  const replies = await Promise.all(
    there.map(async ([name, asked]) => [name, await runCall(context, asked, scope)] as const),
  );
  return Object.fromEntries(replies);
}

/** Gives the parameters and bodies of calls with their paths filled in: what the calls would ask. */
export const boundCalls = (calls: Calls | undefined, scope: Scope): readonly unknown[] =>
  Object.values(calls ?? {}).map(asked => [bindAll(asked.with, scope), fillTemplate(asked.body, scope)]);

/** Lists the amounts of money in a reply, in their order: the price that the user sees. */
export function moneyIn(contract: Contract | undefined, value: unknown): readonly unknown[] {
  if (!contract || value === null || value === undefined) return [];
  switch (contract.type) {
    case 'value':
      return contract.kind === 'money' ? [value] : [];
    case 'list':
      return Array.isArray(value) ? value.flatMap(item => moneyIn(contract.item, item)) : [];
    case 'map':
      return Object.values(value).flatMap(item => moneyIn(contract.item, item));
    case 'record':
      return [...contract.fields].flatMap(([name, field]) =>
        moneyIn(field, (value as Readonly<Record<string, unknown>>)[name]),
      );
    default:
      return [];
  }
}
