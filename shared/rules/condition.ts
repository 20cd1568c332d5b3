import type { Condition } from '../language/types.ts';
import { readPath, type Scope } from './path.ts';

function isEmpty(value: unknown): boolean {
  return (
    value === undefined ||
    value === null ||
    value === '' ||
    value === false ||
    (Array.isArray(value) && value.length === 0)
  );
}

/** True for two values that are there and read the same: the wire writes an id as a number here and as text there. */
function isSame(value: unknown, other: unknown): boolean {
  return !isEmpty(value) && !isEmpty(other) && String(value) === String(other);
}

/** Evaluates a condition over data. Unknown keys cannot arrive here: they are errors when a document loads. */
export function isMet(condition: Condition | undefined, scope: Scope): boolean {
  if (!condition) return true;
  if (condition.not && isMet(condition.not, scope)) return false;
  if (condition.all?.some(part => !isMet(part, scope))) return false;
  if (condition.any && !condition.any.some(part => isMet(part, scope))) return false;
  if (condition.path === undefined) return true;
  const value = readPath(scope, condition.path) ?? null;
  if (condition.is !== undefined && value !== condition.is) return false;
  if (condition.in && !condition.in.includes(value as string)) return false;
  if (condition.empty !== undefined && isEmpty(value) !== condition.empty) return false;
  if (condition.atLeast !== undefined && !(typeof value === 'number' && value >= condition.atLeast)) return false;
  if (condition.same !== undefined && !isSame(value, readPath(scope, condition.same))) return false;
  return true;
}
