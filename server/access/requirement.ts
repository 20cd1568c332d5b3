import type { Excluded, Requirement } from '../../shared/language/types.ts';
import { isJumped, type Principal } from './principal.ts';

/** Whether a principal meets a requirement, and the first part of it that decided. */
export type RequirementOutcome = { readonly met: true } | { readonly met: false; readonly because: string };

const met: RequirementOutcome = { met: true };
const refuse = (because: string): RequirementOutcome => ({ met: false, because });
/** What a right can never change, so that only this may stand in `not`. */
const excludable = new Set(['features', 'userTypes', 'systems', 'switched', 'jumped']);
const keys = new Set([
  ...excludable,
  'views',
  'permissions',
  'prices',
  'currencies',
  'previousTypes',
  'all',
  'any',
  'not',
]);

/**
 * Decides whether a principal meets a requirement (its names resolved): every key must hold, of a list any entry will
 * do, except of `all`. Unknown keys and malformed requirements deny.
 */
export function decide(requirement: Requirement | undefined, principal: Principal): RequirementOutcome {
  if (requirement === undefined) return met;
  try {
    return evaluate(requirement, principal);
  } catch (error) {
    return refuse(`malformed: ${String(error)}`);
  }
}

function evaluate(requirement: Requirement, principal: Principal): RequirementOutcome {
  const given = keysOf(requirement);
  const unknown = given.find(key => !keys.has(key));
  if (unknown !== undefined) return refuse(`unknown: ${unknown}`);
  if (given.length === 0) return refuse('malformed: nothing is asked for');
  for (const key of given) {
    const outcome = evaluateKey(key as keyof Requirement, requirement, principal);
    if (!outcome.met) return outcome;
  }
  return met;
}

function evaluateKey(key: keyof Requirement, requirement: Requirement, principal: Principal): RequirementOutcome {
  switch (key) {
    case 'userTypes':
      return namesIn(requirement[key]).includes(principal.type) ? met : refuse(`user type ${principal.type}`);
    case 'views':
    case 'permissions':
    case 'features': {
      const list = namesIn(requirement[key]);
      return list.some(name => principal[key].includes(name))
        ? met
        : refuse(`no ${key.slice(0, -1)} of ${list.join(', ')}`);
    }
    case 'systems': {
      const { systems = [] } = principal;
      const wanted = namesIn(requirement[key]);
      return wanted.some(name => systems.some(system => system === name)) ? met : refuse(`not at ${wanted.join(', ')}`);
    }
    case 'currencies':
      return namesIn(requirement[key]).includes(principal.currency) ? met : refuse(`currency ${principal.currency}`);
    case 'prices':
      return requirement.prices === true && principal.prices === true ? met : refuse('prices');
    case 'switched':
      return flag(requirement.switched) === principal.switched ? met : refuse('switched');
    case 'previousTypes': {
      const { switched, previousType } = principal;
      const isListed = switched && previousType !== undefined && namesIn(requirement[key]).includes(previousType);
      return isListed ? met : refuse(`previous type ${previousType ?? 'none'}`);
    }
    case 'jumped':
      return flag(requirement.jumped) === isJumped(principal) ? met : refuse('jumped');
    case 'all': {
      const outcomes = listOf(requirement.all).map(part => evaluate(part, principal));
      return outcomes.find(outcome => !outcome.met) ?? met;
    }
    case 'any':
      return listOf(requirement.any).some(part => evaluate(part, principal).met)
        ? met
        : refuse('none of the alternatives');
    case 'not':
      return evaluateNot(requirement.not, principal);
  }
}

/** Here a mistake must not count as "not met": every key is judged, and what is malformed throws. */
function evaluateNot(excluded: Excluded | undefined, principal: Principal): RequirementOutcome {
  const given = keysOf(excluded) as (keyof Excluded)[];
  if (given.length === 0) throw new TypeError('nothing is excluded');
  for (const key of given) if (!excludable.has(key)) throw new TypeError(`not holds ${key}`);
  if (typeof principal.type !== 'string' || typeof principal.switched !== 'boolean')
    throw new TypeError('not a principal');
  const outcomes = given.map(key => evaluateKey(key, excluded as Requirement, principal));
  return outcomes.every(outcome => outcome.met) ? refuse(`excluded by ${given.join(' and ')}`) : met;
}

function keysOf(requirement: object | undefined): string[] {
  if (requirement === null || typeof requirement !== 'object' || Array.isArray(requirement))
    throw new TypeError('not an object');
  return Object.keys(requirement);
}

function listOf<T>(list: readonly T[] | undefined): readonly T[] {
  if (!Array.isArray(list) || list.length === 0) throw new TypeError('not a list');
  return list;
}

function namesIn(list: readonly string[] | undefined): readonly string[] {
  for (const name of listOf(list)) if (typeof name !== 'string' || name === '') throw new TypeError('not a name');
  return list as readonly string[];
}

function flag(value: unknown): boolean {
  if (typeof value !== 'boolean') throw new TypeError('not true or false');
  return value;
}
