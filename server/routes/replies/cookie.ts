import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply } from 'fastify';

/** The one cookie of a signed-in browser; the `__Host-` prefix binds it to this host and to a secure address. */
export const cookieName = '__Host-portal';

/** Names an unfinished sign-in; gone when it ends. */
export const stageCookieName = '__Host-portal-stage';

/**
 * Names the cookie of a round trip to an identity provider, from which only this browser may come back. Each has its own,
 * by the start of its state, since several tabs may be on their way at once. Undefined for text that is no state.
 */
export const tripCookieName = (state: string | null): string | undefined =>
  state !== null && /^[\w-]{43}$/.test(state) ? `__Host-portal-trip-${state.slice(0, 12)}` : undefined;

/** Scripts cannot read it, forms of other sites do not carry it, and it goes when the browser closes. */
export const cookieOptions = {
  path: '/',
  secure: true,
  httpOnly: true,
  sameSite: 'lax',
} as const satisfies CookieSerializeOptions;

/** Marks a browser whose user lands on the single-experience dashboard. */
export const singleExperienceCookieName = '__Host-portal-single-experience';

/** Holds the link of the partner that a browser came by: it decides how pages look before signing in, and nothing else. */
export const partnerCookieName = '__Host-portal-partner';

/** Names how the browser last signed on (`session/sign-ons.ts`); it outlives the session's own cookie. */
export const signOnCookieName = '__Host-portal-sign-on';

/** Of what is kept for a year (document 1, section 9). */
export const lastingCookieOptions = {
  ...cookieOptions,
  maxAge: 365 * 24 * 3600,
} as const satisfies CookieSerializeOptions;

/** No address of another site leads into the middle of a flow. */
export const stageCookieOptions = { ...cookieOptions, sameSite: 'strict' } as const satisfies CookieSerializeOptions;

/** The way back begins at another site, so it cannot be strict; gone with the round trip, or after ten minutes. */
export const tripCookieOptions = { ...cookieOptions, maxAge: 600 } as const satisfies CookieSerializeOptions;

/**
 * Reads a cookie from a request's header, undecoded: the portal's own need no encoding. Of several with one name the
 * first counts, which browsers send with the most specific path (RFC 6265, section 5.4).
 */
export function readCookie(header: string | undefined, name: string): string | undefined {
  if (header === undefined) return undefined;
  for (let at = header.indexOf('='); at >= 0; ) {
    const semicolon = header.indexOf(';', at);
    const end = semicolon < 0 ? header.length : semicolon;
    // What stands between semicolons without a value is no cookie.
    if (header.slice(header.lastIndexOf(';', at) + 1, at).trim() === name) return header.slice(at + 1, end).trim();
    at = header.indexOf('=', end);
  }
  return undefined;
}

/** Deletes the cookie of a session that is over, with the reply that is about to be sent (also in raw-reply.ts). */
export function clearSessionCookie({ raw, server }: FastifyReply): void {
  const gone = { ...cookieOptions, maxAge: 0, expires: new Date(0) };
  raw.setHeader('set-cookie', server.serializeCookie(cookieName, '', gone));
}
