import type { FastifyRequest } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { CloudWatch } from '../../cloud/upstream.ts';
import type { ErrorCode } from '../../errors.ts';

/** Serves metrics of the process in the Prometheus format. */
export type Metrics = {
  /** Counts a request by its route and the status of its answer; `cut`: the answer did not come to its end. */
  observe(request: FastifyRequest, status: number | 'cut', milliseconds: number): void;
  /** Counts a request that ended in an error, by its code. */
  failed(code: ErrorCode): void;
  /** Tells a figure that is asked for whenever the figures are read. */
  tell(name: string, help: string, read: () => number | Promise<number>): void;
  /** Counts a field of a reply that is not what its operation or command declares. */
  contractBroken(operation: string, field: string): void;
  /** Counts the calls of the cloud. */
  readonly cloud: CloudWatch;
  readonly contentType: string;
  write(): Promise<string>;
};

/**
 * Creates the metrics of this process, with the defaults of Node.js, for the Prometheus text format. Where they are not
 * `served`, requests are not counted, so that short answers are fast.
 */
export function createMetrics({ served }: { readonly served: boolean }): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to answer, by route and status; the status of an answer that broke off is "cut".',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  const failures = new Counter({
    name: 'http_failures_total',
    help: 'Requests that ended in an error of the portal, by its code (server/errors.ts).',
    labelNames: ['code'],
    registers: [registry],
  });
  const tell: Metrics['tell'] = (name, help, read) => {
    new Gauge({
      ...{ name, help, registers: [registry] },
      async collect() {
        this.set(await read());
      },
    });
  };
  const calls = new Histogram({
    name: 'cloud_call_duration_seconds',
    help: 'Time that calls of the cloud and of identity providers took, by service and outcome.',
    labelNames: ['service', 'outcome'],
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15],
    registers: [registry],
  });
  const pauses = new Gauge({
    name: 'cloud_paused',
    help: '1 while a service of the cloud is not called, as it does not answer.',
    labelNames: ['service'],
    registers: [registry],
  });
  const breaches = new Counter({
    name: 'contract_breaches_total',
    help: 'Replies with a field that is not what its operation or command declares, by both.',
    labelNames: ['operation', 'field'],
    registers: [registry],
  });
  return {
    contractBroken: (operation, field) => breaches.inc({ operation, field }),
    failed: code => failures.inc({ code }),
    tell,
    cloud: {
      observe: (service, outcome, seconds) => calls.observe({ service, outcome }, seconds),
      paused: (service, isPaused) => pauses.set({ service }, isPaused ? 1 : 0),
    },
    observe: ({ method, routeOptions }, status, milliseconds) => {
      if (served) durations.observe({ method, route: routeOptions.url ?? 'none', status }, milliseconds / 1000);
    },
    contentType: registry.contentType,
    write: () => registry.metrics(),
  };
}
