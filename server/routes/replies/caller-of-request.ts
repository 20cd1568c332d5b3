import type { FastifyReply, FastifyRequest } from 'fastify';
import { networkOf } from '../../../shared/rules/ip-address.ts';
import type { Principal } from '../../access/principal.ts';
import { PortalError } from '../../errors.ts';
import type { Access, Layouts, Version } from '../../layouts/index.ts';
import type { Caller } from '../../operations/caller.ts';
import { describeDevice } from '../../session/device.ts';
import type { FindSession } from '../../session/find-session.ts';
import { createRate } from '../../session/rate-limit.ts';
import type { Session } from '../../session/session-cache.ts';
import type { Sessions } from '../../session/sessions.ts';
import { isPartnerLink, type VisitorBrands } from '../../session/visitor-brands.ts';
import { hostNameOf } from '../bounds/origin-check.ts';
import type { RequestIds } from '../records/request-id.ts';
import { clearSessionCookie, cookieName, partnerCookieName, readCookie, stageCookieName } from './cookie.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on every route that answers by who is asking. */
    caller: Caller;
  }
  interface FastifyContextConfig {
    /** Answered however much its caller has asked for. */
    unlimited?: boolean;
  }
}

/** Marks a read that no person asked for: it does not keep a session alive, nor end it when it is refused. */
export const pollHeader = 'x-portal-poll';

/** True for a request that the page makes by itself, without its user. */
export const isAutomatic = (request: FastifyRequest): boolean => request.headers[pollHeader] === '1';

export type CallerOf = (request: FastifyRequest, reply: FastifyReply) => Caller | Promise<Caller>;

/**
 * Of a class, so that what few ask for is found out by a getter of its prototype: an object written out with getters has
 * a hidden class of its own, and a thousand of those a second keep the collector busy.
 */
class RequestCaller implements Caller {
  readonly session: Caller['session'];
  readonly identifier: Caller['identifier'];
  readonly principal: Principal;
  readonly version: Version;
  readonly access: Access;
  readonly #request: FastifyRequest;
  readonly #traceOf: RequestIds['traceOf'];

  constructor(
    request: FastifyRequest,
    traceOf: RequestIds['traceOf'],
    {
      session,
      identifier,
      principal,
      version,
      access,
    }: Pick<Caller, 'session' | 'identifier' | 'principal' | 'version' | 'access'>,
  ) {
    this.session = session;
    this.identifier = identifier;
    this.principal = principal;
    this.version = version;
    this.access = access;
    this.#request = request;
    this.#traceOf = traceOf;
  }

  get address(): string {
    return this.#request.ip;
  }

  get stage(): string | undefined {
    return readCookie(this.#request.headers.cookie, stageCookieName);
  }

  get device(): string {
    return describeDevice(this.#request.headers['user-agent']);
  }

  get reference(): string {
    return this.#request.id;
  }

  get trace(): string | undefined {
    return this.#traceOf(this.#request.raw);
  }
}

export type CallerParts = {
  readonly sessions: Pick<Sessions, 'isReplaced'>;
  readonly findSession: FindSession;
  readonly layouts: Layouts;
  readonly traceOf: RequestIds['traceOf'];
  /** Requests of one session, or of one network without any, in a minute. */
  readonly rateLimit: number;
  /** The principal of those who are not signed in. */
  readonly visitor: Principal;
  readonly visitorBrands: VisitorBrands;
  /** Host names that have a brand of their own. */
  readonly partnerHosts: ReadonlySet<string>;
};

/**
 * Creates the function that finds the caller of a request, and deletes the cookie of a session that is over.
 * @throws {PortalError} that function: TOO_MANY, STORE_DOWN
 */
export function createCallerOf({
  sessions,
  findSession,
  layouts,
  traceOf,
  rateLimit,
  ...visits
}: CallerParts): CallerOf {
  const requests = createRate(rateLimit);

  const describe = (
    request: FastifyRequest,
    reply: FastifyReply,
    identifier: string | undefined,
    session: Session | undefined,
    visitor: Principal,
  ): Caller => {
    // The cookie of a session that took its place may be on its way; and nobody asked for what is read by itself.
    if (identifier !== undefined && !session && !isAutomatic(request) && !sessions.isReplaced(identifier))
      clearSessionCookie(reply);
    if (!requests.take(session?.key ?? networkOf(request.ip)) && !request.routeOptions.config.unlimited)
      throw new PortalError('TOO_MANY');
    const version = layouts.current();
    const principal = version.speakTo(session?.principal ?? visitor, request.headers['accept-language']);
    const access = version.access(principal);
    return new RequestCaller(request, traceOf, { session, identifier, principal, version, access });
  };

  const describeVisitor = (request: FastifyRequest, reply: FastifyReply, identifier: string | undefined) => {
    const visitor = findVisitor(request, visits);
    if (visitor instanceof Promise)
      return visitor.then(found => describe(request, reply, identifier, undefined, found));
    return describe(request, reply, identifier, undefined, visitor);
  };

  return (request, reply) => {
    const identifier = readCookie(request.headers.cookie, cookieName);
    if (identifier === undefined) return describeVisitor(request, reply, identifier);
    const take = (session: Session | undefined) =>
      session
        ? describe(request, reply, identifier, session, visits.visitor)
        : describeVisitor(request, reply, identifier);
    const found = findSession(identifier, request.ip, !isAutomatic(request));
    return found instanceof Promise ? found.then(take) : take(found);
  };
}

/** Gives the visitor without a session, with the brand of the host name or else of the partner's link that was followed. */
function findVisitor(
  { headers, ip }: FastifyRequest,
  { visitor, visitorBrands, partnerHosts }: Pick<CallerParts, 'visitor' | 'visitorBrands' | 'partnerHosts'>,
): Principal | Promise<Principal> {
  const host = hostNameOf(headers.host);
  if (partnerHosts.has(host)) return visitorBrands.find({ host }, ip);
  const link = readCookie(headers.cookie, partnerCookieName);
  return link !== undefined && isPartnerLink(link) ? visitorBrands.find({ link }, ip) : visitor;
}
