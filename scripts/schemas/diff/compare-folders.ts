import type { Compiled } from '../../../server/layouts/names/pass.ts';
import { createFacts, type Fact } from './collect-facts.ts';
import { generateRoles, type Role } from './generate-principals.ts';

/** Something that some callers gain or lose. */
export type Change = {
  readonly gained: boolean;
  /** Key of the document that gives it. */
  readonly document: string;
  /** As it is on the side that has it. */
  readonly fact: Fact;
  readonly roles: ReadonlySet<Role>;
};

export type Comparison = {
  readonly roles: readonly Role[];
  readonly changes: readonly Change[];
};

/** What the generated callers gain and lose from one version of the documents to another. */
export function compareFolders(before: Compiled, after: Compiled): Comparison {
  const roles = generateRoles([before, after]);
  const factsBefore = createFacts(before);
  const factsAfter = createFacts(after);
  const changes = new Map<string, Change & { readonly roles: Set<Role> }>();
  const compare = (
    role: Role,
    gained: boolean,
    having: ReturnType<typeof factsAfter>,
    lacking: ReturnType<typeof factsAfter>,
  ): void => {
    for (const [document, facts] of having)
      for (const [key, fact] of facts) {
        if (lacking.get(document)?.has(key)) continue;
        const own = `${gained} ${document} ${key}`;
        const known = changes.get(own) ?? { gained, document, fact, roles: new Set() };
        known.roles.add(role);
        changes.set(own, known);
      }
  };
  for (const role of roles) {
    const [old, now] = [factsBefore(role.principal), factsAfter(role.principal)];
    compare(role, true, now, old);
    compare(role, false, old, now);
  }
  return { roles, changes: [...changes.values()] };
}
