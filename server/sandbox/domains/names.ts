import { domainToASCII, domainToUnicode } from 'node:url';

/** Labels of at most 63 characters; the last has letters, or is an A-label. */
const asciiPattern = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{1,58}[a-z0-9])$/;

/** A domain as people write it and as DNS has it: "büro.example" and "xn--bro-hoa.example". */
export type DomainName = { readonly name: string; readonly ascii: string };

/** Reads a domain that somebody typed, in any alphabet, with or without the dot at its end; undefined for what is none. */
export function readDomainName(typed: string): DomainName | undefined {
  const written = typed.trim().replace(/\.$/, '');
  // Other characters are no part of a domain, and URL parsing would drop or decode them.
  if (/[\s/\\?#@:%[\]_]/.test(written)) return undefined;
  const ascii = domainToASCII(written);
  if (ascii === '' || ascii.length > 253 || !asciiPattern.test(ascii)) return undefined;
  const name = domainToUnicode(ascii);
  return name === '' ? undefined : { name, ascii };
}
