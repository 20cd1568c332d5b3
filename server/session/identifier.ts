import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

/** Characters of an identifier: 32 random bytes in base64url. */
const shape = /^[A-Za-z0-9_-]{43}$/;

/** Creates an identifier of 256 random bits. Its only copy travels in the cookie. */
export const createIdentifier = (): string => randomBytes(32).toString('base64url');

/** True for a text of the shape that `createIdentifier` makes. */
export const isIdentifier = (value: string): boolean => shape.test(value);

/** Hashes an identifier for storage: SHA-256, base64url. */
export const keyOf = (identifier: string): string => createHash('sha256').update(identifier).digest('base64url');

/**
 * The key under which a session's tokens are sealed comes from the identifier itself, of which the server keeps only
 * a hash: whoever has the database, and any backup of it, has no token. Nothing needs to be shared between processes.
 */
const sealKey = (identifier: string): Buffer => Buffer.from(hkdfSync('sha256', identifier, '', 'portal tokens', 32));

/**
 * Encrypts a text with AES-256-GCM. The key is derived from `identifier`, a secret: whoever has it can `unseal`. Gives
 * nonce, tag and ciphertext as one text in base64url.
 */
export function seal(identifier: string, text: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', sealKey(identifier), nonce);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
}

/** Decrypts a text that `seal` made. Throws when it was sealed under another identifier or changed since. */
export function unseal(identifier: string, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', sealKey(identifier), bytes.subarray(0, 12), { authTagLength: 16 });
  decipher.setAuthTag(bytes.subarray(12, 28));
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
}
