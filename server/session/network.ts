import ipaddr from 'ipaddr.js';

const plainIPv4 = /^\d{1,3}(?:\.\d{1,3}){3}$/;
/** Some proxies add the port to the address that they forward. */
const withPort = /^(?:(\d{1,3}(?:\.\d{1,3}){3})|\[([^\]]+)\]):\d+$/;

/** All that is no address counts as one network: only a misconfigured proxy names such. */
const noAddress = 'unknown';

/**
 * Gives the network of an address, by which limits count: an IPv4 address (also written as IPv6), or the first 64 bits
 * of an IPv6 address, which one household or office has to itself. Every spelling gives the same text.
 */
export function networkOf(address: string): string {
  if (plainIPv4.test(address)) return address;
  const [, v4, v6] = withPort.exec(address) ?? [];
  const text = v4 ?? v6 ?? address;
  if (plainIPv4.test(text)) return text;
  if (!ipaddr.IPv6.isValid(text)) return noAddress;
  const parsed = ipaddr.IPv6.parse(text);
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString();
  const groups = parsed.parts.slice(0, 4).map(part => part.toString(16));
  return `${groups.join(':')}::/64`;
}
