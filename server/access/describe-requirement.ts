import type { Requirement } from '../../shared/language/types.ts';

/** The name by which a requirement was written; undefined for one that is written out. */
type NameOf = (requirement: Requirement) => string | undefined;

/**
 * Writes a requirement as words for the `explain` tool, as documents write it: names with what they mean, lists with
 * "or".
 */
export function describeRequirement(requirement: Requirement, nameOf: NameOf): string {
  const name = nameOf(requirement);
  const meaning = describeKeys(requirement, nameOf);
  return name === undefined ? meaning : `${name} (${meaning})`;
}

function describeKeys(requirement: Requirement, nameOf: NameOf): string {
  const describePart = (part: Requirement): string =>
    nameOf(part) === undefined ? `(${describeKeys(part, nameOf)})` : describeRequirement(part, nameOf);
  return Object.entries(requirement)
    .map(([key, value]) => {
      if (key === 'any') return (value as readonly Requirement[]).map(describePart).join(' or ');
      if (key === 'all') return (value as readonly Requirement[]).map(describePart).join(' and ');
      if (key === 'not') return `not (${describeKeys(value as Requirement, nameOf)})`;
      if (Array.isArray(value)) return `${key} ${value.join(' or ')}`;
      return value === true ? key : `${key} ${value}`;
    })
    .join(', ');
}
