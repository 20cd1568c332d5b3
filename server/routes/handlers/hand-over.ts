import type { FastifyInstance } from 'fastify';
import { handOverPath } from '../../commands/sites/sites.ts';
import { handOverPolicy, writeHandOver } from '../replies/hand-over-page.ts';
import { onlyLooks } from '../replies/only-looks.ts';
import type { RouteParts } from '../replies/route-dependencies.ts';

/**
 * Adds GET /hand-over/{ticket}, which leads a browser to another site with a token, once, in the session that asked for
 * it; any other ticket leads home. The live chat's page has it in its frame. The token goes as a form. Where the site's own protocol has it in an address, the
 * browser is redirected there, and keeps what the site leads on to.
 */
export function addHandOverRoute(app: FastifyInstance, { services }: RouteParts): void {
  app.get<{ Params: { ticket: string } }>(
    `${handOverPath}:ticket`,
    {
      // A look at the head would use the ticket up.
      exposeHeadRoute: false,
      config: { page: true },
      schema: { hide: true },
    },
    async (request, reply) => {
      const { caller, params } = request;
      const { ticket } = params;
      const found = await services.signInStages.find(ticket, 'hand-over');
      const isOwn = caller.session !== undefined && found?.session === caller.session.key;
      const taken = isOwn && !onlyLooks(request) ? await services.signInStages.take(ticket, 'hand-over') : undefined;
      if (!taken) return reply.redirect('/', 302);
      const { to, token, licence } = taken;
      if (token === undefined) return reply.redirect(to, 302);
      reply.ownPolicy = handOverPolicy(to, licence === undefined ? "'none'" : "'self'");
      const { lang, serverText } = caller.access;
      return reply
        .type('text/html; charset=utf-8')
        .send(writeHandOver({ lang, serverText }, to, { token, ...(licence !== undefined && { licence }) }));
    },
  );
}
