import type { Requirement } from '../../shared/language/types.ts';
import type { Principal } from './principal.ts';
import { decide } from './requirement.ts';

/** Rights that somebody can be given. `prices` is true for seeing these. */
export type MissingRights = Pick<Principal, 'views' | 'permissions' | 'prices'>;

const none: MissingRights = { views: [], permissions: [], prices: false };

const union = (a: MissingRights, b: MissingRights): MissingRights => ({
  views: [...new Set([...a.views, ...b.views])],
  permissions: [...new Set([...a.permissions, ...b.permissions])],
  prices: a.prices || b.prices,
});
const sizeOf = ({ views, permissions, prices }: MissingRights): number =>
  views.length + permissions.length + Number(prices);

/**
 * Gives the fewest rights with which a principal would meet a requirement (its names resolved), of alternatives the first;
 * none where it meets it as it is. Undefined where rights alone would not do, such as for another type of user, and in
 * doubt.
 */
export function missingRights(requirement: Requirement, principal: Principal): MissingRights | undefined {
  try {
    const missing = find(requirement, principal);
    return missing && decide(requirement, withRights(principal, missing)).met ? missing : undefined;
  } catch {
    return undefined;
  }
}

const withRights = (principal: Principal, rights: MissingRights): Principal => ({
  ...principal,
  ...union(principal, rights),
});

function find(requirement: Requirement, principal: Principal): MissingRights | undefined {
  let all = none;
  for (const key of Object.keys(requirement) as (keyof Requirement)[]) {
    const missing = findForKey(key, requirement, principal);
    if (!missing) return undefined;
    all = union(all, missing);
  }
  return all;
}

function findForKey(key: keyof Requirement, requirement: Requirement, principal: Principal): MissingRights | undefined {
  if (key === 'all') {
    const parts = (requirement.all ?? []).map(part => find(part, principal));
    return parts.reduce<MissingRights | undefined>((sum, part) => sum && part && union(sum, part), none);
  }
  if (key === 'any') {
    const parts = (requirement.any ?? []).map(part => find(part, principal)).filter(part => part !== undefined);
    return parts.toSorted((a, b) => sizeOf(a) - sizeOf(b))[0];
  }
  if (decide({ [key]: requirement[key] }, principal).met) return none;
  if (key === 'views' || key === 'permissions') return { ...none, [key]: (requirement[key] ?? []).slice(0, 1) };
  return key === 'prices' ? { ...none, prices: true } : undefined;
}

/** True for a requirement that asks for rights anywhere in it. */
export function asksForRights(requirement: Requirement): boolean {
  const { views, permissions, prices, all = [], any = [] } = requirement;
  return views !== undefined || permissions !== undefined || prices === true || [...all, ...any].some(asksForRights);
}
