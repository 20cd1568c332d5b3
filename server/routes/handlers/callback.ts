import type { FastifyInstance } from 'fastify';
import { finishSignOn } from '../../commands/sign-in/sign-on.ts';
import { readCookie, singleExperienceCookieName, tripCookieName } from '../replies/cookie.ts';
import { keepCookies } from '../replies/kept-cookies.ts';
import type { RouteParts } from '../replies/route-dependencies.ts';

/**
 * Adds GET /auth/callback, to which an identity provider sends the browser back. It is the only GET that changes
 * something: it needs the cookie of a sign-on that this browser began, and its state, both good once.
 */
export function addCallbackRoute(app: FastifyInstance, { services, organisation }: RouteParts): void {
  app.get(
    '/auth/callback',
    {
      // A look at the head would use the code up.
      exposeHeadRoute: false,
      config: { page: true },
      schema: { tags: ['session'], summary: 'Comes back from an identity provider.' },
    },
    async ({ caller, headers, url }, reply) => {
      const query = url.split('?').slice(1).join('?');
      const tripName = tripCookieName(new URLSearchParams(query).get('state'));
      const brought = {
        trip: tripName && readCookie(headers.cookie, tripName),
        isSingleExperience: readCookie(headers.cookie, singleExperienceCookieName) === '1',
      };
      const { to, ...kept } = await finishSignOn({ caller, services }, brought, query);
      keepCookies(reply, kept, organisation);
      return reply.redirect(to, 302);
    },
  );
}
