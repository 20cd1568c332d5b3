import type { FastifyInstance } from 'fastify';
import type { RouteParts } from '../replies/route-dependencies.ts';

/**
 * Adds GET /ui/boot: the boot (the page's data on its user: facts, menus, routes, texts) as JSON, with an ETag; and GET
 * /ui/popups: its popups alone, which pages leave out.
 */
export function addBootRoute(app: FastifyInstance, { bootText, answers }: RouteParts): void {
  const send = answers.createSame({ 'cache-control': 'private, no-cache', vary: 'cookie' });
  app.get(
    '/ui/boot',
    { schema: { tags: ['screens'], summary: 'What the browser needs before its first screen.' } },
    (request, reply) => {
      const { bytes, hash } = bootText(request.caller);
      send(request, reply, bytes, hash);
    },
  );
  app.get(
    '/ui/popups',
    { schema: { tags: ['screens'], summary: 'The popups of the caller, by id, with the hashes of their layouts.' } },
    (request, reply) => {
      const { popups, hash } = bootText(request.caller);
      send(request, reply, popups, hash);
    },
  );
}
