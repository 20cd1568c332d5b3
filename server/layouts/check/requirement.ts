import type { Excluded, Requirement } from '../../../shared/language/types.ts';
import { describeRequirement } from '../../access/describe-requirement.ts';
import type { CommandDeclaration } from '../names/command-declaration.ts';
import { type Problem, suggest } from '../names/problem.ts';
import type { Names } from '../names/scope.ts';
import type { LongDocument, Pointer } from '../names/source.ts';
import { canBeMet } from './contradiction.ts';

type Wrong = { readonly at: Pointer; readonly message: string };

const kinds = { views: 'view', permissions: 'permission', features: 'feature' } as const;

/** Finds names that access.json does not know: such a name would deny for ever, or with "not" never. */
function wrongNames(requirement: Requirement, at: Pointer, names: Names): Wrong[] {
  if (typeof requirement === 'string') return [{ at, message: wrongName(requirement, names) }];
  // What a name means is checked in access.json.
  if (names.requirements.nameOf(requirement) !== undefined) return [];
  const { all = [], any = [] } = requirement;
  const not: Excluded = requirement.not ?? {};
  const inList = (key: keyof typeof kinds, list: readonly string[], step: Pointer): Wrong[] =>
    list.flatMap((name, index) =>
      names[key].has(name) ? [] : [{ at: [...at, ...step, index], message: wrongRight(key, name, names) }],
    );
  return [
    ...(['views', 'permissions', 'features'] as const).flatMap(key => inList(key, requirement[key] ?? [], [key])),
    ...inList('features', not.features ?? [], ['not', 'features']),
    ...all.flatMap((part, index) => wrongNames(part, [...at, 'all', index], names)),
    ...any.flatMap((part, index) => wrongNames(part, [...at, 'any', index], names)),
  ];
}

function wrongRight(key: keyof typeof kinds, name: string, names: Names): string {
  if (key === 'features' && name.startsWith('!') && names.features.has(name.slice(1)))
    return `A feature that is off is written { "not": { "features": ["${name.slice(1)}"] } }, not "${name}".`;
  return `The ${kinds[key]} "${name}" is not in access.json.${suggest(name, names[key])}`;
}

function wrongName(name: string, { requirements }: Names): string {
  if (requirements.circular.has(name)) return `The requirement "${name}" asks for itself.`;
  return `The requirement "${name}" is not in access.json, where requirements get their names.${suggest(name, requirements.meanings.keys())}`;
}

/** Checks one requirement of a document: its names exist, and somebody can meet it. */
export function checkRequirement(requirement: Requirement, source: LongDocument, at: Pointer, names: Names): Problem[] {
  const wrong = wrongNames(requirement, at, names);
  if (wrong.length > 0) return wrong.map(({ at: place, message }) => source.problem(place, message));
  if (names.requirements.nameOf(requirement) !== undefined || canBeMet([requirement])) return [];
  const described = describeRequirement(requirement, names.requirements.nameOf);
  if (source.isJoined?.(at)) return [source.problem(at, `Nobody gets this here: ${described}.`, 'warning')];
  return [source.problem(at, `Nobody can meet this: ${described}.`)];
}

/**
 * Checks the requirements that are not checked while documents compile: those that access.json names, and those of
 * texts, forms and journeys.
 */
export function checkRequirements(sources: readonly LongDocument[], names: Names): Problem[] {
  return sources.flatMap(source => {
    if (source.kind === 'access')
      return [...names.requirements.meanings].flatMap(([name, requirement]) =>
        checkRequirement(requirement, source, ['requirements', name], names),
      );
    if ((source.kind === 'form' || source.kind === 'journey') && source.json.requires)
      return checkRequirement(source.json.requires as Requirement, source, ['requires'], names);
    if (source.kind !== 'texts') return [];
    return Object.entries(source.json).flatMap(([name, variants]) =>
      Array.isArray(variants)
        ? (variants as { requires?: Requirement }[]).flatMap(({ requires }, index) =>
            requires ? checkRequirement(requires, source, [name, index, 'requires'], names) : [],
          )
        : [],
    );
  });
}

/**
 * Checks the requirements that the server's commands name; mistakes are reported at access.json, which defines the
 * names.
 */
export function checkCommands(access: LongDocument, own: readonly CommandDeclaration[], names: Names): Problem[] {
  const commands = new Map<string, string[]>();
  for (const { name, requires } of own.flatMap(command => names.commands.get(command.name) ?? []))
    for (const { message } of requires === undefined ? [] : wrongNames(requires, [], names))
      commands.set(message, [...(commands.get(message) ?? []), name]);
  return [...commands].map(([message, needing]) =>
    access.problem(['requirements'], `${message} It is what the commands require: ${needing.join(', ')}.`),
  );
}
