import type { Scope } from '../../../shared/rules/path.ts';
import { readPath } from '../../../shared/rules/path.ts';

export type { Scope } from '../../../shared/rules/path.ts';

export type Row = Readonly<Record<string, unknown>>;

const isRow = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** Gives a value as a list of rows; undefined when it is none. */
export function rowsOf(value: unknown): readonly Row[] | undefined {
  return Array.isArray(value) && value.every(isRow) ? value : undefined;
}

/** The same scope with `row` as the current item of a list. */
export function withRow(scope: Scope, row: unknown): Scope {
  return { ...scope, row };
}

const pathHead = /^(?:(?:data|state|route|popup|reply\.Result)\.[\w-]+|principal|row)(?=\.|$)/;
const addressPart = /\{([^{}]+)\}/g;
const found = new WeakMap<object, readonly string[]>();

/** Finds the parts of the scope that a node and everything below it may read: `data.customers`, `route.page`, `row`. */
function findReadPaths(value: object): readonly string[] {
  let reads = found.get(value);
  if (!reads) {
    const heads = new Set<string>();
    const add = (text: string) => {
      const head = pathHead.exec(text)?.[0];
      if (head) heads.add(head);
    };
    for (const [key, part] of Object.entries(value)) {
      // A link carries parameters along.
      if (key === 'keep') heads.add('route');
      else if (typeof part === 'string') {
        add(part);
        for (const [, path] of part.matchAll(addressPart)) add(path as string);
      } else if (part && typeof part === 'object') {
        for (const head of findReadPaths(part)) heads.add(head);
      }
    }
    reads = [...heads];
    found.set(value, reads);
  }
  return reads;
}

/** True when nothing that the node reads differs between two scopes, so that it need not be drawn again. */
export function isSameFor(node: object, before: Scope, after: Scope): boolean {
  return before === after || findReadPaths(node).every(head => readPath(before, head) === readPath(after, head));
}
