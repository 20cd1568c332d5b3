import type { FastifyInstance } from 'fastify';
import { followLink } from '../../commands/public/follow-link.ts';
import { PortalError } from '../../errors.ts';
import { readText } from '../bounds/request-body.ts';
import type { RouteParts } from '../replies/route-dependencies.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The proof is in the address, and no cookie is read: a page of another site gains nothing by sending it. */
    byLink?: boolean;
  }
}

/** Of the form with one field that a mail program sends. */
const bounds = { bytes: 1024, milliseconds: 10_000 };

/**
 * Adds POST /unsubscribe/{token}, which mail programs send when their user presses "Unsubscribe" (RFC 8058): a form with
 * the field `List-Unsubscribe=One-Click`, without cookies. Sent again it changes nothing more. The page of the same
 * address says what happened and offers to undo it. An address that sends many wrong tokens has to wait.
 */
export async function addUnsubscribeRoute(app: FastifyInstance, { services }: RouteParts): Promise<void> {
  await app.register(async scope => {
    const forms = ['application/x-www-form-urlencoded', 'multipart/form-data'];
    scope.addContentTypeParser(forms, (_request, payload, done) => {
      readText(payload, bounds).then(text => done(null, text), done);
    });
    scope.post<{ Params: { token: string } }>(
      '/unsubscribe/:token',
      { config: { byLink: true }, schema: { hide: true } },
      async ({ params: { token }, ip, body }, reply) => {
        if (!/List-Unsubscribe"?(?:=|\r?\n\r?\n)One-Click/.test(String(body))) throw new PortalError('BAD_REQUEST');
        const outcome = await followLink(
          services,
          { address: ip },
          {
            action: 'link.unsubscribe',
            parts: [token],
            ask: () => services.links.stopMails(token, false),
            detail: { way: 'mail program' },
          },
        );
        if (outcome.kind === 'refused') throw new PortalError('NOT_FOUND');
        return reply.type('text/plain; charset=utf-8').send('Unsubscribed.');
      },
    );
  });
}
