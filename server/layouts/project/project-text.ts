import { type Branch, type Cutting, type Field, passObject } from './cut-text.ts';
import { odd, openBrace, skipSpace } from './plain-json.ts';
import { open, type ReadPath, type Tree, treeOf } from './project.ts';

/**
 * Cuts a reply in its own text, without building it: the JSON of what the projection of the same paths gives. Undefined
 * for a text that is anything but plain (escapes, doubled or odd fields, long or odd numbers, a failure, no JSON at
 * all): such a reply is parsed and projected like any other. Most are plain, and a read costs half as much.
 */
export type TextProjection = (text: string) => string | undefined;

const mostFields = 31;

/** Undefined where values have to be looked into: HTML, and fields that pass whole. */
function compile({ leaf, html, whole, children }: Tree, more: readonly Omit<Field, 'bit'>[] = []): Branch | undefined {
  const fields: Field[][] = [];
  if (html || whole || children.size + more.length > mostFields) return undefined;
  const named = new Set(more.map(({ name }) => name));
  const all: Omit<Field, 'bit'>[] = [...more];
  for (const [name, tree] of children) {
    const branch = compile(tree);
    if (!branch) return undefined;
    if (!named.has(name)) all.push({ name, branch });
  }
  all.forEach((field, index) => {
    const { length } = field.name;
    fields[length] = [...(fields[length] ?? []), { ...field, bit: 1 << index }];
  });
  return { leaf, fields: Array.from(fields), lessons: 0 };
}

const anything: Branch = { leaf: true, fields: [], lessons: 0 };
const nothing: Branch = { leaf: false, fields: [], lessons: 0 };
const envelope = open.map(name =>
  name === 'Succeed'
    ? ({ name, branch: anything, only: 'true' } as const)
    : { name, branch: nothing, only: 'null' as const },
);

/** Made of the same paths as `createProjection`; undefined where these need more than cutting. */
export function createTextProjection(paths: readonly ReadPath[]): TextProjection | undefined {
  const root = compile(treeOf(paths), envelope);
  if (!root) return undefined;
  return text => {
    if (text.includes('\\')) return undefined;
    const cutting: Cutting = { text, out: '', from: 0, succeeded: false };
    const start = skipSpace(text, 0);
    if (text.charCodeAt(start) !== openBrace) return undefined;
    const end = passObject(cutting, start + 1, root, 0);
    if (end === odd || !cutting.succeeded || skipSpace(text, end) !== text.length) return undefined;
    return cutting.out + text.slice(cutting.from);
  };
}
