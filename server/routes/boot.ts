import type { FastifyInstance } from 'fastify';
import { sendBytes } from './compressed.ts';
import type { RouteParts } from './parts.ts';

/** GET /ui/boot: private, and asked for again with its ETag. */
export function addBootRoute(app: FastifyInstance, { bootText }: RouteParts): void {
  app.get(
    '/ui/boot',
    { schema: { tags: ['screens'], summary: 'What the browser needs before its first screen.' } },
    (request, reply) => {
      const { bytes, hash } = bootText(request.caller);
      const etag = `"${hash}"`;
      reply.headers({ etag, 'cache-control': 'private, no-cache', vary: 'cookie' });
      if (request.headers['if-none-match'] === etag) reply.code(304).send();
      else sendBytes(reply.type('application/json'), bytes);
    },
  );
}
