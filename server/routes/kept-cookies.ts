import type { FastifyReply } from 'fastify';
import {
  cookieName,
  cookieOptions,
  singleExperienceCookieName,
  singleExperienceCookieOptions,
  stepCookieName,
  stepCookieOptions,
  tripCookieName,
  tripCookieOptions,
} from './cookie.ts';
import type { OrganisationCookie } from './organisation-cookie.ts';

/** Identifiers that a browser keeps as cookies; '' is forgotten, undefined stays as it is. */
export type Kept = {
  readonly session?: string | undefined;
  readonly step?: string | undefined;
  readonly trip?: string | undefined;
  /** True to mark the browser. */
  readonly singleExperience?: boolean | undefined;
  /** Its id. */
  readonly organisation?: string | undefined;
};

export function keepCookies(
  reply: FastifyReply,
  { session, step, trip, singleExperience, organisation }: Kept,
  shared: OrganisationCookie,
): void {
  if (singleExperience) reply.setCookie(singleExperienceCookieName, '1', singleExperienceCookieOptions);
  for (const [name, value, { maxAge, ...options }] of [
    [cookieName, session, { maxAge: undefined, ...cookieOptions }],
    [stepCookieName, step, { maxAge: undefined, ...stepCookieOptions }],
    [tripCookieName, trip, tripCookieOptions],
  ] as const) {
    if (value === '') reply.clearCookie(name, options);
    else if (value !== undefined) reply.setCookie(name, value, maxAge === undefined ? options : { ...options, maxAge });
  }
  if (organisation !== undefined) shared.set(reply, organisation);
}
