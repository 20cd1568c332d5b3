import type { Envelope } from '../../shared/contract/envelope.ts';
import type { Operation } from '../../shared/language/types.ts';
import type { CloudReply, CloudRequest } from '../cloud/call.ts';
import type { SendStreamed } from '../cloud/file.ts';
import type { UploadedFile } from '../cloud/upload.ts';
import { answerOwn, isPortalOperation } from '../commands/portal-operations.ts';
import { PortalError } from '../errors.ts';
import type { Caller } from '../operations/caller.ts';
import { cloudRequest } from '../operations/cloud-request.ts';
import { notPermitted } from '../operations/not-permitted.ts';
import { checkParameters } from '../operations/parameters.ts';
import { perform } from '../operations/perform.ts';
import type { Services } from '../operations/services.ts';
import { staleAfter } from '../operations/stale-reads.ts';
import { showWaiting } from './show-waiting.ts';

export type OperationRequest = {
  readonly operation: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** The body to send, already checked. */
  readonly body?: unknown;
  readonly press?: string | undefined;
  /** True for a read that no person asked for. */
  readonly automatic?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
};

/** Builds the cloud request after checking that the caller may make it. Throws a PortalError. */
function permitRead(
  caller: Caller,
  { operation: name, parameters, automatic, signal }: OperationRequest,
  permitted: Caller['access']['reads'] = caller.access.reads,
): CloudRequest {
  const capability = permitted.get(name);
  const operation = caller.version.operations.get(name);
  if (!capability || !operation) throw notPermitted(caller, `read ${name.slice(0, 80)}`);
  const checked = checkParameters(operation, capability, parameters, caller);
  return cloudRequest(caller, operation, { parameters: checked, automatic, signal });
}

/** A reply cut to what the caller's layouts read; fields that break the contract are noted. */
function projected(
  { contractWatch }: Services,
  { access }: Caller,
  operation: string,
  { status, envelope }: CloudReply,
): CloudReply {
  if (!envelope.Succeed) return { status, envelope };
  const breaches = new Set<string>();
  const cut = access.project(operation, envelope, field => void breaches.add(field)) as Envelope;
  for (const field of breaches) contractWatch.noteBreach(operation, field);
  return { status, envelope: cut };
}

/** Calls the cloud, or answers an operation of the portal itself. */
const answer = (services: Services, caller: Caller, asked: CloudRequest): Promise<CloudReply> =>
  isPortalOperation(asked.operation) ? answerOwn(services, caller, asked) : services.cloud.call(asked);

/**
 * Reads an operation for a caller; gives the reply with only the fields that the caller's layouts show.
 * @throws {PortalError} when the caller may not read it, a parameter is wrong, or no usable reply comes
 */
export async function readOperation(
  services: Services,
  caller: Caller,
  request: OperationRequest,
): Promise<CloudReply> {
  return projected(services, caller, request.operation, await answer(services, caller, permitRead(caller, request)));
}

/**
 * Checks that a caller's layouts offer the file of an operation as a download.
 * @throws {PortalError} when they do not, or a parameter is wrong
 */
export const permitFile = (caller: Caller, request: OperationRequest): CloudRequest =>
  permitRead(caller, request, caller.access.files);

type Link = NonNullable<Operation['link']>;

/** Values of parameters by the names that a link sends them under. */
const named = (names: Link['body'], { parameters }: CloudRequest): CloudRequest['parameters'] =>
  Object.fromEntries(Object.entries(names).map(([name, parameter]) => [name, parameters[parameter]]));

/** The call that makes the link to a file (`link` in the language). It may be repeated: each link is one more. */
function linkRequest(asked: CloudRequest, { path, body }: Link): CloudRequest {
  const { service, timeout } = asked.operation;
  const operation = { service, method: 'POST', path, audit: false, once: true, ...(timeout && { timeout }) } as const;
  return { ...asked, operation, parameters: {}, body: named(body, asked) };
}

/** The call that takes the file of a link. */
function linkedRequest(asked: CloudRequest, { query = {} }: Link, Guid: string): CloudRequest {
  const parameters = { ...named(query, asked), Guid };
  const rules = Object.fromEntries(Object.keys(parameters).map(name => [name, { type: 'string' } as const]));
  return { ...asked, operation: { ...asked.operation, with: rules }, parameters };
}

/**
 * Opens the file that an operation of the cloud gives, by a link where it has one.
 * @throws {PortalError} as `permitFile` and `readOperation`
 */
export async function openFile(
  { cloud }: Services,
  caller: Caller,
  request: OperationRequest,
  sendStreamed: SendStreamed,
): ReturnType<Services['cloud']['open']> {
  const asked = permitFile(caller, request);
  const { link } = asked.operation;
  if (!link) return cloud.open(asked, sendStreamed);
  const made = await cloud.call(linkRequest(asked, link));
  if (!made.envelope.Succeed) return made;
  const { Guid } = (made.envelope.Result ?? {}) as { readonly Guid?: unknown };
  if (typeof Guid !== 'string' || !/^[\w-]{1,100}$/.test(Guid))
    throw new PortalError('UPSTREAM_GARBLED', { detail: 'a link without a Guid' });
  return cloud.open(linkedRequest(asked, link, Guid), sendStreamed);
}

/**
 * Runs a writing operation for a caller: checks the right and the parameters, sends `body` as given (it was checked
 * before), and records the call where the operation asks for it. Gives the reply with only the fields that the caller
 * may have, and effects that read stale data again. `Succeed: false` is a reply, no error.
 * @throws {PortalError} when the caller may not call it, a parameter is wrong, or no usable reply comes
 */
export async function writeOperation(
  services: Services,
  caller: Caller,
  request: OperationRequest,
  send = (asked: CloudRequest): Promise<CloudReply> => answer(services, caller, asked),
): Promise<CloudReply> {
  const capability = caller.access.writes.get(request.operation);
  const operation = caller.version.operations.get(request.operation);
  if (!capability || !operation) throw notPermitted(caller, `call ${request.operation.slice(0, 80)}`);
  const { operation: name, parameters, press, body, signal } = request;
  const reply = await perform(services, caller, { name, operation, capability, parameters, press }, checked =>
    send(cloudRequest(caller, operation, { parameters: checked, body, press, signal })),
  );
  const effects = staleAfter(caller, name);
  if (reply.envelope.Waits) return showWaiting(caller, reply);
  // What a conflict was about has changed since the caller read it.
  if (!reply.envelope.Succeed)
    return reply.status === 409 && effects.length > 0 ? { ...reply, envelope: { ...reply.envelope, effects } } : reply;
  const { status, envelope } = projected(services, caller, name, reply);
  return { status, envelope: { ...envelope, ...(effects.length > 0 && { effects }) } };
}

/**
 * Streams a file to an operation that takes one, with the checks and reply of `writeOperation`.
 * @throws {PortalError} as `writeOperation`, and what interrupts the file's bytes
 */
export const uploadFile = (
  services: Services,
  caller: Caller,
  request: OperationRequest,
  file: UploadedFile,
  sendStreamed: SendStreamed,
): Promise<CloudReply> =>
  writeOperation(services, caller, request, asked => services.cloud.upload(asked, file, sendStreamed));
