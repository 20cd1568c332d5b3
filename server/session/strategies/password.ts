import type { FurtherProof, Strategy } from './strategy.ts';

/** True for a base32 text, the form of an authenticator app's key. */
export const isAppKey = (text: string): boolean => /^[A-Z2-7]{16,64}$/.test(text);

/**
 * Reads from the auth service's error what else it needs after a right password: a code, the set-up of an authenticator
 * app, or a new password (document 1, section 4); undefined when the error means none of these. The address of a QR
 * image that comes with a key is not used: the code is drawn from the key itself.
 */
export function readFurtherProof(said: string): FurtherProof | undefined {
  if (said.startsWith('mfa_token_needed')) return { kind: 'code' };
  if (said.startsWith('resetrequired')) {
    const [, type = '', name = ''] = said.split('|');
    return type === '' || name === '' ? undefined : { kind: 'new-password', owner: { type, name } };
  }
  const found = said.startsWith('mfa_config_needed') && said.split(/[|:\s]+/).find(isAppKey);
  return found ? { kind: 'set-up', key: found } : undefined;
}

/**
 * Sign-in strategy: user name and password (document 1, section 4, legacy flow). The password goes on byte for byte.
 */
export const password: Strategy = async (accounts, { username, password, second }) => {
  const answer = await accounts.signIn(username, password, second);
  if (!('refused' in answer)) return { kind: 'signed-in', ...answer };
  const proof = readFurtherProof(answer.refused);
  return proof ? { kind: 'further-proof', proof } : { kind: 'refused' };
};
