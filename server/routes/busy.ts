import type { FastifyInstance } from 'fastify';
import { PortalError } from '../errors.ts';

/** Requests that one process works on at once; more are sent away at the door, while its health stays visible. */
const most = 1000;
const exempt = new Set(['/health', '/ready', '/metrics']);

export function limitLoad(app: FastifyInstance): void {
  let working = 0;
  const leave = (): void => {
    working -= 1;
  };
  app.addHook('onRequest', (request, reply, done) => {
    if (working >= most && !exempt.has(request.url)) throw new PortalError('BUSY');
    working += 1;
    // Comes once, also when the browser goes away before the answer is ready.
    reply.raw.on('close', leave);
    done();
  });
}
