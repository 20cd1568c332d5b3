import type { FastifyInstance } from 'fastify';
import { PortalError } from '../errors.ts';
import { sendBytes } from './compressed.ts';
import type { RouteParts } from './parts.ts';

/** GET /ui/layouts/{hash}: a layout of the caller's own; any other is not there. */
export function addLayoutRoute(app: FastifyInstance, { memory }: RouteParts): void {
  app.get<{ Params: { hash: string } }>(
    '/ui/layouts/:hash',
    {
      schema: {
        tags: ['screens'],
        summary: 'A layout by its content hash.',
        params: { type: 'object', properties: { hash: { type: 'string', maxLength: 64 } } },
      },
    },
    ({ caller, params, headers }, reply) => {
      const found = caller.access.byHash.get(params.hash);
      if (!found) throw new PortalError('NOT_FOUND');
      memory.note([found]);
      const etag = `"${found.hash}"`;
      reply.headers({ 'cache-control': 'private, max-age=31536000, immutable', etag });
      if (headers['if-none-match'] === etag) reply.code(304).send();
      else sendBytes(reply.type('application/json'), found.bytes);
    },
  );
}
