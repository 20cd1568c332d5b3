import type { Requirement } from '../../../shared/language/types.ts';
import { describeRequirement } from '../../access/describe-requirement.ts';
import { decide } from '../../access/requirement.ts';
import type { CompileContext, JudgedRequirement } from '../names/compile-context.ts';
import type { Problem } from '../names/problem.ts';
import { namedInRequirements, principalsWith } from './principals.ts';

/** With more features than these asked for on and off at once, requirements are taken to fit together. */
const mostFeatures = 8;
/** Answers about requirements that are kept. */
const mostRemembered = 5000;

/** True where a name stands that access.json does not have. */
const hasUnknownName = (requirement: Requirement | string): boolean =>
  typeof requirement === 'string' || [...(requirement.all ?? []), ...(requirement.any ?? [])].some(hasUnknownName);

/** Lists of features that tell apart who meets some requirements; undefined where these are too many. */
function featureLists(
  { on, off }: ReturnType<typeof namedInRequirements>,
  always: readonly string[],
): string[][] | undefined {
  const varied = [...new Set([...on, ...off])].filter(name => !always.includes(name));
  if (varied.length > mostFeatures) return undefined;
  return varied.reduce<string[][]>((all, name) => all.flatMap(list => [list, [...list, name]]), [[...always]]);
}

const metBefore = new Map<string, boolean>();

/** True when some possible principal meets all of these requirements. Unknown names are reported elsewhere. */
export function canBeMet(requirements: readonly Requirement[]): boolean {
  const key = JSON.stringify(requirements);
  let isMet = metBefore.get(key);
  if (isMet === undefined) {
    // Documents ask for few combinations, again and again; what was edited away is forgotten at some time.
    if (metBefore.size >= mostRemembered) metBefore.clear();
    isMet = findsSomebody(requirements);
    metBefore.set(key, isMet);
  }
  return isMet;
}

function findsSomebody(requirements: readonly Requirement[]): boolean {
  if (requirements.some(hasUnknownName)) return true;
  const asked = namedInRequirements(requirements);
  const lists = featureLists(
    asked,
    [...asked.on].filter(name => !asked.off.has(name)),
  );
  if (!lists) return true;
  return principalsWith(asked, lists, asked).some(principal =>
    requirements.every(requirement => decide(requirement, principal).met),
  );
}

/** True when some possible principal meets the first requirement and not the second, or it takes too long to say. */
export const restricts = (caller: Requirement, field: Requirement): boolean => findsWithout(caller, field) ?? true;

/** True when some possible principal is known to meet the first requirement and not the second. */
export const somebodyLacks = (caller: Requirement, field: Requirement): boolean => findsWithout(caller, field) ?? false;

function findsWithout(caller: Requirement, field: Requirement): boolean | undefined {
  const asked = namedInRequirements([caller, field]);
  const lists = featureLists(asked, []);
  if (!lists || asked.keys.has('prices') || hasUnknownName(caller) || hasUnknownName(field)) return undefined;
  const { views, permissions } = namedInRequirements([caller]);
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
 * Records whether anybody can meet a requirement of a document together with those of the nodes around it; `what` as in
 * `JudgedRequirement`.
 */
export function checkAgainstAbove(requirement: Requirement, place: CompileContext, what?: string): void {
  // What nobody meets by itself is reported where it is written.
  const isMet = canBeMet([...place.above, requirement]) || !canBeMet([requirement]);
  place.judged.push({ isMet, requirement, place, what });
}

/**
 * Finds, among the judged requirements, those that nobody can meet where they stand. A form that several documents show
 * is right when somebody meets the requirement in one of them.
 */
export function findContradictions(judged: readonly JudgedRequirement[]): Problem[] {
  const problems = new Map(judged.filter(({ isMet }) => !isMet).map(one => [placeOf(one), problemOf(one)]));
  const files = new Set([...problems.values()].map(({ file }) => file));
  // Looking up where something is written takes a second expansion of the document.
  const mayBeThere = ({ place: { source } }: JudgedRequirement) => source.isComposed || files.has(source.file);
  for (const one of judged) if (one.isMet && files.size > 0 && mayBeThere(one)) problems.delete(placeOf(one));
  return [...problems.values()];
}

const report = ({ place, what }: JudgedRequirement, message: string): Problem =>
  place.source.problem([...place.at, ...(what === undefined ? ['requires'] : [])], message, 'warning');

function placeOf(one: JudgedRequirement): string {
  const { file, line, column } = report(one, '');
  return `${file}:${line}:${column} ${one.what ?? ''}`;
}

function problemOf(one: JudgedRequirement): Problem {
  const { requirement, place, what } = one;
  const opponent = place.above.findLast(other => !canBeMet([other, requirement]));
  const describe = (other: Requirement) => describeRequirement(other, place.names.requirements.nameOf);
  const others = opponent ? describe(opponent) : place.above.map(describe).join('; ');
  const own = `${what === undefined ? '' : `${what} needs `}${describe(requirement)}`;
  return report(one, `Nobody gets this: ${own}; but above it stands ${others}.`);
}
