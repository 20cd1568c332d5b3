import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { portalHeader } from '../../../shared/contract/envelope.ts';
import { networkOf } from '../../../shared/rules/ip-address.ts';
import { type Config, isLoopback } from '../../config.ts';
import { PortalError } from '../../errors.ts';
import { createRate } from '../../session/rate-limit.ts';

const safe = new Set(['GET', 'HEAD', 'OPTIONS']);

/** The portal's own address, and the host names that have the brand of a partner. */
export type OwnHosts = Pick<Config, 'publicUrl' | 'partnerHosts'>;

/** The name in a Host header, without its port, in lower case; '' for none. */
export const hostNameOf = (host: string | undefined): string => (host ?? '').replace(/:\d+$/, '').toLowerCase();

/**
 * True when a request's Origin, where it has one, is the portal's own: PUBLIC_URL, a configured host name that was asked
 * by the same protocol, or, without PUBLIC_URL, the loopback address that was asked. Origins are compared as parsed URLs.
 */
export function isOwnOrigin({ origin, host }: IncomingHttpHeaders, { publicUrl, partnerHosts }: OwnHosts): boolean {
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  const parsed = new URL(origin);
  if (partnerHosts.has(parsed.hostname))
    return parsed.host === host && parsed.protocol === (publicUrl?.protocol ?? 'http:');
  if (publicUrl) return parsed.origin === publicUrl.origin;
  return parsed.host === host && isLoopback(parsed.hostname);
}

/** Requests of one network in a minute that are refused in full; a portal page sends none such at all. */
const refusalsPerMinute = 60;

/** Exactly JSON in UTF-8, or no body at all; every other spelling is refused rather than guessed at. */
function checkMediaType({ headers }: FastifyRequest): void {
  const type = headers['content-type'];
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  if (type === undefined && !hasBody) return;
  if (type !== 'application/json' && type?.toLowerCase() !== 'application/json; charset=utf-8')
    throw new PortalError('MEDIA_TYPE');
}

/**
 * True for a request with one Host and no transfer coding other than `chunked` (RFC 9112, sections 3.2 and 6.1). Node
 * takes the first of two hosts, and a list of codings that ends in `chunked`; a proxy may read them differently.
 */
export function isWellFormed({ httpVersion, rawHeaders, headers }: IncomingMessage): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  const coding = headers['transfer-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') return false;
  // Balancers still look after their servers in HTTP/1.0, which knows no host.
  return hosts === 1 || (hosts === 0 && httpVersion === '1.0');
}

/**
 * Refuses requests that a proxy may read differently than Node does (request smuggling); see `isWellFormed`. Nobody
 * knows where the next one would begin, so that the connection ends.
 */
export function guardMessages(app: FastifyInstance): void {
  app.addHook('onRequest', ({ raw }, reply, done) => {
    if (isWellFormed(raw)) return done();
    reply.header('connection', 'close');
    done(new PortalError('BAD_REQUEST', { detail: 'host, or coding of the body' }));
  });
}

/**
 * Refuses every request that can change something unless it has a header that no form of another site can send, and
 * comes from the portal's own pages.
 */
export function guardUnsafeRequests(app: FastifyInstance, own: OwnHosts): void {
  const refusals = createRate(refusalsPerMinute);

  app.addHook('onRequest', (request, _, done) => {
    const refuse = (detail: string): never => {
      if (refusals.take(networkOf(request.ip))) throw new PortalError('REQUEST_REFUSED', { detail });
      throw new PortalError('TOO_MANY', { detail });
    };
    // A request with a key in a header reads no cookie: no page of another site can send it.
    if (request.routeOptions.config.byKey) {
      checkMediaType(request);
      return done();
    }
    // So is one whose proof is in its address: mail programs send it, which know no header of the portal's.
    if (request.routeOptions.config.byLink) return done();
    if (!safe.has(request.method)) {
      if (request.headers[portalHeader] !== '1') refuse('no x-portal header');
      if (!isOwnOrigin(request.headers, own)) refuse('foreign origin');
      if (request.headers['sec-fetch-site'] === 'cross-site') refuse('cross-site request');
      if (!request.routeOptions.config.takesFile) checkMediaType(request);
    }
    done();
  });
}
