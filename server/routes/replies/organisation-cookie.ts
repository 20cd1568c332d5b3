import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyRequest } from 'fastify';
import { lastingCookieOptions, readCookie } from './cookie.ts';

/**
 * Holds the id of the organisation that the browser is signed in for, so that the portals of one operator notice a
 * sign-in for another one.
 */
export const organisationCookieName = 'portal-organisation';

/** The cookie that portals of one operator share (document 1, sections 3, 4 and 9). It grants no access. */
export type OrganisationCookie = {
  /** Attributes to set and clear it with. */
  readonly options: CookieSerializeOptions;
  /** True when the request has a session and the cookie names another organisation than the session. */
  namesAnotherOrganisation(request: FastifyRequest): boolean;
};

/**
 * Gives the last `parts` labels of a host, for the cookie's Domain; undefined for fewer than two, for an IP address and
 * for a host that has not as many.
 */
function domainOf(host: string | undefined, parts: number): string | undefined {
  const all = host?.split('.') ?? [];
  if (parts < 2 || all.length < parts || /^[\d.:[\]]+$/.test(host ?? '')) return undefined;
  return all.slice(-parts).join('.');
}

/**
 * Creates the organisation cookie of this portal: gives the options to set and clear it with, and a function that tells
 * whether a request's cookie names another organisation than its session. The cookie's Domain is the last `parts`
 * labels of the host of `publicUrl`; without a valid Domain (as with 0) it belongs to this host alone. Throws nothing.
 */
export function createOrganisationCookie(publicUrl: URL | undefined, parts: number): OrganisationCookie {
  const domain = domainOf(publicUrl?.hostname, parts);
  return {
    options: { ...lastingCookieOptions, ...(domain !== undefined && { domain }) },
    namesAnotherOrganisation({ caller: { session, principal }, headers }) {
      const named = readCookie(headers.cookie, organisationCookieName);
      return session !== undefined && Boolean(named) && named !== encodeURIComponent(principal.facts.organisationId);
    },
  };
}
