import { readFurtherProof } from './password.ts';
import type { Strategy } from './strategy.ts';

/**
 * Sign-in strategy: links a work account to the account of a password, then signs in with it (document 1, section 7).
 */
export const link: Strategy = async (accounts, { username, password, second, adtoken = '' }) => {
  const linked = await accounts.linkWorkAccount({ username, password, adtoken }, second);
  if ('refused' in linked) {
    const proof = readFurtherProof(linked.refused);
    return proof ? { kind: 'further-proof', proof } : { kind: 'refused', said: linked.said };
  }
  const answer = await accounts.signOn('aad', adtoken);
  return 'refused' in answer ? { kind: 'refused', said: '' } : { kind: 'signed-in', ...answer, ...linked };
};
