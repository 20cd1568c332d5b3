import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { networkOf } from '../../../shared/rules/ip-address.ts';
import { PortalError } from '../../errors.ts';
import { createCounts } from '../../session/count-by-key.ts';
import type { IsProxy } from '../records/forwarded-address.ts';
import type { Metrics } from '../records/metrics.ts';

/** Requests that one process works on at once; more are sent away at the door, while its health stays visible. */
const most = 1000;
/**
 * Connections that wait to be accepted. Beyond the 511 of Node the system drops what comes, of whomever, and a browser
 * tries again after a second: two thousand at once cost others that. The system may have a lower bound of its own.
 */
export const backlog = 4096;
const exempt = new Set(['/health', '/ready', '/metrics']);

/** True for a request whose body is still to come; what reads carry as a body is never looked at. */
const hasBody = ({ method, headers }: FastifyRequest): boolean =>
  method !== 'GET' &&
  method !== 'HEAD' &&
  (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0);

/**
 * Counts requests under way, in all and per network, from the arrival of their body to their end. Gives the function to
 * call on that arrival; it throws BUSY when there are too many.
 */
export function limitRequests(
  app: FastifyInstance,
  metrics: Metrics,
  mostOfNetwork: number,
): (request: FastifyRequest) => void {
  let working = 0;
  const unfinished = createCounts();
  const begins = new WeakMap<FastifyRequest, () => void>();

  app.addHook('onRequest', (request, reply, done) => {
    const started = performance.now();
    const isExempt = exempt.has(request.url);
    const network = networkOf(request.ip);
    let isWorking = false;
    const begin = (): void => {
      if (working >= most && !isExempt) throw new PortalError('BUSY');
      isWorking = true;
      working += 1;
    };
    const ofNetwork = isExempt ? 0 : unfinished.add(network);
    // Comes once, also when the browser goes away before the answer is ready.
    reply.raw.on('close', () => {
      if (isWorking) working -= 1;
      if (!isExempt) unfinished.drop(network);
      const { writableFinished, statusCode } = reply.raw;
      metrics.observe(request, writableFinished ? statusCode : 'cut', performance.now() - started);
    });
    if (ofNetwork > mostOfNetwork) {
      reply.header('connection', 'close');
      throw new PortalError('TOO_MANY', { detail: 'unfinished requests of an address' });
    }
    if (hasBody(request)) begins.set(request, begin);
    else begin();
    done();
  });
  return request => begins.get(request)?.();
}

/**
 * Limits the connections of one network to the server; more are closed before a byte is read. Exempt are trusted
 * proxies, which stand for many people. A WebSocket's connection is counted by realtime/ instead.
 */
export function limitConnections(server: Server, mostOfNetwork: number, isProxy: IsProxy): void {
  const open = createCounts();
  const releases = new WeakMap<Socket, () => void>();
  server.on('connection', (socket: Socket) => {
    const { remoteAddress = '' } = socket;
    if (isProxy(remoteAddress)) return;
    const network = networkOf(remoteAddress);
    let isCounted = true;
    const release = (): void => {
      if (isCounted) open.drop(network);
      isCounted = false;
    };
    releases.set(socket, release);
    socket.once('close', release);
    if (open.add(network) > mostOfNetwork) socket.destroy();
  });
  server.on('upgrade', ({ socket }) => releases.get(socket)?.());
}
