import { type PortalCall, portalCalls } from '../../../shared/language/operation.ts';
import type { Operation } from '../../../shared/language/types.ts';
import replies from './cloud-replies.json' with { type: 'json' };

/** Fields by name; "*" stands for any name. Items of a list have the fields of the list. */
export type Fields = { readonly [name: string]: 'value' | 'money' | Fields };

/** By method and path, parameters without their names; `npm run schemas replies` writes it from the cloud's OpenAPI. */
const described = new Map(Object.entries(replies as { readonly [call: string]: Fields }));

/**
 * What the cloud says of the replies of an operation, one for each place where it is; none for what it does not know.
 * What the portal answers itself it makes of the operations that it asks.
 */
export function describedReplies(operation: Operation, operations: ReadonlyMap<string, Operation>): readonly Fields[] {
  const { service, method, path, elsewhere = [] } = operation;
  if (service === 'portal') {
    const asked: readonly string[] = portalCalls[`${method} ${path}` as PortalCall] ?? [];
    return asked.flatMap(name => {
      const made = operations.get(name);
      return made ? describedReplies(made, operations) : [];
    });
  }
  const places: readonly Pick<Operation, 'path' | 'method'>[] = [
    operation,
    ...elsewhere.map(place => ({ method, ...place })),
  ];
  return places.flatMap(place => {
    const reply = described.get(`${place.method} ${place.path.replace(/\{[^{}]*\}/g, '{}')}`);
    return reply ? [reply] : [];
  });
}

/** What the cloud says of the field at a path; undefined where there is none. */
export function fieldAt(reply: Fields, path: string): 'value' | 'money' | Fields | undefined {
  let field: 'value' | 'money' | Fields | undefined = reply;
  for (const name of path.split('.')) {
    if (typeof field !== 'object') return undefined;
    field = Object.hasOwn(field, name) ? field[name] : field['*'];
  }
  return field;
}

/** All paths of a reply, "*" left out. */
export function pathsIn(reply: Fields, above = ''): string[] {
  return Object.entries(reply).flatMap(([name, field]) => {
    const path = `${above}${name}`;
    if (name === '*') return [];
    return typeof field === 'object' ? [path, ...pathsIn(field, `${path}.`)] : [path];
  });
}
