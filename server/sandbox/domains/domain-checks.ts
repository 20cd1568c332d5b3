import type { Caller } from '../auth/caller.ts';
import type { Path } from '../resource/owners.ts';

/** Checks of the DNS records of domains; `createDomainChecks` makes them. */
export type DomainChecks = {
  /** Asks DNS for the records of a domain, keeps what was found, and lets mail of the domain in once it is as it should be. */
  check(caller: Caller, path: Path): Promise<void>;
};
