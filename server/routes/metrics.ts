import type { FastifyRequest } from 'fastify';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { createDurations } from './durations.ts';

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
  const durations = createDurations();
  return {
    observe: (request, status, milliseconds) =>
      durations.observe(request.method, request.routeOptions.url ?? 'none', status, milliseconds / 1000),
    contentType: registry.contentType,
    write: async () => `${await registry.metrics()}\n${durations.write()}`,
  };
}
