import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { portalHeader } from '../../shared/contract/envelope.ts';
import { isLoopback } from '../config.ts';
import { PortalError } from '../errors.ts';

const safe = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * True when a request's Origin, where it has one, is the portal's own: PUBLIC_URL, or, where that is not set, the
 * loopback address that was asked. Origins are compared as parsed URLs.
 */
export function isOwnOrigin({ origin, host }: IncomingHttpHeaders, publicUrl: URL | undefined): boolean {
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  const parsed = new URL(origin);
  if (publicUrl) return parsed.origin === publicUrl.origin;
  return parsed.host === host && isLoopback(parsed.hostname);
}

const refuse = (detail: string): never => {
  throw new PortalError('REQUEST_REFUSED', { detail });
};

/** Exactly JSON in UTF-8, or no body at all; every other spelling is refused rather than guessed at. */
function checkMediaType({ headers }: FastifyRequest): void {
  const type = headers['content-type'];
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  if (type === undefined && !hasBody) return;
  if (type !== 'application/json' && type?.toLowerCase() !== 'application/json; charset=utf-8')
    throw new PortalError('MEDIA_TYPE');
}

/**
 * Every request that can change something must carry a header that no form of another site can send, and come from
 * the portal's own pages.
 */
export function guardUnsafeRequests(app: FastifyInstance, publicUrl: URL | undefined): void {
  app.addHook('onRequest', (request, _, done) => {
    if (!safe.has(request.method)) {
      if (request.headers[portalHeader] !== '1') refuse('no x-portal header');
      if (!isOwnOrigin(request.headers, publicUrl)) refuse('foreign origin');
      if (request.headers['sec-fetch-site'] === 'cross-site') refuse('cross-site request');
      checkMediaType(request);
    }
    done();
  });
}
