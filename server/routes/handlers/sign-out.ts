import type { FastifyInstance } from 'fastify';
import type { Envelope } from '../../../shared/contract/envelope.ts';
import { endSession } from '../../commands/identity/end-session.ts';
import { keepCookies } from '../replies/kept-cookies.ts';
import type { RouteParts } from '../replies/route-dependencies.ts';

/**
 * Adds POST /auth/sign-out: ends the session and gives the way to the identity provider that opened it, which must be
 * signed out of too (document 1, section 4). Clears the browser's HTTP cache; its storage also holds the theme, so the
 * runtime itself removes drafts of forms.
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
