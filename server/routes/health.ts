import type { FastifyInstance } from 'fastify';
import { isLoopback } from '../config.ts';
import { PortalError } from '../errors.ts';
import type { RouteParts } from './parts.ts';

/** GET /health (alive), /ready (its database answers) and /metrics (for this machine only). */
export function addHealthRoutes(app: FastifyInstance, { store, layouts, metrics }: RouteParts): void {
  const tags = ['operation'];
  app.get('/health', { schema: { tags, summary: 'Alive.' } }, async () => ({ status: 'ok' }));
  app.get('/ready', { schema: { tags, summary: 'Able to serve.' } }, async () => {
    if (!(await store.isUp())) throw new PortalError('STORE_DOWN');
    return { status: 'ok', schemas: layouts.current().hash };
  });
  app.get(
    '/metrics',
    { schema: { tags, summary: 'Figures in the Prometheus format, on this machine only.' } },
    async (request, reply) => {
      // The socket's own address: no proxy header can name another.
      const remote = (request.socket.remoteAddress ?? '').replace(/^::ffff:/, '');
      if (!isLoopback(remote) || request.headers['x-forwarded-for'] !== undefined) throw new PortalError('NOT_FOUND');
      return reply.type(metrics.contentType).send(await metrics.write());
    },
  );
}
