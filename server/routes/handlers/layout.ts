import type { FastifyInstance } from 'fastify';
import { PortalError } from '../../errors.ts';
import type { RouteParts } from '../replies/route-dependencies.ts';

/** Adds GET /ui/layouts/{hash}: a layout of the caller's own by its hash; 404 for any other. */
export function addLayoutRoute(app: FastifyInstance, { memory, answers }: RouteParts): void {
  const send = answers.createSame({ 'cache-control': 'private, max-age=31536000, immutable' });
  app.get<{ Params: { hash: string } }>(
    '/ui/layouts/:hash',
    { schema: { tags: ['screens'], summary: 'A layout by its content hash.' } },
    (request, reply) => {
      const { access } = request.caller;
      const found = access.byHash.get(request.params.hash);
      if (!found) throw new PortalError('NOT_FOUND');
      memory.note(access, found);
      send(request, reply, found.bytes, found.hash);
    },
  );
}
