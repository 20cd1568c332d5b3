import { effectSchemas } from '../../../shared/language/effects.ts';
import { nodeSchemas } from '../../../shared/language/nodes.ts';
import { pathRoots } from '../../../shared/language/path-roots.ts';
import * as primitives from '../../../shared/language/primitives.ts';
import { conditionShape, requirement } from '../../../shared/language/requirement.ts';
import { findMisspeltHead } from '../expand/heads.ts';
import { hasRoot } from '../expand/paths.ts';
import { nearest, suggest } from '../names/problem.ts';
import type { Schema } from '../names/schema.ts';

/** Words for each kind of value; a property's own description says what it is for. */
const meanings = new Map(
  Object.values(primitives).flatMap(kind =>
    'title' in kind ? [[kind.title as string, kind.description as string]] : [],
  ),
);

/** Says what a value is, in words of the language; '' where there is no more to say than its type. */
export const meaningOf = ({ title = '', description }: Schema): string => meanings.get(title) ?? description ?? '';

const isComparison = (name: string): boolean =>
  Object.hasOwn(conditionShape.properties, name) || name === 'given' || hasRoot(name);
const isRequirement = (name: string): boolean =>
  Object.hasOwn(requirement.properties, name) && !Object.hasOwn(conditionShape.properties, name);

/** Of a name in a requirement or condition that belongs into the other of the two, where it belongs; '' for any other. */
export function otherOfWhenAndRequires({ title }: Schema, name: string): string {
  if (title === 'Requires' && isComparison(name))
    return ` It tests data, which "when" does; "requires" says what the caller must hold.`;
  if (title === 'Condition' && isRequirement(name))
    return ` It is what a caller must hold, which "requires" says; "when" tests data.`;
  return '';
}

/** The same of what is no object where a condition stands, or no name where that of a requirement stands. */
export function otherValueOfWhenAndRequires({ title }: Schema, value: unknown): string {
  if (title === 'Condition' && typeof value === 'string')
    return hasRoot(value)
      ? ` Write { "given": ${JSON.stringify(value)} } where there must be a value.`
      : ` The name of a requirement stands in "requires"; "when" tests data.`;
  if (title === 'RequirementName' && typeof value === 'string' && hasRoot(value))
    return ` It tests data, which "when" does: { "given": ${JSON.stringify(value)} }.`;
  return '';
}

/** Says what is wrong with a node or effect that says no type, and the name that is meant as one, if there is any. */
export function describeMissingType(
  what: 'Node' | 'Effect',
  value: object,
): { readonly message: string; readonly word?: string } {
  const [known, called, key] = what === 'Node' ? [nodeSchemas, 'A node', 'type'] : [effectSchemas, 'An effect', 'do'];
  const types = Object.keys(value).filter(name => Object.hasOwn(known, name));
  const misspelt = findMisspeltHead(value, known as Readonly<Record<string, Schema>>);
  if (misspelt) {
    const { word, type } = misspelt;
    const message = `${what === 'Node' ? 'Node type' : 'Effect'} "${word}" not found. Did you mean "${type}"?`;
    return { message, word };
  }
  const [first, second] = types;
  if (first !== undefined && second !== undefined)
    return {
      message: `"${first}" and "${second}" are both types of ${what.toLowerCase()}s: one of them stands in another.`,
      word: second,
    };
  return { message: `${called} needs "${key}".` };
}

/** Of what is no object in the place of a node or effect, what may be meant. */
export function hintForPlain(what: 'Node' | 'Effect', value: unknown): string {
  if (typeof value !== 'string') return '';
  if (what === 'Effect') return suggest(value, Object.keys(effectSchemas));
  return /^[A-Z]/.test(value) ? ` A field is written { "field": ${JSON.stringify(value)} } here.` : '';
}

const roots = Object.keys(pathRoots);

/** Of a path whose root there is not, the path with the nearest root; '' for anything else. */
export function suggestRoot(path: string): string {
  const [root = '', ...names] = path.split('.');
  const meant = names.length === 0 || roots.includes(root) ? undefined : nearest(root, roots);
  return meant === undefined ? '' : ` Did you mean "${[meant, ...names].join('.')}"?`;
}
