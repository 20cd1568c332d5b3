import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { networkOf } from '../../../shared/rules/ip-address.ts';
import type { RequestIds } from './request-id.ts';

/**
 * Adds the access log: a line per request once it is answered, with its route instead of its address, which may hold
 * private data.
 */
export function addAccessLog(app: FastifyInstance, log: Logger, { traceOf }: RequestIds): void {
  // Whoever asks for it gets it, however little else is logged.
  const lines = log.child({}, { level: 'info' });
  app.addHook('onRequest', (request, reply, done) => {
    const began = performance.now();
    const { socket } = request.raw;
    const before = socket.bytesWritten;
    // Comes once, also when the browser goes away before the answer is ready.
    reply.raw.on('close', () => {
      const caller = request.caller as FastifyRequest['caller'] | null | undefined;
      lines.info(
        {
          request: request.id,
          trace: traceOf(request.raw)?.split('-')[1],
          method: request.method,
          route: request.routeOptions.url ?? 'none',
          status: reply.raw.statusCode,
          ms: Math.round(performance.now() - began),
          bytes: socket.bytesWritten - before,
          network: networkOf(request.ip),
          account: caller?.session?.account,
          ...(!reply.raw.writableFinished && { cut: true }),
        },
        'access',
      );
    });
    done();
  });
}
