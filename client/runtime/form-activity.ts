import type { FieldNode } from '../../shared/language/types.ts';
import type { Scope } from '../../shared/rules/path.ts';
import { activeFields } from '../../shared/rules/validation.ts';
import { formNames } from './form-fields.ts';

/** Which fields of a form are there and enabled. */
export type Activity = {
  /** True for a name that is no field of the form, too. */
  isActive(name: string): boolean;
  /**
   * Judges the conditions that depend on a changed name, directly or through others; without a name, all. Gives the
   * names of the fields that came or went.
   */
  judge(changed?: string): readonly string[];
};

const nothing: readonly string[] = [];

/**
 * Judges as `activeFields` does, group by group: a group holds the fields whose conditions read one another, so that
 * a tick in a form of 200 fields judges the few that it concerns.
 */
export function judgeFields(fields: readonly FieldNode[], scope: Scope, valueAt: (name: string) => unknown): Activity {
  const groups = groupFields(fields);
  const inactive = new Set<string>();

  function judgeGroup(group: readonly FieldNode[]): string[] {
    const values: Record<string, unknown> = { $changed: valueAt('$changed'), $failures: valueAt('$failures') };
    for (const { propertyName } of group) values[propertyName] = valueAt(propertyName);
    const active = new Set(activeFields(group, values, scope).map(field => field.propertyName));
    const moved: string[] = [];
    for (const { propertyName } of group) {
      if (inactive.has(propertyName) !== active.has(propertyName)) continue;
      if (active.has(propertyName)) inactive.delete(propertyName);
      else inactive.add(propertyName);
      moved.push(propertyName);
    }
    return moved;
  }

  function judge(changed?: string): readonly string[] {
    if (changed === undefined) return [...new Set(groups.values())].flatMap(judgeGroup);
    const group = groups.get(changed);
    return group ? judgeGroup(group) : nothing;
  }

  judge();
  return { isActive: name => !inactive.has(name), judge };
}

/** The group of every name that conditions read or belong to. */
function groupFields(fields: readonly FieldNode[]): ReadonlyMap<string, readonly FieldNode[]> {
  const groups = new Map<string, Set<string>>();
  for (const { propertyName, when, disabledWhen } of fields) {
    const reads = [...formNames(when), ...formNames(disabledWhen)];
    if (reads.length === 0) continue;
    const group = new Set([propertyName, ...reads].flatMap(name => [name, ...(groups.get(name) ?? [])]));
    for (const name of group) groups.set(name, group);
  }
  const fieldsOf = new Map<Set<string>, FieldNode[]>();
  for (const group of new Set(groups.values()))
    fieldsOf.set(
      group,
      fields.filter(field => group.has(field.propertyName)),
    );
  return new Map([...groups].map(([name, group]) => [name, fieldsOf.get(group) as FieldNode[]]));
}
