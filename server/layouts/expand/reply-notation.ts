import type { Reply } from '../../../shared/language/reply.ts';
import { isObject, type Json } from '../names/json.ts';

/** The declaration of what a list holds, or of what stands in `{ "of": … }`. */
function itemOf(reply: unknown): unknown {
  let found = reply;
  while (Array.isArray(found) || (isObject(found) && !Object.hasOwn(found, 'kind') && Object.hasOwn(found, 'of')))
    found = Array.isArray(found) ? found[0] : found.of;
  return found;
}

/** The declarations of the fields at a place, by name; none where it declares none. */
function fieldsOf(reply: unknown): Json {
  const item = itemOf(reply);
  return isObject(item) && !Object.hasOwn(item, 'kind') && !Object.hasOwn(item, 'map') ? item : {};
}

/** Lists the field names of a declared reply. */
export const fieldNames = (reply: unknown): readonly string[] => Object.keys(fieldsOf(reply));

/**
 * Follows names into a declared reply and gives the declaration there; undefined where there is none. Runs before
 * documents are checked.
 */
export function followReply(reply: unknown, names: readonly string[]): Reply | undefined {
  let found = reply;
  for (const name of names) {
    const item = itemOf(found);
    const fields = fieldsOf(item);
    if (isObject(item) && Object.hasOwn(item, 'map')) found = item.map;
    else found = Object.hasOwn(fields, name) ? fields[name] : undefined;
  }
  return found as Reply | undefined;
}

/** Gives the kind of a single value in a declared reply, with the catalogue of a code. */
export function kindOf(reply: unknown): { readonly kind: string; readonly catalogue?: string } | undefined {
  const written = isObject(reply) ? reply.kind : reply;
  if (typeof written !== 'string') return undefined;
  const [kind = '', catalogue] = written.replace(/\?$/, '').split(':');
  return catalogue === undefined ? { kind } : { kind, catalogue };
}
