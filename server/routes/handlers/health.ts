import type { FastifyInstance } from 'fastify';
import { PortalError } from '../../errors.ts';
import { isAuthorised } from '../records/metrics-server.ts';
import type { RouteParts } from '../replies/route-dependencies.ts';

/**
 * Adds GET /health (the process runs), /ready (503 while its database does not answer or it is stopping) and /metrics
 * (Prometheus format, for requests with the token; else 404).
 */
export function addHealthRoutes(app: FastifyInstance, { store, metrics, metricsToken, drain }: RouteParts): void {
  const tags = ['operation'];
  app.get('/health', { schema: { tags, summary: 'Alive.' } }, async () => ({ status: 'ok' }));
  app.get('/ready', { schema: { tags, summary: 'Able to serve.' } }, async () => {
    if (drain.isStopping()) throw new PortalError('STOPPING');
    if (!(await store.isUp())) throw new PortalError('STORE_DOWN');
    return { status: 'ok' };
  });
  app.get(
    '/metrics',
    { schema: { tags, summary: 'Figures in the Prometheus format, for whoever has the token.' } },
    async (request, reply) => {
      if (metricsToken === undefined || !isAuthorised(request.headers.authorization, metricsToken))
        throw new PortalError('NOT_FOUND');
      return reply.type(metrics.contentType).send(await metrics.write());
    },
  );
}
