import type { Accounts, SecondFactor, SignedIn } from '../../cloud/accounts.ts';
import type { Owner } from '../../cloud/passwords.ts';

/** What the user must still do after a correct password. */
export type FurtherProof =
  | { readonly kind: 'code' }
  /** `key`: of the authenticator app that is to be set up. */
  | { readonly kind: 'set-up'; readonly key: string }
  /** Whose password is to be changed first. */
  | { readonly kind: 'new-password'; readonly owner: Owner };

export type SignInOutcome =
  | ({ readonly kind: 'signed-in' } & SignedIn)
  /** `said`: what the user is to be told about it, where the cloud says so. */
  | { readonly kind: 'refused'; readonly said?: string | undefined }
  | { readonly kind: 'further-proof'; readonly proof: FurtherProof };

/** Input of one way to sign in. */
export type SignInInput = {
  readonly username: string;
  readonly password: string;
  readonly second?: SecondFactor;
  /** Of a work account that is to be linked. */
  readonly adtoken?: string | undefined;
};

/** One way in: what the user gives becomes tokens of the cloud. Throws a PortalError when the cloud does not answer. */
export type Strategy = (accounts: Accounts, given: SignInInput) => Promise<SignInOutcome>;
