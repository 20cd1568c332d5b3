import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyRequest } from 'fastify';
import { lastingCookieOptions, readCookie } from './cookie.ts';

/** Says to the operator's other portals, and they to this one, for which organisation the browser is signed in. */
export const organisationCookieName = 'portal-organisation';

/** The cookie that portals of one operator share (document 1, sections 3, 4 and 9). It opens nothing. */
export type OrganisationCookie = {
  readonly options: CookieSerializeOptions;
  /** True where another portal has since signed the browser in for another organisation. */
  isOfAnother(request: FastifyRequest): boolean;
};

/** The last so many parts of a host; undefined for the host alone, and for one that has no such parts. */
function domainOf(host: string | undefined, parts: number): string | undefined {
  const all = host?.split('.') ?? [];
  if (parts < 2 || all.length < parts || /^[\d.:[\]]+$/.test(host ?? '')) return undefined;
  return all.slice(-parts).join('.');
}

/** `parts`: how many of the last parts of the portal's host the cookie is shared by; 0: it is this host's own. */
export function createOrganisationCookie(publicUrl: URL | undefined, parts: number): OrganisationCookie {
  const domain = domainOf(publicUrl?.hostname, parts);
  return {
    options: { ...lastingCookieOptions, ...(domain !== undefined && { domain }) },
    isOfAnother({ caller: { session, principal }, headers }) {
      const said = readCookie(headers.cookie, organisationCookieName);
      return session !== undefined && Boolean(said) && said !== encodeURIComponent(principal.facts.organisationId);
    },
  };
}
