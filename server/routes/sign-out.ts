import type { FastifyInstance } from 'fastify';
import type { Envelope } from '../../shared/contract/envelope.ts';
import {
  cookieName,
  cookieOptions,
  readCookie,
  singleExperienceCookieName,
  stepCookieName,
  stepCookieOptions,
} from './cookie.ts';
import type { RouteParts } from './parts.ts';

/** `elsewhere`: where the browser signs out as well. */
const goodbye = (elsewhere: string | undefined): Envelope => ({
  Succeed: true,
  Resources: { code: 'SESSION_CHANGED' },
  effects: [elsewhere === undefined ? { do: 'navigate', to: '/login', replace: true } : { do: 'leave', to: elsewhere }],
});

/** Of the identity provider that opened the session, which leads back to the sign-in (document 1, section 4). */
async function signOutAddress(
  { sessions, identityProviders, ownOrigin }: RouteParts['services'],
  identifier: string,
): Promise<string | undefined> {
  const opened = await sessions.idToken(identifier);
  return opened && identityProviders[opened.connection]?.signOutAddress(opened.idToken, `${ownOrigin()}/login`);
}

/**
 * POST /auth/sign-out: ends the session here, on every process, at the cloud and at the identity provider. The browser
 * forgets what it kept of pages and layouts; its storage holds the theme too, so what was typed is dropped by the
 * runtime itself.
 */
export function addSignOutRoute(app: FastifyInstance, { services }: RouteParts): void {
  app.post(
    '/auth/sign-out',
    { schema: { tags: ['session'], summary: 'Ends the session.' } },
    async ({ caller, headers }, reply) => {
      const { session, identifier, principal, address, device } = caller;
      const elsewhere = session && identifier && (await signOutAddress(services, identifier));
      if (session) {
        await services.sessions.end(session.key, 'signed out', identifier);
        await services.audit({
          action: 'session.sign-out',
          outcome: 'done',
          account: session.account,
          actor: principal.facts.actor,
          address,
          device,
        });
      }
      reply.clearCookie(cookieName, cookieOptions);
      const { cookie } = headers;
      if (readCookie(cookie, stepCookieName) !== undefined) reply.clearCookie(stepCookieName, stepCookieOptions);
      if (readCookie(cookie, singleExperienceCookieName) !== undefined)
        reply.clearCookie(singleExperienceCookieName, cookieOptions);
      reply.header('clear-site-data', '"cache"');
      return reply.type('application/json').send(JSON.stringify(goodbye(elsewhere || undefined)));
    },
  );
}
