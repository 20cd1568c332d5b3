/** Cookies to set on the reply. `''` deletes the cookie; `undefined` leaves it unchanged. */
export type CookiesToSet = {
  readonly session?: string | undefined;
  /** Of a flow that waits for its next stage. */
  readonly stage?: string | undefined;
  /** Of a round trip to an identity provider. */
  readonly trip?: { readonly state: string; readonly identifier: string } | undefined;
  /** '1' where the session lands on the single-experience dashboard: the browser is marked for a year. */
  readonly singleExperience?: '1' | '' | undefined;
  /** Of the identity provider and the account that the browser signed in by; '' where it did so by a password. */
  readonly signOn?: string | undefined;
  /** Of the organisation that the browser is signed in for. */
  readonly organisation?: string | undefined;
};
