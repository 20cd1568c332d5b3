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

/**
 * POST /auth/sign-out: ends the session here, on every process and at the cloud, and leads on to the identity provider
 * that opened it (document 1, section 4). The browser forgets what it kept of pages and layouts; its storage holds the
 * theme too, so what was typed is dropped by the runtime itself.
 */
export function addSignOutRoute(app: FastifyInstance, { services, organisation }: RouteParts): void {
  app.post(
    '/auth/sign-out',
    { schema: { tags: ['session'], summary: 'Ends the session.' } },
    async ({ caller, headers }, reply) => {
      const { session, identifier, principal, address, device } = caller;
      const opened = session && identifier ? await services.sessions.idToken(identifier) : undefined;
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
      // Only once the session is over: the provider may be slow to answer.
      const { identityProviders, ownOrigin } = services;
      const elsewhere =
        opened && (await identityProviders[opened.connection]?.signOutAddress(opened.idToken, `${ownOrigin()}/login`));
      reply.clearCookie(cookieName, cookieOptions);
      if (session) organisation.clear(reply);
      const { cookie } = headers;
      if (readCookie(cookie, stepCookieName) !== undefined) reply.clearCookie(stepCookieName, stepCookieOptions);
      if (readCookie(cookie, singleExperienceCookieName) !== undefined)
        reply.clearCookie(singleExperienceCookieName, cookieOptions);
      reply.header('clear-site-data', '"cache"');
      return reply.type('application/json').send(JSON.stringify(goodbye(elsewhere)));
    },
  );
}
