import type { Operation, Scalar } from '../../shared/language/types.ts';
import type { CloudReply } from '../cloud/call.ts';
import { PortalError } from '../errors.ts';
import type { Capability } from '../layouts/index.ts';
import type { AuditRecord } from '../store/audit.ts';
import { type Caller, traceOf } from './caller.ts';
import { checkParameters } from './parameters.ts';
import type { Services } from './services.ts';

export type Detail = AuditRecord['detail'];

export type Performed = {
  readonly name: string;
  readonly operation: Operation;
  readonly capability: Capability;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly press?: string | undefined;
  /** What the record holds besides name and parameters; it must not hold values from a form. */
  readonly detail?: ((reply: CloudReply | undefined) => Detail) | undefined;
};

/**
 * Makes a call by `send` that the caller may make: checks its parameters, requires the key of the press where the
 * operation must run once, writes the audit record that the operation asks for, whatever the outcome, and ends the
 * sessions that the operation says it ends, and moves what is kept of an account that it renames. Gives the reply of
 * `send`.
 * @throws {PortalError} for wrong parameters, a missing key, and as `send`
 */
export async function perform(
  services: Pick<Services, 'audit' | 'sessions' | 'accountNames'>,
  caller: Caller,
  { name, operation, capability, parameters: given, press, detail }: Performed,
  send: (parameters: Readonly<Record<string, NonNullable<Scalar>>>) => Promise<CloudReply>,
): Promise<CloudReply> {
  const parameters = checkParameters(operation, capability, given, caller);
  if (operation.once && press === undefined) throw new PortalError('BAD_REQUEST', { detail: 'no key of the press' });
  const record = async (outcome: AuditRecord['outcome'], reply?: CloudReply) => {
    if (!operation.audit) return;
    await services.audit({
      action: operation.audit,
      outcome,
      ...traceOf(caller),
      detail: { operation: name, ...parameters, ...detail?.(reply) },
    });
  };
  let reply: CloudReply;
  try {
    reply = await send(parameters);
  } catch (error) {
    await record(error instanceof PortalError && error.code === 'OUTCOME_UNKNOWN' ? 'unknown' : 'failed');
    throw error;
  }
  await record(reply.envelope.Succeed ? 'done' : reply.envelope.Waits ? 'waits' : 'refused', reply);
  if (reply.envelope.Succeed && operation.endsSessionsOf !== undefined) {
    const result = reply.envelope.Result as Readonly<Record<string, unknown>> | undefined;
    const account = result?.[operation.endsSessionsOf];
    const renamed = operation.renamesTo === undefined ? undefined : result?.[operation.renamesTo];
    if (typeof account === 'string' && account !== '') {
      await services.sessions.endAll(account, operation.audit || name);
      if (typeof renamed === 'string' && renamed !== '') await services.accountNames.move(account, renamed);
    }
  }
  return reply;
}
