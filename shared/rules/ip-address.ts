import ipaddr from 'ipaddr.js';

/** An address as a number: 32 bits of an IPv4 address, 128 of an IPv6 one. */
export type Address = { readonly version: 4 | 6; readonly value: bigint };

/** Addresses of one version, both ends included. */
export type AddressRange = { readonly version: 4 | 6; readonly from: bigint; readonly to: bigint };

/** Four numbers from 0 to 255 without leading zeros, which some programs read as octal. */
const fourParts = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;
/** Some proxies add the port to the address that they forward. */
const withPort = /^(?:(\d{1,3}(?:\.\d{1,3}){3})|\[([^\]]+)\]):\d+$/;
const longest = 100;

const numberOf = (bytes: readonly number[]): bigint => bytes.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);

/** Reads an address as people write one; an IPv4 address that is written as IPv6 (`::ffff:1.2.3.4`) is IPv4. */
export function parseAddress(text: string): Address | undefined {
  if (fourParts.test(text)) return { version: 4, value: numberOf(text.split('.').map(Number)) };
  if (text.length > longest || !/^[0-9a-f:.]+$/i.test(text) || !ipaddr.IPv6.isValid(text)) return undefined;
  const { parts } = ipaddr.IPv6.parse(text);
  const value = parts.reduce((sum, part) => sum * 65_536n + BigInt(part), 0n);
  return value >> 32n === 0xffffn ? { version: 4, value: value & 0xffff_ffffn } : { version: 6, value };
}

/** Reads the address of a connection, which may have a zone (`fe80::1%eth0`) or a port besides. */
export function parsePeer(text: string): Address | undefined {
  const [, v4, v6] = withPort.exec(text) ?? [];
  return parseAddress((v4 ?? v6 ?? text).replace(/%.*$/, ''));
}

const lengthOf = (version: 4 | 6): number => (version === 4 ? 32 : 128);

function parseNetwork(text: string, prefix: string): AddressRange | undefined {
  const address = parseAddress(text);
  if (!address || !/^(?:0|[1-9]\d{0,2})$/.test(prefix)) return undefined;
  const { version, value } = address;
  // Of an IPv4 network that is written as IPv6 the first 96 bits are the same for all.
  const bits = Number(prefix) - (version === 4 && text.includes(':') ? 96 : 0);
  const free = BigInt(lengthOf(version) - bits);
  if (bits < 0 || free < 0n) return undefined;
  const from = (value >> free) << free;
  return { version, from, to: from + (1n << free) - 1n };
}

/**
 * Reads an address (`203.0.113.7`), a network (`203.0.113.0/24`; bits behind its prefix do not count) or a range
 * (`203.0.113.7-203.0.113.20`), of IPv4 or IPv6; undefined for what is none, as where the ends of a range are of two
 * versions or the wrong way round.
 */
export function parseRange(given: string): AddressRange | undefined {
  const text = given.trim();
  if (text.length > longest) return undefined;
  const [network, prefix, ...more] = text.split('/');
  if (prefix !== undefined) return more.length === 0 ? parseNetwork(network ?? '', prefix) : undefined;
  const ends = text.split(/\s*[-–]\s*/);
  if (ends.length > 2) return undefined;
  const from = parseAddress(ends[0] ?? '');
  const to = ends[1] === undefined ? from : parseAddress(ends[1]);
  if (!from || !to || from.version !== to.version || from.value > to.value) return undefined;
  return { version: from.version, from: from.value, to: to.value };
}

/** Writes an address in the one form that all its spellings have in common. */
export function writeAddress({ version, value }: Address): string {
  const bytes = Array.from({ length: lengthOf(version) / 8 }, (_, index) =>
    Number((value >> BigInt(lengthOf(version) - 8 * (index + 1))) & 0xffn),
  );
  // As RFC 5952 says: the longest run of zeros is left out.
  return version === 4 ? bytes.join('.') : new ipaddr.IPv6(bytes).toRFC5952String();
}

/** Writes what `parseRange` read: as an address or a network where it is one. */
export function writeRange({ version, from, to }: AddressRange): string {
  const size = to - from + 1n;
  const first = writeAddress({ version, value: from });
  if (size === 1n) return first;
  const isNetwork = (size & (size - 1n)) === 0n && from % size === 0n;
  if (isNetwork) return `${first}/${lengthOf(version) - size.toString(2).length + 1}`;
  return `${first}-${writeAddress({ version, value: to })}`;
}

const plainIPv4 = /^\d{1,3}(?:\.\d{1,3}){3}$/;

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
