import { domainToASCII } from 'node:url';
import { isEmail } from '../http/formats.ts';

/** Characters before the "@" (RFC 5321, 4.5.3.1.1). */
const longestLocalPart = 64;

/** Gives an address with its domain in small ASCII letters: "Ada@BÜCHER.test" is "Ada@xn--bcher-kva.test". */
export function normaliseAddress(given: string): string {
  const at = given.lastIndexOf('@');
  return at < 0 ? given : `${given.slice(0, at)}@${domainToASCII(given.slice(at + 1))}`;
}

/** True of an address that mail can be sent to, with its domain as DNS has it. */
export const isMailAddress = (address: string): boolean =>
  isEmail(address) && address.lastIndexOf('@') <= longestLocalPart;
