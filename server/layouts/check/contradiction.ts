import type { Requirement } from '../../../shared/language/types.ts';
import { describeRequirement } from '../../access/describe-requirement.ts';
import { decide } from '../../access/requirement.ts';
import type { CompileContext } from '../compile/compile-context.ts';
import { askedBy, principalsWith } from './principals.ts';

/** With more features than these asked for on and off at once, requirements are taken to fit together. */
const mostFeatures = 8;

/** True where a name stands that access.json does not have. */
const hasUnknownName = (requirement: Requirement | string): boolean =>
  typeof requirement === 'string' || [...(requirement.all ?? []), ...(requirement.any ?? [])].some(hasUnknownName);

/** Lists of features that tell apart who meets some requirements; undefined where these are too many. */
function featureLists({ on, off }: ReturnType<typeof askedBy>, always: readonly string[]): string[][] | undefined {
  const varied = [...new Set([...on, ...off])].filter(name => !always.includes(name));
  if (varied.length > mostFeatures) return undefined;
  return varied.reduce<string[][]>((all, name) => all.flatMap(list => [list, [...list, name]]), [[...always]]);
}

/** Whether anybody at all meets all of these requirements. Unknown names are told elsewhere. */
export function canBeMet(requirements: readonly Requirement[]): boolean {
  if (requirements.some(hasUnknownName)) return true;
  const asked = askedBy(requirements);
  const lists = featureLists(
    asked,
    [...asked.on].filter(name => !asked.off.has(name)),
  );
  if (!lists) return true;
  return principalsWith(asked, lists, asked).some(principal =>
    requirements.every(requirement => decide(requirement, principal).met),
  );
}

/** Whether anybody who meets the first requirement fails the second. */
export function restricts(caller: Requirement, field: Requirement): boolean {
  const asked = askedBy([caller, field]);
  const lists = featureLists(asked, []);
  if (!lists || asked.keys.has('prices') || hasUnknownName(caller) || hasUnknownName(field)) return true;
  const { views, permissions } = askedBy([caller]);
  const without = (names: ReadonlySet<string>, name: string) => [...names].filter(one => one !== name);
  const rights = [
    { views, permissions },
    ...[...views].map(name => ({ views: without(views, name), permissions })),
    ...[...permissions].map(name => ({ views, permissions: without(permissions, name) })),
  ];
  return rights
    .flatMap(held => principalsWith(held, lists, asked))
    .some(principal => decide(caller, principal).met && !decide(field, principal).met);
}

/**
 * Notes whether anybody meets a requirement together with those above it. A part that stands in several documents (a
 * form, a document with `also`) is right when somebody meets it in one of them.
 * @param what stands before what it asks for, such as "the operation x"
 */
export function checkAgainstAbove(requirement: Requirement, place: CompileContext, what?: string): void {
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
