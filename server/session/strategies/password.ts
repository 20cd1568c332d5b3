import type { Strategy } from './strategy.ts';

/** Beginnings of what the auth service says when the password was right but something else is needed first. */
const secondSteps = ['mfa_config_needed', 'mfa_token_needed', 'resetrequired'];

/** User name and password, the legacy flow of document 1, section 4. The password goes on byte for byte. */
export const password: Strategy = async (accounts, { username, password }) => {
  const answer = await accounts.signIn(username, password);
  if (!('refused' in answer)) return { kind: 'signed-in', ...answer };
  return { kind: secondSteps.some(step => answer.refused.startsWith(step)) ? 'second-step' : 'refused' };
};
