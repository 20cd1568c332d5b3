import { hash, verify } from '@node-rs/argon2';

/** Hashes a password with Argon2id and the library's parameters (OWASP's first recommendation: 19 MiB, two passes). */
export const hashPassword = (password: string): Promise<string> => hash(password);

/** Compared when there is no account, so that the answer takes as long as for one that there is. */
const nobody = hash('nobody');

/**
 * True when the password belongs to the stored hash. Takes as long for a missing hash, so that the time does not tell
 * whether the account exists.
 */
export async function isPassword(stored: string | null | undefined, password: string): Promise<boolean> {
  const matches = await verify(stored ?? (await nobody), password);
  return matches && stored != null;
}
