import type { IncomingMessage } from 'node:http';
import { BlockList, isIPv6 } from 'node:net';

/** True for the address of a proxy whose word is taken. */
export type IsProxy = (address: string) => boolean;

/**
 * Gives a function that is true for the address of a trusted proxy. `proxies`: addresses and ranges, as in
 * TRUSTED_PROXIES.
 */
export function createIsProxy(proxies: readonly string[]): IsProxy {
  const list = new BlockList();
  for (const proxy of proxies) {
    const [address = '', bits] = proxy.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return address => list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

/**
 * Creates the function that gives the browser's address behind trusted proxies, for sockets and requests that Fastify
 * does not handle.
 */
export const createAddressOf =
  (isProxy: IsProxy) =>
  ({ socket, headers }: IncomingMessage): string => {
    const forwarded = String(headers['x-forwarded-for'] ?? '').split(',');
    let address = socket.remoteAddress ?? '';
    while (isProxy(address) && forwarded.length > 0) {
      const before = forwarded.pop()?.trim();
      if (!before) break;
      address = before;
    }
    return address;
  };
