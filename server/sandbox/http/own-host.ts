import type { FastifyRequest } from 'fastify';
import { notFound } from './errors.ts';

export const isLoopback = (address = ''): boolean =>
  address === '::1' || /^(?:::ffff:)?127(?:\.\d{1,3}){3}$/.test(address);

/**
 * For the pages that a person opens: a site whose name was bent to this machine ("DNS rebinding") sends its own name as
 * the host, and could read them with the browser's help. Throws Not Found for any host but the address that was reached
 * and the names of this machine.
 */
export async function requireOwnHost({ headers: { host = '' }, socket }: FastifyRequest): Promise<void> {
  const name = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname.replace(/^\[|\]$/g, '') : '';
  const reached = socket.localAddress?.replace(/^::ffff:/, '');
  if (name !== 'localhost' && !isLoopback(name) && name !== reached) throw notFound();
}
