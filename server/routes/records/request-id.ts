import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { IsProxy } from './forwarded-address.ts';

/** Letters and digits that cannot be taken for one another when read out. */
const alphabet = 'ABCDEFGHJKMNPQRSTVWXYZ23456789';

const length = 8;
/** Random bytes for the next references: every request has one, and asking the system each time costs a tenth of an answer. */
let bytes = Buffer.alloc(0);
let used = 0;

/** Creates a reference that a user can read out and an operator can find in the log. */
export function createReference(): string {
  if (used + length > bytes.length) {
    bytes = randomBytes(512 * length);
    used = 0;
  }
  let letters = '';
  for (let index = 0; index < length; index += 1, used += 1) {
    if (index === length / 2) letters += '-';
    letters += alphabet[(bytes[used] as number) % alphabet.length];
  }
  return letters;
}

/** Such as UUIDs and what nginx writes. It is shown to users and written into the log, so nothing else is taken. */
const requestId = /^[\w-]{8,64}$/;
/** W3C Trace Context, section 3.2: version, trace, parent and flags. All zeros name nothing. */
const traceparent = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** What names a request in the logs of everything that it passes through. */
export type RequestIds = {
  /** The id that a trusted proxy gave, else that of the trace it belongs to, else one of the portal's own. */
  idOf(request: IncomingMessage): string;
  /** The header `traceparent` that a trusted proxy gave; the portal begins no trace. */
  traceOf(request: IncomingMessage): string | undefined;
};

/**
 * Creates the functions that give a request its id and trace. Headers count only from a trusted proxy: anybody else
 * could write into the log.
 */
export function createRequestIds(isProxy: IsProxy): RequestIds {
  const given = ({ headers, socket }: IncomingMessage, name: string, shape: RegExp): string | undefined => {
    const value = headers[name];
    if (typeof value !== 'string' || !shape.test(value)) return undefined;
    return isProxy(socket.remoteAddress ?? '') ? value : undefined;
  };
  const traceOf = (request: IncomingMessage) => given(request, 'traceparent', traceparent);
  return {
    traceOf,
    idOf: request => given(request, 'x-request-id', requestId) ?? traceOf(request)?.split('-')[1] ?? createReference(),
  };
}
