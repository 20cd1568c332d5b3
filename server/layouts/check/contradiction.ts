import type { Requirement } from '../../../shared/language/types.ts';
import { describeRequirement } from '../../access/describe-requirement.ts';
import { decide } from '../../access/requirement.ts';
import type { Place } from '../compile/place.ts';
import { askedBy, principalsWith } from './principals.ts';

/** With more features than these asked for on and off at once, requirements are taken to fit together. */
const mostFeatures = 8;

/** True where a name stands that access.json does not have. */
const hasUnknownName = (requirement: Requirement | string): boolean =>
  typeof requirement === 'string' || [...(requirement.all ?? []), ...(requirement.any ?? [])].some(hasUnknownName);

/** Whether anybody at all meets all of these requirements. Unknown names are told elsewhere. */
export function canBeMet(requirements: readonly Requirement[]): boolean {
  if (requirements.some(hasUnknownName)) return true;
  const asked = askedBy(requirements);
  const both = [...asked.on].filter(name => asked.off.has(name));
  if (both.length > mostFeatures) return true;
  const plain = [...asked.on].filter(name => !asked.off.has(name));
  const lists = both.reduce<string[][]>((all, name) => all.flatMap(list => [list, [...list, name]]), [plain]);
  return principalsWith(asked, lists, asked).some(principal =>
    requirements.every(requirement => decide(requirement, principal).met),
  );
}

/**
 * Notes whether anybody meets a requirement together with those above it. A part that stands in several documents (a
 * form, a document with `also`) is right when somebody meets it in one of them.
 * @param what stands before what it asks for, such as "the operation x"
 */
export function checkAgainstAbove(requirement: Requirement, place: Place, what?: string): void {
  const { names, above, contradictions } = place;
  const problem = (message: string) =>
    place.source.problem([...place.at, ...(what === undefined ? ['requires'] : [])], message, 'warning');
  const { file, line, column } = problem('');
  const key = `${file}:${line}:${column} ${what ?? ''}`;
  if (contradictions.has(key) && contradictions.get(key) === undefined) return;
  // What nobody meets by itself is reported where it is written.
  if (canBeMet([...above, requirement]) || !canBeMet([requirement])) contradictions.set(key, undefined);
  else {
    const opponent = above.findLast(one => !canBeMet([one, requirement]));
    const describe = (one: Requirement) => describeRequirement(one, names.requirements.nameOf);
    const others = opponent ? describe(opponent) : above.map(describe).join('; ');
    const own = `${what === undefined ? '' : `${what} needs `}${describe(requirement)}`;
    contradictions.set(key, problem(`Nobody gets this: ${own}; but above it stands ${others}.`));
  }
}
