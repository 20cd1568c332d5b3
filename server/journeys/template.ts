import type { Condition } from '../../shared/language/types.ts';
import { isMet } from '../../shared/rules/condition.ts';
import { readPath, type Scope } from '../../shared/rules/path.ts';

type Json = Readonly<Record<string, unknown>>;

const isThere = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

/**
 * Makes the body of a journey's call from its template (`Template` in the language). Missing values are left out of an
 * object, or replaced by the template's default.
 */
export function fillTemplate(template: unknown, scope: Scope): unknown {
  if (typeof template === 'string') return readPath(scope, template);
  if (template === null || typeof template !== 'object') return template;
  const json = template as Json;
  if (Object.hasOwn(json, 'value')) return json.value;
  if (Object.hasOwn(json, 'path')) {
    const value = readPath(scope, String(json.path));
    return isThere(value) ? value : json.default;
  }
  if (Object.hasOwn(json, 'rows')) {
    const rows = readPath(scope, String(json.rows));
    return Array.isArray(rows) ? rows.map(row => fillTemplate(json.each, { ...scope, row })) : [];
  }
  if (Object.hasOwn(json, 'when')) {
    const chosen = isMet(json.when as Condition, scope) ? json.use : json.else;
    return chosen === undefined ? null : fillTemplate(chosen, scope);
  }
  const entries = Object.entries(json).map(([name, item]) => [name, fillTemplate(item, scope)] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}
