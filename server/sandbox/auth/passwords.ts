import { hash, verify } from '@node-rs/argon2';

/** Argon2id with the library's parameters (OWASP's first recommendation: 19 MiB, two passes). */
export const hashPassword = (password: string): Promise<string> => hash(password);

/** Compared when there is no account, so that the answer takes as long as for one that there is. */
const nobody = hash('nobody');

export async function isPassword(stored: string | null | undefined, password: string): Promise<boolean> {
  const matches = await verify(stored ?? (await nobody), password);
  return matches && stored != null;
}

/** What a new password lacks, in the product's words; empty when it will do. */
export function validatePassword(password: string): string[] {
  const faults: string[] = [];
  if ([...password].length < 10) faults.push('Must be a minimum of 10 character(s)');
  if (!/\p{Lu}/u.test(password)) faults.push('Must have an upper-case letter');
  if (!/\p{Ll}/u.test(password)) faults.push('Must have a lower-case letter');
  if (!/\d/.test(password)) faults.push('Must have a digit');
  return faults;
}
