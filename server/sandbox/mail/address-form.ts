import { domainToASCII, domainToUnicode } from 'node:url';
import { isEmail } from '../http/formats.ts';

/** Characters before the "@" (RFC 5321, 4.5.3.1.1). */
const longestLocalPart = 64;

/** Gives an address with its domain in small ASCII letters: "Ada@BÜCHER.test" is "Ada@xn--bcher-kva.test". */
export function normaliseAddress(given: string): string {
  const at = given.lastIndexOf('@');
  return at < 0 ? given : `${given.slice(0, at)}@${domainToASCII(given.slice(at + 1))}`;
}

/** Gives an address as people read it: the domain of "ada@xn--bcher-kva.test" is "bücher.test". */
export function readableAddress(address: string): string {
  const at = address.lastIndexOf('@');
  return at < 0 ? address : `${address.slice(0, at)}@${domainToUnicode(address.slice(at + 1))}`;
}

/** True of an address that mail can be sent to, with its domain as DNS has it. */
export const isMailAddress = (address: string): boolean =>
  isEmail(address) && address.lastIndexOf('@') <= longestLocalPart;
