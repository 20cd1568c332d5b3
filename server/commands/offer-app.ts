/** Who an authenticator app says its codes are for. */
const issuer = 'Fernhill Cloud';

/** The address from which an authenticator app reads its key (the otpauth scheme of Google's key URI format). */
export function setUpAddress(username: string, key: string): string {
  const [label, by] = [`${issuer}:${username}`, issuer].map(encodeURIComponent);
  return `otpauth://totp/${label}?secret=${key}&issuer=${by}`;
}
