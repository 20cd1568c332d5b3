import { sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';

type Right = Pick<Caller, 'accountId' | 'userType' | 'permissions'>;

/** The kinds of people that a caller may invite, and change in how they sign in. */
export const actedKinds = ({ userType, permissions }: Right): string[] => [
  ...(permissions.includes('createCustomerAdmin') ? ['endUserAdmin'] : []),
  ...(permissions.includes('createResellerEngineer') ? ['admin'] : []),
  // Engineers change nothing of those who are above them.
  ...(permissions.includes('createResellerEngineer') && userType === 'reseller' ? ['reseller'] : []),
];

/**
 * Builds SQL, over a row of `staff`, for whether the caller may act upon this person; nobody does upon oneself, nor upon
 * a colleague who sees customers that the caller does not see.
 */
export const actsOn = (caller: Right) =>
  sql<boolean>`staff.id <> ${caller.accountId} and staff.kind = any(${actedKinds(caller)}::text[])
    and not staff.sees_more`;
