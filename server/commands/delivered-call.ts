import type { Envelope } from '../../shared/contract/envelope.ts';
import type { Operation } from '../../shared/language/types.ts';
import { decide } from '../access/requirement.ts';
import { PortalError } from '../errors.ts';
import type { Capability } from '../layouts/index.ts';
import type { Caller } from './caller.ts';
import type { CommandContext } from './context.ts';
import { checkParameters, notPermitted } from './parameters.ts';

/** One call about a delivered model. */
export type DeliveredCall = {
  readonly name: string;
  readonly operation: Operation;
  readonly parameters: Readonly<Record<string, unknown>>;
};

/** The reply of the cloud said no: it goes to the user as it is. */
export class Declined extends Error {
  readonly status: number;
  readonly envelope: Envelope;
  constructor(status: number, envelope: Envelope) {
    super('declined');
    this.status = status;
    this.envelope = envelope;
  }
}

/** A delivered path cannot set what is bound to the caller either. */
function capabilityOf({ own = {}, with: rules = {} }: Operation, { principal }: Caller): Capability {
  const bound = Object.entries(own).filter(([, rule]) => rule.userTypes.includes(principal.type));
  return {
    parameters: new Set(Object.keys(rules).filter(name => !bound.some(([own]) => own === name))),
    refused: new Map(),
    own: new Map(bound.map(([name, rule]) => [name, rule.is.slice('principal.'.length)])),
  };
}

/** Calls one of a delivered node's operations. Throws Declined, or a PortalError. */
export async function callDelivered(
  { caller, services, press }: CommandContext,
  { name, operation, parameters }: DeliveredCall,
  body?: unknown,
): Promise<Envelope> {
  if (!decide(operation.requires, caller.principal).met) throw notPermitted(caller, name);
  const capability = capabilityOf(operation, caller);
  // What is bound to the caller is set below, whatever a path says.
  const given = Object.fromEntries(Object.entries(parameters).filter(([parameter]) => !capability.own.has(parameter)));
  const checked = checkParameters(operation, capability, given, caller);
  if (operation.once && press === undefined && operation.method !== 'GET')
    throw new PortalError('BAD_REQUEST', { detail: 'no key of the press' });
  const { status, envelope } = await services.cloud.call({
    operation,
    parameters: checked,
    body,
    credentials: caller.session?.credentials,
    press,
  });
  if (!envelope.Succeed) throw new Declined(status, envelope);
  return envelope;
}
