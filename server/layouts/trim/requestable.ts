import type { Requirement } from '../../../shared/language/types.ts';
import { missingRights } from '../../access/missing-rights.ts';
import type { Principal } from '../../access/principal.ts';
import type { Compiled, TrimPass, Use } from '../names/pass.ts';
import type { Access, Requestable } from './access-types.ts';

/** Finds what a principal may ask for: marked nodes whose placeholders are kept, and marked screens that it lacks. */
export function findRequestable(
  compiled: Compiled,
  principal: Principal,
  uses: readonly Use[],
  pass: TrimPass,
): Access['requestable'] {
  const found = new Map<string, Requestable>();
  const add = (mark: string, requires: Requirement, route?: string): void => {
    const rights = missingRights(requires, principal);
    if (rights) found.set(mark, { title: String(pass.text(mark)), rights, ...(route !== undefined && { route }) });
  };
  for (const use of uses) if (use.kind === 'ask') add(use.mark, use.requires);
  for (const { kind, source } of compiled.documents.values()) {
    const { requestable, requires, route } = source.json;
    if (kind !== 'screen' || typeof requestable !== 'string' || pass.meets(requires as Requirement)) continue;
    add(requestable, requires as Requirement, String(route));
  }
  return found;
}
