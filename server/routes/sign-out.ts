import type { FastifyInstance } from 'fastify';
import type { Envelope } from '../../shared/contract/envelope.ts';
import { cookieName, cookieOptions } from './cookie.ts';
import type { RouteParts } from './parts.ts';

const goodbye: Envelope = {
  Succeed: true,
  Resources: { code: 'SESSION_CHANGED' },
  effects: [{ do: 'navigate', to: '/login', replace: true }],
};

/**
 * POST /auth/sign-out: ends the session here, on every process and at the cloud. The browser forgets what it kept of
 * pages and layouts; its storage holds the theme too, so what was typed is dropped by the runtime itself.
 */
export function addSignOutRoute(app: FastifyInstance, { services }: RouteParts): void {
  app.post(
    '/auth/sign-out',
    { schema: { tags: ['session'], summary: 'Ends the session.' } },
    async ({ caller }, reply) => {
      const { session, identifier, principal, address, device } = caller;
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
      reply.clearCookie(cookieName, cookieOptions).header('clear-site-data', '"cache"');
      return reply.type('application/json').send(JSON.stringify(goodbye));
    },
  );
}
