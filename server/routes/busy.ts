import type { FastifyInstance } from 'fastify';
import { PortalError } from '../errors.ts';
import type { Metrics } from './metrics.ts';

/** Requests that one process works on at once; more are sent away at the door, while its health stays visible. */
const most = 1000;
const exempt = new Set(['/health', '/ready', '/metrics']);

/** Follows every request to its end: how many are worked on, and how long each took. */
export function limitLoad(app: FastifyInstance, metrics: Metrics): void {
  let working = 0;
  app.addHook('onRequest', (request, reply, done) => {
    const isTooMany = working >= most && !exempt.has(request.url);
    const started = performance.now();
    if (!isTooMany) working += 1;
    // Comes once, also when the browser goes away before the answer is ready.
    reply.raw.on('close', () => {
      if (!isTooMany) working -= 1;
      metrics.observe(request, reply.raw.statusCode, performance.now() - started);
    });
    if (isTooMany) throw new PortalError('BUSY');
    done();
  });
}
