import { parse } from 'tldts';
import { type AddressRange, parseRange, writeRange } from '../../../shared/rules/ip-address.ts';
import { readDomainName } from '../domains/names.ts';
import type { EntryKind } from './tables.ts';

/** An entry of a list in its one spelling: small letters, domains as DNS has them, addresses of IP as RFC 5952 says. */
export type Entry = { readonly kind: EntryKind; readonly address: string; readonly range?: AddressRange };

/** Why something is no entry. */
export type WrongEntry = 'EntryMalformed' | 'EntryQuoted' | 'EntrySuffix' | 'EntryWide';

/** What stands before the "@" without quotes (RFC 5321, 4.1.2: Dot-string). */
const localPart = /^[\w!#$%&'+/=?^`{|}~-]+(?:\.[\w!#$%&'+/=?^`{|}~-]+)*$/;
const longestLocalPart = 64;
/** Addresses of IP that one entry is about at most, in bits: a network /8, or /32 of IPv6. */
const widest = { 4: 24n, 6: 96n } as const;

/**
 * Reads an entry as people write one: an address, `@domain` or a domain alone, `*.domain` for all below it, an address,
 * network or range of IP.
 */
export function readEntry(typed: string): Entry | WrongEntry {
  const text = typed.trim();
  const range = parseRange(text);
  if (range) {
    const isWide = range.to - range.from >= 1n << widest[range.version];
    return isWide ? 'EntryWide' : { kind: 'Range', address: writeRange(range), range };
  }
  if (text.startsWith('*.')) return readSubdomains(text.slice(2));
  const at = text.lastIndexOf('@');
  const domain = readDomainName(text.slice(at + 1));
  if (!domain) return 'EntryMalformed';
  if (at <= 0) return { kind: 'Domain', address: `@${domain.ascii}` };
  const local = text.slice(0, at);
  if (local.startsWith('"')) return 'EntryQuoted';
  if (local.length > longestLocalPart || !localPart.test(local)) return 'EntryMalformed';
  return { kind: 'Address', address: `${local.toLowerCase()}@${domain.ascii}` };
}

/** All below a public suffix ("*.co.uk") are other people's domains, without number. */
function readSubdomains(text: string): Entry | WrongEntry {
  const ascii = readDomainName(text)?.ascii ?? topLevel(text);
  if (ascii === undefined) return 'EntryMalformed';
  const { publicSuffix } = parse(ascii, { allowPrivateDomains: true });
  return publicSuffix === ascii ? 'EntrySuffix' : { kind: 'Subdomains', address: `*.${ascii}` };
}

const topLevel = (text: string): string | undefined => readDomainName(`any.${text}`)?.ascii.slice('any.'.length);

/** Lists the entries, but for those of IP, that an address or a domain falls under: the narrowest first. */
export function entriesFor({ kind, address }: Entry): string[] {
  if (kind === 'Range') return [address];
  const domain = address.replace(/^(?:[^@]*@|\*\.)/, '');
  const labels = domain.split('.');
  const above = labels.slice(1, -1).map((_, index) => `*.${labels.slice(index + 1).join('.')}`);
  if (kind === 'Subdomains') return [address, ...above];
  return kind === 'Domain' ? [address, ...above] : [address, `@${domain}`, ...above];
}
