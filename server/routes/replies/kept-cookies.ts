import type { CookieSerializeOptions } from '@fastify/cookie';
import type { FastifyReply } from 'fastify';
import type { CookiesToSet } from '../../commands/cookies-to-set.ts';
import {
  cookieName,
  cookieOptions,
  lastingCookieOptions,
  signOnCookieName,
  singleExperienceCookieName,
  stageCookieName,
  stageCookieOptions,
  tripCookieName,
  tripCookieOptions,
} from './cookie.ts';
import { type OrganisationCookie, organisationCookieName } from './organisation-cookie.ts';

/** Sets and deletes the cookies that a command asks for: '' deletes a cookie, undefined leaves it. */
export function keepCookies(reply: FastifyReply, kept: CookiesToSet, shared: OrganisationCookie): void {
  // What is kept takes the place of a dead session cookie that was to be forgotten.
  if (kept.session !== undefined) reply.raw.removeHeader('set-cookie');
  const keep = (name: string, value: string | undefined, options: CookieSerializeOptions): void => {
    if (value === '') reply.clearCookie(name, options);
    else if (value !== undefined) reply.setCookie(name, value, options);
  };
  keep(singleExperienceCookieName, kept.singleExperience, lastingCookieOptions);
  keep(cookieName, kept.session, cookieOptions);
  keep(signOnCookieName, kept.signOn, cookieOptions);
  keep(stageCookieName, kept.stage, stageCookieOptions);
  const tripName = kept.trip && tripCookieName(kept.trip.state);
  if (tripName !== undefined) keep(tripName, kept.trip?.identifier, tripCookieOptions);
  keep(organisationCookieName, kept.organisation, shared.options);
}
