import type { FastifyInstance } from 'fastify';
import { socketPath } from '../../../shared/contract/realtime.ts';
import { PortalError } from '../../errors.ts';
import type { RouteParts } from '../replies/route-dependencies.ts';

/**
 * Adds GET /ui/socket: tells whether a socket would be accepted now. Browsers hide how a handshake was refused, so the
 * page asks here whether to try again.
 */
export function addSocketRoute(app: FastifyInstance, { hasSocketRoom }: RouteParts): void {
  app.get(
    socketPath,
    { schema: { tags: ['session'], summary: 'Whether this account may open one more socket.' } },
    ({ caller: { session } }, reply) => {
      if (!session) throw new PortalError('SESSION_ENDED');
      if (!hasSocketRoom(session.account)) throw new PortalError('TOO_MANY_SOCKETS');
      reply.code(204).send();
    },
  );
}
