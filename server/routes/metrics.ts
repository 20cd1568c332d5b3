import type { FastifyRequest } from 'fastify';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';

/** What the process tells of itself, in the Prometheus format. */
export type Metrics = {
  /** Counts an answered request by its route and status. */
  observe(request: FastifyRequest, status: number, milliseconds: number): void;
  readonly contentType: string;
  write(): Promise<string>;
};

export function createMetrics(): Metrics {
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
  return {
    observe(request, status, milliseconds) {
      const route = request.routeOptions.url ?? 'none';
      const name = `${request.method} ${route} ${status}`;
      let one = series.get(name);
      if (!one) {
        one = seconds.labels(request.method, route, String(status));
        series.set(name, one);
      }
      one.observe(milliseconds / 1000);
    },
    contentType: registry.contentType,
    write: () => registry.metrics(),
  };
}
