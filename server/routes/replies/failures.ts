import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { newTicketScreen, ticketAddress } from '../../../shared/contract/ticket-address.ts';
import { type ErrorCode, endsSession, failingEnvelope, PortalError } from '../../errors.ts';
import type { Wording } from '../../layouts/index.ts';
import { traceOf } from '../../operations/caller.ts';
import { createRate } from '../../session/rate-limit.ts';
import type { Audit } from '../../store/audit.ts';
import type { FailureLog } from '../records/failure-log.ts';
import { clearSessionCookie } from './cookie.ts';
import { writeFailure } from './document.ts';

const byStatus: Readonly<Record<number, ErrorCode>> = {
  400: 'BAD_REQUEST',
  // Of the files of a folder: what may not be had is not there.
  403: 'NOT_FOUND',
  404: 'NOT_FOUND',
  413: 'TOO_LARGE',
  415: 'MEDIA_TYPE',
  429: 'TOO_MANY',
  503: 'BUSY',
};

function asPortalError(error: unknown): PortalError {
  if (error instanceof PortalError) return error;
  const { statusCode, validation, message } = error as FastifyError;
  const code = validation ? 'BAD_REQUEST' : byStatus[statusCode ?? 500];
  return new PortalError(code ?? 'INTERNAL', { cause: error, detail: message });
}

/** How the portal speaks to somebody of whom this header `Accept-Language` is known. */
export type WordingOf = (acceptLanguage?: string) => Wording;

/** In the caller's language; where it is not known who calls, in one that the browser asks for. */
function wordingFor({ caller, headers }: FastifyRequest, wordingOf: WordingOf): Wording {
  const known = caller as FastifyRequest['caller'] | null | undefined;
  return known?.access ?? wordingOf(headers['accept-language']);
}

/** Who was denied what is kept; what went wrong on the way is only logged. */
const denials = new Set<ErrorCode>([
  'NOT_PERMITTED',
  'ADDRESS_NOT_ALLOWED',
  'API_KEY_INVALID',
  'AGREEMENT_UNSIGNED',
  'REQUEST_REFUSED',
  'SESSION_ENDED',
  'STEP_ENDED',
]);
/** Those that are a denial only where something was asked for that is not there; what led to others is recorded there. */
const needDetail = new Set<ErrorCode>(['SESSION_ENDED', 'STEP_ENDED']);

/** Those of which one of an address is kept in a minute. */
const byAddress = new Set<ErrorCode>(['ADDRESS_NOT_ALLOWED', 'API_KEY_INVALID']);

/**
 * Answers every failure with the envelope, its code and a reference; details go to the log under that reference, and
 * nowhere else. Records denials in the audit.
 */
export function addFailures(
  app: FastifyInstance,
  {
    audit,
    headers,
    log,
    start,
    count,
    wording,
  }: {
    readonly audit: Audit;
    readonly headers: Readonly<Record<string, string>>;
    readonly log: FailureLog;
    /** Address of the first script, for pages that try again by themselves. */
    readonly start: string | undefined;
    readonly count: (code: ErrorCode) => void;
    readonly wording: WordingOf;
  },
): void {
  app.setErrorHandler(async (thrown, request, reply) => {
    // At once: should this fail as well, the reply goes out with what it has.
    reply.headers(headers);
    const error = asPortalError(thrown);
    count(error.code);
    const reference = request.id;
    const route = request.routeOptions.url ?? 'none';
    const caller = request.caller as FastifyRequest['caller'] | null | undefined;
    log.tell({ reference, route, error, anonymous: !caller?.session });
    await recordDenial(request, error, reference);
    return answer(reply, error, reference, wordingFor(request, wording), start);
  });

  /** By address; all else is bounded with the audit. */
  const addressRefusals = createRate(1);
  async function recordDenial(request: FastifyRequest, error: PortalError, reference: string): Promise<void> {
    if (!denials.has(error.code) || (needDetail.has(error.code) && error.parts.detail === undefined)) return;
    if (byAddress.has(error.code) && !addressRefusals.take(request.ip)) return;
    const caller = request.caller as FastifyRequest['caller'] | null | undefined;
    await audit({
      action: 'request.denied',
      outcome: 'refused',
      address: request.ip,
      ...(caller && traceOf(caller)),
      detail: { reference, code: error.code, what: error.parts.detail ?? '' },
    });
  }
}

/** What may be over in a moment, whoever asks. */
const passing = new Set<ErrorCode>(['STORE_DOWN', 'BUSY']);

function answer(
  reply: FastifyReply,
  error: PortalError,
  reference: string,
  wording: Wording,
  start?: string,
): FastifyReply {
  // One that was dead before has been seen to already (caller-of-request.ts).
  const caller = reply.request.caller as FastifyRequest['caller'] | null | undefined;
  if (endsSession(error) && caller?.session) clearSessionCookie(reply);
  if (error.code === 'TOO_MANY' || error.code === 'BUSY' || error.code === 'STORE_DOWN')
    reply.header('retry-after', '5');
  reply.code(error.status).header('cache-control', 'no-store');
  const { config } = reply.request.routeOptions;
  if (config?.page && error.code !== 'NOT_FOUND') {
    const html = writeFailure(wording, error.code, reference, {
      start: passing.has(error.code) ? start : undefined,
      support: caller?.access.screens.has(newTicketScreen) ? ticketAddress(reply.request.url, reference) : undefined,
    });
    return reply.type('text/html; charset=utf-8').send(html);
  }
  return reply
    .type('application/json')
    .send(JSON.stringify(failingEnvelope(error, wording.serverText(`error.${error.code}`), reference)));
}

/**
 * Gives the handler for requests that reach no route, such as one with a malformed address. It logs the error, sets
 * the security headers itself, and answers with the error; on a 400 it sends a browser that asks for a page to
 * `/not-found`.
 */
export function answerOutside(headers: Readonly<Record<string, string>>, log: FailureLog, wordingOf: WordingOf) {
  return (thrown: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    const error = asPortalError(thrown);
    const reference = request.id;
    log.tell({ reference, route: 'none', error, anonymous: true });
    // An address that cannot be read is, to a person, one that is not there.
    if (error.status === 400 && /text\/html/.test(request.headers.accept ?? ''))
      void reply.headers(headers).redirect('/not-found', 302);
    else void answer(reply.headers(headers), error, reference, wordingFor(request, wordingOf));
  };
}
