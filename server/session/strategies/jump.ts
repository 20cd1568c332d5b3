import type { Accounts, SignedIn } from '../../cloud/accounts.ts';

/** What a jump link carries: a token that works once, and the id of the administrator that it was made for. */
export type JumpGiven = { readonly cmtoken: string; readonly adminid: string };

export type JumpOutcome =
  | ({ readonly kind: 'signed-in'; readonly actor: string } & SignedIn)
  | { readonly kind: 'refused' };

/**
 * Sign-in strategy: signs an administrator in as another account, by a token of the cloud (document 1, sections 4 and
 * 7). Asks for no code, since the administrator is signed in already. Refuses a reply that does not name who really
 * acts.
 */
export async function jump(accounts: Accounts, given: JumpGiven): Promise<JumpOutcome> {
  const answer = await accounts.jump(given.cmtoken, given.adminid);
  if ('refused' in answer || !answer.actor) return { kind: 'refused' };
  const { actor, ...signedIn } = answer;
  return { kind: 'signed-in', actor, ...signedIn };
}
