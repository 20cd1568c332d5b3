import type { FieldNode } from '../../../shared/language/types.ts';
import { isMet } from '../../../shared/rules/condition.ts';
import type { Scope } from '../../../shared/rules/path.ts';
import { isShownOnly, normaliseValue } from '../../../shared/rules/validation.ts';
import { formNames } from './form-fields.ts';

/** Which fields of a form are there and enabled. */
export type Activity = {
  /** True for a name that is no field of the form, too. */
  isActive(name: string): boolean;
  /**
   * Evaluates the conditions that depend on a changed name, directly or through others; without a name, all. Gives the
   * names of the fields that came, went or were switched on or off.
   */
  evaluate(changed?: string): readonly string[];
};

type Standing = 'active' | 'disabled' | 'hidden';
/** Fields whose conditions read one another, each after those that it reads. */
type FieldGroup = readonly FieldNode[];

const nothing: readonly string[] = [];

/**
 * Tracks which fields of a form are active, with the result of `activeFields`. It evaluates only the fields that a
 * change concerns, so that a tick in a form of 200 fields stays quick.
 */
export function trackActivity(
  fields: readonly FieldNode[],
  scope: Scope,
  valueAt: (name: string) => unknown,
): Activity {
  const groups = groupFields(fields);
  const standings = new Map<FieldNode, Standing>();
  const inactive = new Set<string>();
  const values: Record<string, unknown> = Object.create(null);
  const inner = { ...scope, form: values };

  function evaluateGroup(group: FieldGroup): readonly string[] {
    // Of fields that read each other in a ring, the one that comes round again counts as absent.
    for (const field of group) values[field.propertyName] = undefined;
    const moved: string[] = [];
    for (const field of group) {
      const name = field.propertyName;
      const standing = standingOf(field, inner);
      if (standing !== standings.get(field)) moved.push(name);
      standings.set(field, standing);
      if (standing !== 'active') inactive.add(name);
      else if (!isShownOnly(field)) values[name] = normaliseValue(field, valueAt(name));
    }
    // Two fields may share a name, one there at a time.
    for (const field of group) if (standings.get(field) === 'active') inactive.delete(field.propertyName);
    return moved;
  }

  function evaluate(changed?: string): readonly string[] {
    const group = changed === undefined ? undefined : groups.get(changed);
    // Most of what is typed is read by no condition.
    if (changed !== undefined && !group) return nothing;
    values.$changed = valueAt('$changed');
    values.$failures = valueAt('$failures');
    return group ? evaluateGroup(group) : [...new Set(groups.values())].flatMap(evaluateGroup);
  }

  evaluate();
  return { isActive: name => !inactive.has(name), evaluate: evaluate };
}

function standingOf({ when, disabledWhen }: FieldNode, scope: Scope): Standing {
  if (when && !isMet(when, scope)) return 'hidden';
  return disabledWhen && isMet(disabledWhen, scope) ? 'disabled' : 'active';
}

function namesRead({ when, disabledWhen }: FieldNode): readonly string[] {
  return [...formNames(when), ...formNames(disabledWhen)];
}

const grouped = new WeakMap<readonly FieldNode[], ReadonlyMap<string, FieldGroup>>();

/** The group of every name that conditions read or belong to; found once for the fields of a layout. */
function groupFields(fields: readonly FieldNode[]): ReadonlyMap<string, FieldGroup> {
  const there = grouped.get(fields);
  if (there) return there;
  const names = new Map<string, Set<string>>();
  for (const field of fields) {
    if (!field.when && !field.disabledWhen) continue;
    const group = new Set(
      [field.propertyName, ...namesRead(field)].flatMap(name => [name, ...(names.get(name) ?? [])]),
    );
    for (const name of group) names.set(name, group);
  }
  const members = new Map([...names.values()].map(group => [group, [] as FieldNode[]]));
  for (const field of fields) members.get(names.get(field.propertyName) as Set<string>)?.push(field);
  const groups = new Map([...members].map(([group, inside]) => [group, inOrder(inside)]));
  const made = new Map([...names].map(([name, group]) => [name, groups.get(group) as FieldGroup]));
  grouped.set(fields, made);
  return made;
}

/** The fields of a group, each after those that its conditions read; in a ring, as one comes upon them. */
function inOrder(fields: readonly FieldNode[]): FieldGroup {
  const seen = new Set<FieldNode>();
  const ordered: FieldNode[] = [];
  const place = (field: FieldNode): void => {
    if (seen.has(field)) return;
    seen.add(field);
    const names = namesRead(field);
    for (const other of names.length > 0 ? fields : []) if (names.includes(other.propertyName)) place(other);
    ordered.push(field);
  };
  for (const field of fields) place(field);
  return ordered;
}
