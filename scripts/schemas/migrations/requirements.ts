import { findNodeAtLocation, getNodeValue, type Node, parseTree } from 'jsonc-parser';
import { commandDeclarations } from '../../../server/commands/index.ts';
import { requirement as shape } from '../../../shared/language/requirement.ts';
import type { Document } from '../edit-folder.ts';
import type { Migration } from './migration.ts';
import firstNames from './requirement-names.json' with { type: 'json' };

type Json = Readonly<Record<string, unknown>>;
/** A requirement or part of one: a name, or written out. */
type Written = string | Json;
/** One thing that must hold: a key with its value. */
type Clause = { readonly key: string; readonly value: unknown };
/** By a text that is the same for all ways to write them, what must all hold. */
type Clauses = ReadonlyMap<string, Clause>;

const keys: ReadonlySet<string> = new Set(Object.keys(shape.properties));
const isRequirement = (value: unknown): value is Json =>
  value !== null &&
  typeof value === 'object' &&
  !Array.isArray(value) &&
  Object.keys(value).length > 0 &&
  Object.keys(value).every(key => keys.has(key));

/** Features of the first edition: all of them, "!Name" for one that is off. */
function featureClauses(features: readonly string[]): Clause[] {
  const off = features.filter(name => name.startsWith('!')).map(name => name.slice(1));
  const on = features.filter(name => !name.startsWith('!'));
  return [
    ...on.map(name => ({ key: 'features', value: [name] })),
    ...(off.length > 0 ? [{ key: 'not', value: { features: off } }] : []),
  ];
}

class Names {
  private readonly byName = new Map<string, Clauses>();
  private readonly written: Readonly<Record<string, Written>>;

  constructor(written: Readonly<Record<string, Written>>) {
    this.written = written;
    for (const name of Object.keys(written)) this.clausesOf(name);
  }

  /** What must all hold, with the names resolved. */
  clausesOf(requirement: Written): Clauses {
    if (typeof requirement === 'string') {
      const meaning = this.written[requirement];
      const known = this.byName.get(requirement) ?? (meaning === undefined ? new Map() : this.clausesOf(meaning));
      this.byName.set(requirement, known);
      return known;
    }
    const clauses = new Map<string, Clause>();
    for (const [key, value] of Object.entries(requirement)) {
      if (key === 'all')
        for (const part of value as Written[]) for (const one of this.clausesOf(part)) clauses.set(...one);
      else
        for (const clause of key === 'features' ? featureClauses(value as string[]) : [{ key, value }])
          clauses.set(this.textOf(clause), clause);
    }
    return clauses;
  }

  private textOf({ key, value }: Clause): string {
    if (key === 'any')
      return `any ${(value as Written[])
        .map(part => [...this.clausesOf(part).keys()].sort().join())
        .sort()
        .join(' | ')}`;
    if (key === 'not') return `not ${[...this.clausesOf(value as Json).keys()].sort().join()}`;
    return `${key} ${Array.isArray(value) ? [...value].sort().join() : String(value)}`;
  }

  /** The same in the second edition: by names as far as they go, and written out for the rest. */
  rewrite(requirement: Written): Written {
    if (typeof requirement === 'string') return requirement;
    const left = new Map(this.clausesOf(requirement));
    // Beside others prices stand at the top, where the check of amounts of money looks for them.
    const prices = left.size > 1 && left.delete('prices true') && { prices: true };
    const parts: Written[] = [];
    // The names that say most come first.
    for (const [name, clauses] of [...this.byName].sort(([, a], [, b]) => b.size - a.size)) {
      if (clauses.size === 0 || ![...clauses.keys()].every(key => left.has(key))) continue;
      parts.push(name);
      for (const key of clauses.keys()) left.delete(key);
    }
    const rest: Record<string, unknown>[] = [];
    for (const { key, value } of left.values()) {
      const clause = key === 'any' ? (value as Written[]).map(part => this.rewrite(part)) : value;
      const free = rest.find(one => !Object.hasOwn(one, key));
      if (free) free[key] = clause;
      else rest.push({ [key]: clause });
    }
    const [first, ...others] = [...parts, ...rest];
    if (first !== undefined && others.length === 0 && (typeof first === 'object' || !prices))
      return typeof first === 'object' ? { ...first, ...prices } : first;
    return { all: [...parts, ...rest], ...prices };
  }
}

/** The requirements that a document writes out: wherever "requires" stands, and on fields of replies of the first edition. */
function requirementsIn(node: Node, path: readonly (string | number)[] = []): Node[] {
  return (node.children ?? []).flatMap((child, index) => {
    if (node.type !== 'object') return requirementsIn(child, [...path, index]);
    const [key, value] = child.children as [Node, Node];
    const here = [...path, String(key.value)];
    if (key.value === 'requires' && isRequirement(getNodeValue(value))) return [value];
    const isReply = path[0] === 'operations' && path.length === 3 && path[2] === 'reply';
    if (isReply && String(key.value).startsWith('Result') && isRequirement(getNodeValue(value))) return [value];
    return requirementsIn(value, here);
  });
}

/** Every name that a requirement uses, those in the meanings of names included. */
function namesIn(requirement: unknown, meanings: Readonly<Record<string, unknown>>): string[] {
  if (typeof requirement === 'string') return [requirement, ...namesIn(meanings[requirement], meanings)];
  if (!isRequirement(requirement)) return [];
  return [...((requirement.all ?? []) as Written[]), ...((requirement.any ?? []) as Written[])].flatMap(part =>
    namesIn(part, meanings),
  );
}

/**
 * Migration: replaces requirements that documents repeat by their names in access.json, and lists of features that were
 * all needed by `all` and `not`. A folder without named requirements gets those of the portal.
 */
export const nameRequirements: Migration = documents => {
  const access = documents.find(({ file }) => file === 'access.json');
  const accessTree = access && parseTree(access.text);
  if (!access || !accessTree) return ['There is no access.json for the names of requirements.'];
  const own = findNodeAtLocation(accessTree, ['requirements']);
  const meanings = { ...firstNames, ...(own && getNodeValue(own)) } as Readonly<Record<string, Written>>;
  const names = new Names(meanings);
  const notes: string[] = [];
  const used = new Set<string>();
  for (const document of documents) {
    const tree = document === access ? undefined : parseTree(document.text);
    if (!tree) continue;
    for (const node of requirementsIn(tree).reverse()) {
      const before = getNodeValue(node) as Json;
      const after = names.rewrite(before);
      for (const name of namesIn(after, meanings)) used.add(name);
      if (JSON.stringify(before) === JSON.stringify(after)) continue;
      if ((before.features as string[] | undefined)?.[1] !== undefined)
        notes.push(
          `${document.file}: of the features ${(before.features as string[]).join(', ')} all are needed, as before.`,
        );
      const { text } = document;
      document.text = `${text.slice(0, node.offset)}${JSON.stringify(after)}${text.slice(node.offset + node.length)}`;
    }
  }
  for (const { requires } of commandDeclarations) for (const name of namesIn(requires, meanings)) used.add(name);
  addNames(access, accessTree, own, pick(meanings, used));
  return notes;
};

function pick(meanings: Readonly<Record<string, Written>>, used: ReadonlySet<string>): Json {
  return Object.fromEntries(Object.entries(meanings).filter(([name]) => used.has(name)));
}

function addNames(document: Document, tree: Node, own: Node | undefined, names: Json): void {
  const { text } = document;
  const known = own ? (getNodeValue(own) as Json) : {};
  const all = {
    ...known,
    ...Object.fromEntries(Object.entries(names).filter(([name]) => !Object.hasOwn(known, name))),
  };
  if (Object.keys(all).length === Object.keys(known).length) return;
  // One line each.
  const lines = `{\n${Object.entries(all)
    .map(([name, meaning]) => `${JSON.stringify(name)}: ${JSON.stringify(meaning)}`)
    .join(',\n')}\n}`;
  const features = findNodeAtLocation(tree, ['features']) as Node;
  const end = features.offset + features.length;
  const at = own ? [own.offset, own.offset + own.length] : [end, end];
  const written = own ? lines : `,\n"requirements": ${lines}`;
  document.text = `${text.slice(0, at[0])}${written}${text.slice(at[1])}`;
}
