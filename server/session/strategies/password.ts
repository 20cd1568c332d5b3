import type { FurtherProof, Strategy } from './strategy.ts';

/** Base32, as the spec's manual key of an authenticator app is. */
export const isAppKey = (text: string): boolean => /^[A-Z2-7]{16,64}$/.test(text);

/**
 * What the auth service says when the password was right but something else is needed first (document 1, section 4).
 * The address of a QR image that comes with a key is not used: the code is drawn from the key itself.
 */
export function readStep(said: string): FurtherProof | undefined {
  if (said.startsWith('mfa_token_needed')) return { kind: 'code' };
  if (said.startsWith('resetrequired')) {
    const [, type = '', name = ''] = said.split('|');
    return type === '' || name === '' ? undefined : { kind: 'new-password', owner: { type, name } };
  }
  const found = said.startsWith('mfa_config_needed') && said.split(/[|:\s]+/).find(isAppKey);
  return found ? { kind: 'set-up', key: found } : undefined;
}

/** User name and password, the legacy flow of document 1, section 4. The password goes on byte for byte. */
export const password: Strategy = async (accounts, { username, password, second }) => {
  const answer = await accounts.signIn(username, password, second);
  if (!('refused' in answer)) return { kind: 'signed-in', ...answer };
  const step = readStep(answer.refused);
  return step ? { kind: 'second-step', step } : { kind: 'refused' };
};
