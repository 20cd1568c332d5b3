import sanitizeHtml from 'sanitize-html';
import { dangerousNames } from '../compile/scope.ts';

/** Cuts a reply to what a caller's layouts read, building it anew. */
export type Projection = (reply: unknown) => Record<string, unknown>;

export type Tree = { leaf: boolean; html: boolean; whole: boolean; children: Map<string, Tree> };

/** Of the envelope these pass unread (design, "The one idea"). */
export const open = ['Succeed', 'Error', 'Errors', 'Messages'];

/** Lists in lists that are followed: a reply that is nothing but brackets would exhaust the stack. */
const deepestList = 16;

const branch = (): Tree => ({ leaf: false, html: false, whole: false, children: new Map() });

export type ReadPath = {
  /** Dotted, from the envelope; lists are passed through item by item. */
  readonly path: string;
  /** Sanitised on the way out. */
  readonly html: boolean;
  /** True for a field that passes with all it holds: only fields of commands, which are the portal's own. */
  readonly whole?: boolean;
};

/** The paths as one tree. */
export function treeOf(paths: readonly ReadPath[]): Tree {
  const root = branch();
  for (const { path, html, whole } of paths) {
    const parts = path.split('.');
    if (parts.some(part => dangerousNames.has(part))) continue;
    let tree = root;
    for (const part of parts) {
      let next = tree.children.get(part);
      if (!next) {
        next = branch();
        tree.children.set(part, next);
      }
      tree = next;
    }
    tree.leaf = true;
    tree.html ||= html;
    tree.whole ||= whole === true;
  }
  return root;
}

/** Makes the projection of a set of paths. A path lets a plain value (or a list of them) pass, never an object. */
export function createProjection(paths: readonly ReadPath[]): Projection {
  const root = treeOf(paths);
  const fields = [...root.children]
    .filter(([name]) => !open.includes(name))
    .map(([name, tree]) => [name, createCut(tree)] as const);
  return reply => {
    const out: Record<string, unknown> = {};
    if (reply === null || typeof reply !== 'object') return out;
    const envelope = reply as Record<string, unknown>;
    for (const name of open) {
      const value = passOpen(name, envelope[name]);
      if (value !== undefined) out[name] = value;
    }
    for (const [name, cut] of fields) {
      if (!Object.hasOwn(envelope, name)) continue;
      const value = cut(envelope[name]);
      if (value !== undefined) out[name] = value;
    }
    return out;
  };
}

function passOpen(name: string, value: unknown): unknown {
  if (name === 'Succeed') return typeof value === 'boolean' ? value : undefined;
  if (name === 'Error') return typeof value === 'string' ? value : undefined;
  if (name === 'Messages') return Array.isArray(value) ? value.filter(item => typeof item === 'string') : undefined;
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return undefined;
  const out: Record<string, string[]> = {};
  for (const [field, messages] of Object.entries(value)) {
    if (dangerousNames.has(field)) continue;
    const list = (Array.isArray(messages) ? messages : [messages]).filter(item => typeof item === 'string');
    if (list.length > 0) out[field] = list;
  }
  return out;
}

/** Makes the function that cuts one value; undefined where nothing of it passes. */
function createCut(tree: Tree): (value: unknown) => unknown {
  const names = [...tree.children.keys()];
  const cuts = [...tree.children.values()].map(createCut);
  const cutList = (list: readonly unknown[], level: number): unknown[] =>
    list
      .map(item => (Array.isArray(item) ? (level < deepestList ? cutList(item, level + 1) : undefined) : cut(item)))
      .filter(item => item !== undefined);
  const cut = (value: unknown): unknown => {
    if (value === null || typeof value !== 'object') {
      if (!tree.leaf) return undefined;
      return tree.html && typeof value === 'string' ? sanitise(value) : value;
    }
    if (Array.isArray(value)) return cutList(value, 1);
    if (tree.whole) return value;
    const out: Record<string, unknown> = {};
    for (let index = 0; index < names.length; index++) {
      const name = names[index] as string;
      if (!Object.hasOwn(value, name)) continue;
      const kept = (cuts[index] as typeof cut)((value as Record<string, unknown>)[name]);
      if (kept !== undefined) out[name] = kept;
    }
    return out;
  };
  return cut;
}

/** An allow-list of plain formatting; links open outside, without opener or referrer. */
export function sanitise(html: string): string {
  return sanitizeHtml(html, {
    allowedTags: [
      'p',
      'br',
      'b',
      'strong',
      'i',
      'em',
      'u',
      'ul',
      'ol',
      'li',
      'h3',
      'h4',
      'a',
      'code',
      'blockquote',
      'span',
    ],
    allowedAttributes: { a: ['href', 'rel', 'target'] },
    allowedSchemes: ['https', 'mailto', 'tel'],
    allowProtocolRelative: false,
    transformTags: { a: sanitizeHtml.simpleTransform('a', { rel: 'noopener noreferrer', target: '_blank' }) },
  });
}
