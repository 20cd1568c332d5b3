import { type Node as JsonNode, parseTree } from 'jsonc-parser';
import type { Pointer } from '../layouts/names/source.ts';

/** A stretch of a document's text: offsets of its first character and of the one behind its last. */
export type Span = { readonly start: number; readonly end: number };

/** A word of a document: a name or a single value, without the quotes around it. */
export type Token = Span & {
  readonly at: Pointer;
  readonly text: string;
  /** True for the name of a property, false for a value. */
  readonly isName: boolean;
};

/** Reads a text that is perhaps being typed: what cannot be read is left out. Undefined for an empty text. */
export const readTree = (text: string): JsonNode | undefined => parseTree(text);

function tokenOf(node: JsonNode, at: Pointer, isName: boolean): Token {
  const text = String(node.value);
  const start = node.offset + (node.type === 'string' ? 1 : 0);
  // A text that does not end yet has no quote behind it.
  const isClosed = node.type === 'string' && node.length >= text.length + 2;
  return { at, text, isName, start, end: node.offset + node.length - (isClosed ? 1 : 0) };
}

const isContainer = ({ type }: JsonNode): boolean => type === 'object' || type === 'array';

/** Finds the name or single value at an offset, its ends included. */
export function tokenAt(tree: JsonNode | undefined, offset: number): Token | undefined {
  const visit = (node: JsonNode, at: Pointer): Token | undefined => {
    if (!isContainer(node)) {
      const token = tokenOf(node, at, false);
      return token.start <= offset && offset <= token.end ? token : undefined;
    }
    for (const [index, child] of (node.children ?? []).entries()) {
      if (child.offset > offset) return undefined;
      if (offset > child.offset + child.length) continue;
      const [name, value] = node.type === 'object' ? (child.children ?? []) : [];
      const found =
        node.type === 'array'
          ? visit(child, [...at, index])
          : (nameToken(name, at, offset) ?? (value && visit(value, [...at, String(name?.value)])));
      if (found) return found;
    }
    return undefined;
  };
  return tree && visit(tree, []);
}

function nameToken(name: JsonNode | undefined, at: Pointer, offset: number): Token | undefined {
  const token = name && tokenOf(name, [...at, String(name.value)], true);
  return token && token.start <= offset && offset <= token.end ? token : undefined;
}

/** Finds the words at a place: the name there, if it is a property, and its value, if that is a single one. */
export function tokensOf(tree: JsonNode | undefined, at: Pointer): { readonly name?: Token; readonly value?: Token } {
  let node = tree;
  let name: JsonNode | undefined;
  for (const step of at) {
    const property = node?.children?.find(child => child.type === 'property' && child.children?.[0]?.value === step);
    name = property?.children?.[0];
    node = typeof step === 'number' ? node?.children?.[step] : property?.children?.[1];
    if (!node && !name) return {};
  }
  return {
    ...(name && { name: tokenOf(name, at, true) }),
    ...(node && !isContainer(node) && { value: tokenOf(node, at, false) }),
  };
}
