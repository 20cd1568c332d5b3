import type { Requirement } from '../../../shared/language/types.ts';
import type { Names } from '../compile/scope.ts';
import type { Pointer, Source } from '../load/load.ts';
import { type Problem, suggest } from '../load/problem.ts';

const kinds = { views: 'view', permissions: 'permission', features: 'feature' } as const;

/** Finds names in a requirement that access.json does not know; such a name would deny for ever, or with "!" never. */
export function checkRequirement(requirement: Requirement, source: Source, at: Pointer, names: Names): Problem[] {
  const problems: Problem[] = [];
  for (const key of ['views', 'permissions', 'features'] as const) {
    requirement[key]?.forEach((given, index) => {
      const name = key === 'features' && given.startsWith('!') ? given.slice(1) : given;
      if (!names[key].has(name))
        problems.push(
          source.problem(
            [...at, key, index],
            `The ${kinds[key]} "${name}" is not in access.json.${suggest(name, names[key])}`,
          ),
        );
    });
  }
  const parts = requirement.any ?? [];
  return [...problems, ...parts.flatMap((part, index) => checkRequirement(part, source, [...at, 'any', index], names))];
}

/** As above for what is not compiled value by value: the texts with their variants, and the forms. */
export function checkRequirements(sources: readonly Source[], names: Names): Problem[] {
  return sources.flatMap(source => {
    if (source.kind === 'form' && source.json.requires)
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
