import { areSame, hmacOf } from './secrets.ts';

/** The longest payload that is read, in characters. */
export const longestPayload = 2000;

/** Signs the payload, which is base64, as it travels: a newline in it counts. */
export const signPayload = (secret: string, payload: string): string => hmacOf(secret, payload, 'hex');

/** Writes fields as a payload and its signature, for the query of an address. */
export function writePayload(
  secret: string,
  fields: Readonly<Record<string, string>>,
): { readonly sso: string; readonly sig: string } {
  const sso = Buffer.from(new URLSearchParams(fields).toString()).toString('base64');
  return { sso, sig: signPayload(secret, sso) };
}

/** Reads the fields of a payload; undefined where its signature is of another secret. */
export function readPayload(secret: string, sso: string, sig: string): URLSearchParams | undefined {
  if (sso.length > longestPayload || !areSame(signPayload(secret, sso), sig.toLowerCase())) return undefined;
  return new URLSearchParams(Buffer.from(sso, 'base64').toString('utf8'));
}
