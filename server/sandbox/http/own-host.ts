import type { FastifyRequest } from 'fastify';
import { notFound } from './errors.ts';

/** True for the network address of this machine itself (loopback, IPv4 or IPv6). */
export const isLoopback = (address = ''): boolean =>
  address === '::1' || /^(?:::ffff:)?127(?:\.\d{1,3}){3}$/.test(address);

/**
 * Guards pages that a person opens against DNS rebinding: throws Not Found unless the Host header is the address that
 * was reached or a name of this machine.
 */
export async function requireOwnHost({ headers: { host = '' }, socket }: FastifyRequest): Promise<void> {
  const name = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname.replace(/^\[|\]$/g, '') : '';
  const reached = socket.localAddress?.replace(/^::ffff:/, '');
  if (name !== 'localhost' && !isLoopback(name) && name !== reached) throw notFound();
}
