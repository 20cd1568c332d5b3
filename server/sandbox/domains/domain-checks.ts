import type { Caller } from '../auth/caller.ts';
import type { Path } from '../resource/owners.ts';

/** Checks of the DNS records of domains; `createDomainChecks` makes them. */
export type DomainChecks = {
  /**
   * Asks DNS for the records of a domain and keeps what was found. Where it is as it should be, mail of the domain is let in
   * if the caller manages mail; who only looks changes nothing.
   */
  check(caller: Caller, path: Path): Promise<void>;
  /** Does the same for the domains whose mail does not arrive yet and that nobody has looked at for some time. */
  checkDue(): Promise<void>;
};
