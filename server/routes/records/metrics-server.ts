import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { ConfigError } from '../../config.ts';
import type { Metrics } from './metrics.ts';

const hash = (text: string): Buffer => createHash('sha256').update(text).digest();

/** True for the header `Authorization: Bearer <token>`, compared in constant time. */
export const isAuthorised = (header: string | undefined, token: string): boolean =>
  timingSafeEqual(hash(header ?? ''), hash(`Bearer ${token}`));

export type MetricsAddress = { readonly host: string; readonly port: number; readonly token: string | undefined };

/**
 * Serves the metrics, and nothing else, on a port of their own: to this machine alone, or to requests with the token.
 */
export function serveMetrics(app: FastifyInstance, metrics: Metrics, { host, port, token }: MetricsAddress): void {
  const server = createServer({ requestTimeout: 5000 }, (request, response) => {
    const answer = (status: number, type: string, text: string) =>
      response.writeHead(status, { 'content-type': type, 'x-content-type-options': 'nosniff' }).end(text);
    if (request.method !== 'GET' || request.url !== '/metrics') answer(404, 'text/plain', '');
    else if (token !== undefined && !isAuthorised(request.headers.authorization, token)) answer(401, 'text/plain', '');
    else
      void metrics.write().then(
        text => answer(200, metrics.contentType, text),
        () => answer(500, 'text/plain', ''),
      );
  });
  app.addHook('onReady', async () => {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen({ host, port }, resolve);
    }).catch(({ code }: NodeJS.ErrnoException) => {
      throw new ConfigError(
        code === 'EADDRINUSE'
          ? `METRICS_PORT ${port} is in use by another process.`
          : `METRICS_PORT ${port} cannot be listened on (${code}).`,
      );
    });
    server.unref();
  });
  app.addHook('onClose', async () => {
    server.close();
    server.closeAllConnections();
  });
}
