import type { Effect } from '../../../shared/language/types.ts';

/** Who an authenticator app says its codes are for. */
const issuer = 'Fernhill Cloud';

/** Shows the key of an authenticator app, and the address from which one reads it (Google's key URI format). */
export function offerApp(username: string, key: string): Effect {
  const [label, by] = [`${issuer}:${username}`, issuer].map(encodeURIComponent);
  const address = `otpauth://totp/${label}?secret=${key}&issuer=${by}`;
  return { do: 'open-popup', popup: 'configure-mfa', with: { key: { value: key }, address: { value: address } } };
}
