import type { Accounts, SignedIn } from '../../cloud/accounts.ts';

export type SignInOutcome =
  | ({ readonly kind: 'signed-in' } & SignedIn)
  | { readonly kind: 'refused' }
  | { readonly kind: 'second-step' };

/** One way in: what the user gives becomes tokens of the cloud. Throws a PortalError when the cloud does not answer. */
export type Strategy = (
  accounts: Accounts,
  given: { readonly username: string; readonly password: string },
) => Promise<SignInOutcome>;
