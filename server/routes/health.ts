import type { FastifyInstance } from 'fastify';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import { isLoopback } from '../config.ts';
import { PortalError } from '../errors.ts';
import type { RouteParts } from './parts.ts';

/** GET /health (alive), /ready (its database answers) and /metrics (for this machine only). */
export function addHealthRoutes(app: FastifyInstance, { store, layouts }: RouteParts): void {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const seconds = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to answer, by route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  const series = new Map<string, ReturnType<typeof seconds.labels>>();
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none';
    const name = `${request.method} ${route} ${reply.statusCode}`;
    let one = series.get(name);
    if (!one) {
      one = seconds.labels(request.method, route, String(reply.statusCode));
      series.set(name, one);
    }
    one.observe(reply.elapsedTime / 1000);
    done();
  });

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
      return reply.type(registry.contentType).send(await registry.metrics());
    },
  );
}
