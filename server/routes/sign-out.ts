import type { FastifyInstance } from 'fastify';
import type { Envelope } from '../../shared/contract/envelope.ts';
import { endSession } from '../commands/identity/end-session.ts';
import { keepCookies } from './kept-cookies.ts';
import type { RouteParts } from './route-dependencies.ts';

/**
 * POST /auth/sign-out: ends the session and leads on to the identity provider that opened it (document 1, section 4).
 * The browser forgets what it kept of pages and layouts; its storage holds the theme too, so what was typed is dropped
 * by the runtime itself.
 */
export function addSignOutRoute(app: FastifyInstance, { services, organisation }: RouteParts): void {
  app.post(
    '/auth/sign-out',
    { config: { unlimited: true }, schema: { tags: ['session'], summary: 'Ends the session.' } },
    async ({ caller }, reply) => {
      const { session } = caller;
      const connection = session && (await services.sessions.connection(session.key));
      const { envelope, ...kept } = await endSession({ caller, services }, 'signed out');
      keepCookies(reply, kept, organisation);
      reply.header('clear-site-data', '"cache"');
      // Only once the session is over: the provider may be slow to answer.
      const { identityProviders, ownOrigin } = services;
      const elsewhere = connection && (await identityProviders[connection]?.signOutAddress(`${ownOrigin()}/login`));
      const left: Envelope =
        elsewhere === undefined ? envelope : { ...envelope, effects: [{ do: 'leave', to: elsewhere }] };
      return reply.type('application/json').send(JSON.stringify(left));
    },
  );
}
