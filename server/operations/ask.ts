import type { Envelope } from '../../shared/contract/envelope.ts';
import type { Operation } from '../../shared/language/types.ts';
import { decide } from '../access/requirement.ts';
import { PortalError } from '../errors.ts';
import { contractOf } from '../layouts/contract/operation-contract.ts';
import type { Capability } from '../layouts/index.ts';
import type { Contract } from '../layouts/names/contract.ts';
import { createCut } from '../layouts/project/cut.ts';
import { permit } from '../layouts/project/narrow.ts';
import type { Caller } from './caller.ts';
import { Declined } from './cloud-refusal.ts';
import { cloudRequest } from './cloud-request.ts';
import { notPermitted } from './not-permitted.ts';
import type { OperationReplies } from './operation-replies.ts';
import { type Detail, perform } from './perform.ts';
import type { Services } from './services.ts';

/** The caller, the press and the services that a command calls operations with. */
export type Asking = {
  readonly caller: Caller;
  readonly press?: string | undefined;
  /** Ends the calls where nobody waits for them any more. */
  readonly signal?: AbortSignal | undefined;
  readonly services: Pick<Services, 'cloud' | 'audit' | 'contractWatch' | 'sessions' | 'accountNames'>;
};

/** One call on the way of a command. */
export type Call = {
  readonly name: string;
  readonly operation: Operation;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly detail?: ((reply: { readonly envelope: Envelope } | undefined) => Detail) | undefined;
};

/** What a command may send: the declared parameters except those that are bound to the caller. */
function capabilityOf({ own = {}, with: rules = {} }: Operation, { principal }: Caller): Capability {
  const bound = Object.entries(own).filter(([, rule]) => rule.userTypes.includes(principal.type));
  return {
    parameters: new Set(Object.keys(rules).filter(name => !bound.some(([own]) => own === name))),
    refused: new Map(),
    own: new Map(bound.map(([name, rule]) => [name, rule.is.slice('principal.'.length)])),
  };
}

/** Gives the reply without the fields that its operation or command does not declare or the caller may not have. */
export function declaredReply(
  { caller, services }: Pick<Asking, 'caller' | 'services'>,
  name: string,
  contract: Contract | undefined,
  envelope: Envelope,
): Envelope {
  const { Result, ...others } = envelope;
  const permitted = contract && permit(contract, requirement => decide(requirement, caller.principal).met);
  if (!permitted) return others;
  const breaches = new Set<string>();
  const kept = createCut(permitted, { path: '', sanitises: false })(Result, field => void breaches.add(field));
  for (const field of breaches) services.contractWatch.noteBreach(name, field);
  return kept === undefined ? others : { ...others, Result: kept };
}

/**
 * Calls an operation of the cloud for a command, with all the checks of a call by the browser: requirement, declared
 * parameters, parameters bound to the caller, idempotency key of the press, audit record. Gives the envelope without
 * the fields that the caller may not have.
 * @throws {Declined} when the cloud refuses (`Succeed: false`), with its reply
 * @throws {PortalError} when the caller does not meet the requirement, a parameter is wrong, or no usable reply comes
 */
export async function call(asking: Asking, asked: Call, body?: unknown): Promise<Envelope> {
  const { caller, services, press, signal } = asking;
  const { name, operation, parameters, detail } = asked;
  if (!decide(operation.requires, caller.principal).met) throw notPermitted(caller, name);
  const capability = capabilityOf(operation, caller);
  // What is bound to the caller is set by its capability, whatever is given.
  const given = Object.fromEntries(Object.entries(parameters).filter(([parameter]) => !capability.own.has(parameter)));
  const reply = await perform(
    services,
    caller,
    { name, operation, capability, parameters: given, press, detail },
    checked => services.cloud.call(cloudRequest(caller, operation, { parameters: checked, body, press, signal })),
  );
  if (!reply.envelope.Succeed) throw new Declined(reply);
  return declaredReply(asking, name, contractOf(operation), reply.envelope);
}

export type AskWith<T> = {
  readonly body?: unknown;
  /** What the record holds beside the parameters; the result is there once it is done. */
  readonly detail?: (result: T | undefined) => Detail;
};

/**
 * Calls an operation of the schemas by its name, as `call`, and gives its Result.
 * @throws {Declined} when the cloud refuses
 * @throws {PortalError} as `call`
 */
export async function ask<N extends keyof OperationReplies>(
  asking: Asking,
  name: N,
  parameters: Readonly<Record<string, unknown>> = {},
  { body, detail }: AskWith<OperationReplies[N]> = {},
): Promise<OperationReplies[N]> {
  const operation = asking.caller.version.operations.get(name);
  if (!operation) throw new PortalError('INTERNAL', { detail: `no operation ${name}` });
  const traced =
    detail &&
    ((reply: { envelope: Envelope } | undefined) => detail(reply?.envelope.Result as OperationReplies[N] | undefined));
  const { Result } = await call(asking, { name, operation, parameters, detail: traced }, body);
  return Result as OperationReplies[N];
}
