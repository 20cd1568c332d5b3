import type { FastifyInstance } from 'fastify';
import { socketPath } from '../../shared/contract/realtime.ts';
import { PortalError } from '../errors.ts';
import type { RouteParts } from './route-dependencies.ts';

/**
 * GET /ui/socket: whether a socket would be let in now. A browser hides from its pages how a handshake was answered, so
 * that one that was refused asks here whether trying again is of use.
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
