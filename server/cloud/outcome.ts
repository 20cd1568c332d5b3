import type { Envelope } from '../../shared/contract/envelope.ts';
import { type ErrorCode, PortalError } from '../errors.ts';
import type { CloudReply, CloudRequest, WordRefusal } from './call.ts';
import type { HttpReply } from './exchange.ts';
import { parseJson } from './json.ts';
import { acts, outcomeUnknown } from './unknown.ts';

type Wire = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Wire =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** True for a content type of JSON, also a special one (`application/problem+json`); an HTML page is no reply. */
export function isJson(contentType: string): boolean {
  return /^application\/(?:[a-z0-9.-]+\+)?json\s*(?:;|$)/i.test(contentType);
}

/**
 * Gives the JSON object of a reply; `{}` for an empty reply. Throws UPSTREAM_GARBLED when the reply is not a JSON
 * object.
 */
export function readObject(reply: HttpReply): Wire {
  if (reply.text === '') return {};
  if (!isJson(reply.contentType))
    throw new PortalError('UPSTREAM_GARBLED', { detail: `content type ${reply.contentType.slice(0, 80)}` });
  try {
    const value = parseJson(reply.text);
    if (isObject(value)) return value;
  } catch (cause) {
    throw new PortalError('UPSTREAM_GARBLED', { cause });
  }
  throw new PortalError('UPSTREAM_GARBLED', { detail: 'not a JSON object' });
}

const longest = 2000;
const textsOf = (value: unknown): string[] =>
  [value]
    .flat()
    .filter(item => typeof item === 'string')
    .map(item => item.slice(0, longest));

/** Refusals that are read of one reply; those after them are left out, so that a reply is worded in bounded time. */
const mostRefusals = 200;

/** Refusals by a code, in words; `field` is undefined where one is about the whole request. */
function wordRefusals(given: unknown, word: WordRefusal | undefined): { field: string | undefined; text: string }[] {
  if (!word || !Array.isArray(given)) return [];
  return given.slice(0, mostRefusals).flatMap(refusal => {
    if (!isObject(refusal) || typeof refusal.Code !== 'string') return [];
    const { Field, Code, Data } = refusal;
    return [{ field: typeof Field === 'string' ? Field : undefined, text: word(Code, isObject(Data) ? Data : {}) }];
  });
}

/**
 * Builds the envelope of a failure anew of its Error, Errors and Messages, and puts refusals by a code into words. One
 * of a field is a message too, as the caller's layout may lack or hide the field. Worded refusals come before the
 * cloud's own messages: a page shows the first message, and the words are in the caller's language.
 */
function failing(wire: Wire, word: WordRefusal | undefined): Envelope {
  const errors: Record<string, string[]> = {};
  if (isObject(wire.Errors)) {
    for (const [field, messages] of Object.entries(wire.Errors)) {
      const texts = textsOf(messages);
      if (texts.length > 0) errors[field] = texts;
    }
  }
  const refused = wordRefusals(wire.Refusals, word);
  for (const { field, text } of refused)
    if (field !== undefined) errors[field] = [...(Object.hasOwn(errors, field) ? (errors[field] ?? []) : []), text];
  const messages = [...new Set([...refused.map(({ text }) => text), ...textsOf(wire.Messages)])];
  const [error] = textsOf(wire.Error);
  const article = articleIn(wire.Article);
  return {
    Succeed: false,
    ...(error !== undefined && { Error: error }),
    ...(Object.keys(errors).length > 0 && { Errors: errors }),
    ...(messages.length > 0 && { Messages: messages }),
    ...(article && { Resources: { article } }),
  };
}

/** Reads which article of the knowledge base explains a refusal; undefined for none, and for what is no path of one. */
function articleIn(given: unknown): { title: string; to: string } | undefined {
  if (!isObject(given) || typeof given.Title !== 'string' || typeof given.Path !== 'string') return undefined;
  if (!/^[a-z-]{1,60}\/[a-z0-9-]{1,120}$/.test(given.Path)) return undefined;
  return { title: given.Title.slice(0, 200), to: `/knowledge-base/article/${given.Path}` };
}

const passedOn = new Set([404, 409]);

const noAnswer = new Set<ErrorCode>(['UPSTREAM_GARBLED', 'UPSTREAM_FAILED']);

/**
 * Makes of an HTTP reply what the portal goes on with (document 1, sections 7 and 8). A refused account ends its
 * session; PermissionNotFound leads to the permission-error page. Throws a PortalError for what is no answer, which is
 * OUTCOME_UNKNOWN unless the status says that nothing was done.
 */
export async function interpretReply(reply: HttpReply, request: CloudRequest): Promise<CloudReply> {
  try {
    return await interpret(reply, request);
  } catch (error) {
    const isRefused = reply.status >= 400 && reply.status < 500;
    if (isRefused || !acts(request.operation) || !(error instanceof PortalError) || !noAnswer.has(error.code))
      throw error;
    throw outcomeUnknown(error);
  }
}

/** Reads from an accepted reply that the act waits for another person; undefined where it does not. */
function waitsIn({ Waits }: Wire): Envelope['Waits'] {
  if (!isObject(Waits) || typeof Waits.ApprovalId !== 'string') return undefined;
  return { ApprovalId: Waits.ApprovalId.slice(0, 40) };
}

async function interpret(reply: HttpReply, request: CloudRequest): Promise<CloudReply> {
  const { credentials, automatic, operation, bare = operation.envelope === false } = request;
  const { status } = reply;
  if (status >= 200 && status < 300) {
    const wire = reply.text === '' ? { Succeed: true } : readObject(reply);
    if (bare && wire.Succeed === undefined) return { status, envelope: { Succeed: true, Result: wire } };
    const waits = waitsIn(wire);
    if (status === 202 && waits) return { status, envelope: { Succeed: false, Waits: waits } };
    if (typeof wire.Succeed !== 'boolean') throw new PortalError('UPSTREAM_GARBLED', { detail: 'not an envelope' });
    return { status, envelope: wire.Succeed ? (wire as Envelope) : failing(wire, request.wordRefusal) };
  }
  if (status === 401 && credentials) {
    await credentials.end('the cloud refused a new token');
    throw new PortalError('SESSION_ENDED');
  }
  if (status === 403) {
    const wire = isJson(reply.contentType) ? readObject(reply) : {};
    if (wire.Error === 'PermissionNotFound') throw new PortalError('PERMISSION_NOT_FOUND');
    if (wire.Error === 'AddressNotAllowed') {
      await credentials?.end('its organisation does not let it in from there');
      throw new PortalError('ADDRESS_NOT_ALLOWED');
    }
    if (automatic || !credentials) throw new PortalError('NOT_PERMITTED', { detail: 'refused by the cloud' });
    await credentials.end('the cloud refused the account');
    throw new PortalError('SESSION_ENDED');
  }
  if (status >= 400 && status < 500 && status !== 401 && status !== 408 && status !== 429) {
    return { status: passedOn.has(status) ? status : 422, envelope: failing(readObject(reply), request.wordRefusal) };
  }
  throw new PortalError('UPSTREAM_FAILED', { detail: `status ${status}` });
}
