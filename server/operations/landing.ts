import { fillAddress } from '../../shared/rules/path.ts';
import type { Principal } from '../access/principal.ts';
import type { Access } from '../layouts/index.ts';

/**
 * Gives the address that a caller is sent to after signing in (document 1, section 2.3): a screen's, with its
 * parameters filled in, or the single-experience dashboard's outside of the portal.
 */
export function landingOf(access: Access, principal: Principal): string {
  if (principal.home !== undefined) return principal.home;
  return fillAddress(access.landing, { principal: principal.facts }) ?? '/no-access-resources';
}
