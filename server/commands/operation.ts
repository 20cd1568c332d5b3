import type { Envelope } from '../../shared/contract/envelope.ts';
import type { Scalar } from '../../shared/language/types.ts';
import type { CloudReply, CloudRequest } from '../cloud/call.ts';
import { isJson, judgeReply } from '../cloud/outcome.ts';
import { PortalError } from '../errors.ts';
import { type Caller, traceOf } from './caller.ts';
import type { Services } from './context.ts';
import { checkParameters, notPermitted } from './parameters.ts';
import { answerOwn, isOwn } from './portal-operations.ts';

export type OperationRequest = {
  readonly operation: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Exactly what was checked. */
  readonly body?: unknown;
  readonly press?: string | undefined;
  /** True for a read that no person asked for. */
  readonly automatic?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
};

/** What is asked of the cloud, once it is clear that the caller may. Throws a PortalError. */
function permitRead(
  caller: Caller,
  { operation: name, parameters, automatic, signal }: OperationRequest,
): CloudRequest {
  const capability = caller.access.reads.get(name);
  const operation = caller.version.operations.get(name);
  if (!capability || !operation) throw notPermitted(caller, `read ${name.slice(0, 80)}`);
  return {
    operation,
    parameters: checkParameters(operation, capability, parameters, caller),
    credentials: caller.session?.credentials,
    automatic,
    signal,
  };
}

const projected = ({ access }: Caller, operation: string, { status, envelope }: CloudReply): CloudReply =>
  envelope.Succeed ? { status, envelope: access.project(operation, envelope) as Envelope } : { status, envelope };

/** The reply of whoever answers the operation: an upstream, or the portal itself. */
const answer = (services: Services, { session }: Caller, asked: CloudRequest): Promise<CloudReply> =>
  isOwn(asked.operation) ? answerOwn(services, session, asked) : services.cloud.call(asked);

/** Reads an operation for a caller and cuts the reply to what its layouts show. Throws a PortalError. */
export async function readOperation(
  services: Services,
  caller: Caller,
  request: OperationRequest,
): Promise<CloudReply> {
  return projected(caller, request.operation, await answer(services, caller, permitRead(caller, request)));
}

/** The same as JSON, which most replies give without being built first. Throws a PortalError. */
export async function readOperationText(
  services: Services,
  caller: Caller,
  request: OperationRequest,
): Promise<{ readonly status: number; readonly text: string }> {
  const asked = permitRead(caller, request);
  if (isOwn(asked.operation)) {
    const { status, envelope } = projected(caller, request.operation, await answer(services, caller, asked));
    return { status, text: JSON.stringify(envelope) };
  }
  const reply = await services.cloud.ask(asked);
  if (reply.status === 200 && isJson(reply.contentType)) {
    const text = caller.access.projectText(request.operation, reply.text);
    if (text !== undefined) return { status: 200, text };
  }
  const { status, envelope } = projected(caller, request.operation, await judgeReply(reply, asked));
  return { status, text: JSON.stringify(envelope) };
}

/** What the audit keeps of parameters: names and short values, never what was typed in a form. */
const auditDetail = (operation: string, parameters: Readonly<Record<string, Scalar>>) => ({
  operation,
  ...Object.fromEntries(
    Object.entries(parameters).filter((entry): entry is [string, string | number | boolean] => entry[1] !== null),
  ),
});

/**
 * Runs a writing operation for a caller: parameters checked, body as given, reply projected, stale reads named, and
 * a record left where the operation asks for one. Throws a PortalError.
 */
export async function writeOperation(
  services: Services,
  caller: Caller,
  request: OperationRequest,
): Promise<CloudReply> {
  const capability = caller.access.writes.get(request.operation);
  const operation = caller.version.operations.get(request.operation);
  if (!capability || !operation) throw notPermitted(caller, `call ${request.operation.slice(0, 80)}`);
  const parameters = checkParameters(operation, capability, request.parameters, caller);
  if (operation.once && request.press === undefined)
    throw new PortalError('BAD_REQUEST', { detail: 'no key of the press' });
  const { session, access } = caller;
  const record = (outcome: 'done' | 'refused' | 'failed') =>
    operation.audit === undefined
      ? undefined
      : services.audit({
          action: operation.audit,
          outcome,
          ...traceOf(caller),
          detail: auditDetail(request.operation, parameters),
        });
  let reply: CloudReply;
  try {
    reply = await answer(services, caller, {
      operation,
      parameters,
      body: request.body,
      credentials: session?.credentials,
      press: request.press,
    });
  } catch (error) {
    await record('failed');
    throw error;
  }
  const { status, envelope } = reply;
  await record(envelope.Succeed ? 'done' : 'refused');
  if (!envelope.Succeed) return reply;
  const stale = (operation.refreshes ?? []).filter(name => access.reads.has(name));
  const cut = access.project(request.operation, envelope) as Envelope;
  return {
    status,
    envelope: { ...cut, ...(stale.length > 0 && { effects: [{ do: 'refresh-operations', operations: stale }] }) },
  };
}
