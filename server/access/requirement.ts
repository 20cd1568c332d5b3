import type { Requirement } from '../../shared/language/types.ts';
import { isJumped, type Principal } from './principal.ts';

/** Whether a principal meets a requirement, and the first part of it that decided. */
export type RequirementOutcome = { readonly met: true } | { readonly met: false; readonly because: string };

const met: RequirementOutcome = { met: true };
const refuse = (because: string): RequirementOutcome => ({ met: false, because });
const keys = new Set([
  'views',
  'permissions',
  'features',
  'userTypes',
  'prices',
  'currencies',
  'switched',
  'previousTypes',
  'jumped',
  'any',
]);

/**
 * Judges a requirement: every key of it is needed; of a list any entry will do, save `features`, where all are
 * needed and "!Name" asks for one that is off. Unknown keys and anything malformed deny.
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
  const given = Object.keys(entriesOf(requirement));
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
      return listOf(requirement[key]).includes(principal.type) ? met : refuse(`user type ${principal.type}`);
    case 'views':
    case 'permissions': {
      const list = listOf(requirement[key]);
      return list.some(name => principal[key].includes(name))
        ? met
        : refuse(`no ${key.slice(0, -1)} of ${list.join(', ')}`);
    }
    case 'features': {
      const off = listOf(requirement[key]).find(name => !isOn(name, principal.features));
      return off === undefined ? met : refuse(`feature ${off}`);
    }
    case 'currencies':
      return listOf(requirement[key]).includes(principal.currency) ? met : refuse(`currency ${principal.currency}`);
    case 'prices':
      return requirement.prices === true && principal.prices === true ? met : refuse('prices');
    case 'switched':
      return requirement.switched === principal.switched ? met : refuse('switched');
    case 'previousTypes': {
      const { switched, previousType } = principal;
      const isOne = switched && previousType !== undefined && listOf(requirement[key]).includes(previousType);
      return isOne ? met : refuse(`previous type ${previousType ?? 'none'}`);
    }
    case 'jumped':
      return requirement.jumped === isJumped(principal) ? met : refuse('jumped');
    case 'any':
      return listOf(requirement.any).some(part => evaluate(part, principal).met)
        ? met
        : refuse('none of the alternatives');
  }
}

const isOn = (name: string, features: readonly string[]): boolean =>
  name.startsWith('!') ? name.length > 1 && !features.includes(name.slice(1)) : features.includes(name);

function entriesOf(requirement: Requirement): Requirement {
  if (requirement === null || typeof requirement !== 'object' || Array.isArray(requirement))
    throw new TypeError('not an object');
  return requirement;
}

function listOf<T>(list: readonly T[] | undefined): readonly T[] {
  if (!Array.isArray(list) || list.length === 0) throw new TypeError('not a list');
  return list;
}
