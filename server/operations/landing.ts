import { fillAddress } from '../../shared/rules/path.ts';
import type { Principal } from '../access/principal.ts';
import type { Access } from '../layouts/index.ts';

/**
 * Where a caller lands after signing in (document 1, section 2.3), with the parts of its address filled: a screen, or
 * the single-experience dashboard outside.
 */
export function landingOf(access: Access, principal: Principal): string {
  if (principal.home !== undefined) return principal.home;
  return fillAddress(access.landing, { principal: principal.facts }) ?? '/no-access-resources';
}
