import type { FastifyRequest } from 'fastify';
import { parsePeer, writeAddress } from '../../../shared/rules/ip-address.ts';
import { isLoopback } from '../http/own-host.ts';

/**
 * Gives the address of the browser that a request is made for. A portal on the same machine hands it on
 * (`X-Forwarded-For`); from anywhere else the header is not believed.
 */
export function clientAddress({ headers, socket }: FastifyRequest): string {
  const peer = socket.remoteAddress ?? '';
  const handed = isLoopback(peer) ? String(headers['x-forwarded-for'] ?? '') : '';
  const text = handed.split(',').at(-1)?.trim() || peer;
  const address = parsePeer(text);
  return address ? writeAddress(address) : text.slice(0, 100);
}
