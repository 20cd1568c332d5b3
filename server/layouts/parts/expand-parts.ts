import { isObject } from '../names/json.ts';
import type { Newest } from '../names/newest.ts';
import { isPartUse, type PartUse } from '../names/part-use.ts';
import type { Problem } from '../names/problem.ts';
import type { LongDocument, Pointer } from '../names/source.ts';
import { checkParts } from './check-parts.ts';
import { type Origin, Origins, withOrigins } from './origins.ts';
import { fillIn, objectIn, type Part, placeholdersIn, readPart, usesOf } from './part.ts';
import { findRings, usesOfParts } from './rings.ts';

export type Expanded = {
  /** Every document but the parts, with the nodes and data of these in place of their uses. */
  readonly sources: readonly LongDocument[];
  /** The document that one of these was before. */
  givenOf(source: LongDocument): LongDocument;
  readonly parts: readonly Part[];
  /** Ids of the parts that something uses. */
  readonly used: ReadonlySet<string>;
  /** Those of `sources` in which a part is wrong or used wrongly: without its nodes, and to be left out. */
  readonly held: ReadonlySet<LongDocument>;
  readonly problems: readonly Problem[];
};

/** Values that one document may have with its parts, and how deep they may stand. */
const mostValues = 20_000;
const mostLevels = 60;
/** Letters of a text that something is given in. */
const longestText = 1000;
/** Parts that may stand in each other. */
const mostUses = 20;
/** Values of all documents that use parts. */
const mostOfAll = 400_000;

/**
 * Replaces each use of a part in the documents by the part's nodes, with its parameters filled in. Documents without
 * any stay as they are, and so do those whose shape is not sound. What `newest` holds of the same parts is taken over.
 */
export function expandParts(
  written: readonly LongDocument[],
  isSound: (document: LongDocument) => boolean,
  newest: Newest<ComposedBefore>,
): Expanded {
  const files = written.filter(({ kind }) => kind === 'part');
  const parts = new Map(files.filter(isSound).map(source => [String(source.json.id), readPart(source)]));
  const broken = new Set(files.filter(source => !isSound(source)).map(({ json }) => String(json.id)));
  const using = new Set(written.filter(source => isSound(source) && usesOf(source).length > 0));
  const uses = usesOfParts(parts);
  const names = { parts, broken, ringOf: findRings(uses) };
  const problems = [...new Set([...using, ...files.filter(isSound)])].flatMap(source => checkParts(source, names));
  const wrongFiles = new Set(problems.flatMap(({ file, severity }) => (severity === 'error' ? [file] : [])));
  const isWrong = ({ source }: Part): boolean => wrongFiles.has(source.file);
  const wrongParts = withUsers(uses, [...broken, ...[...parts].flatMap(([id, part]) => (isWrong(part) ? [id] : []))]);
  const held = new Set<LongDocument>();
  const key = [...parts.values()].map(({ source }) => source);
  const known: ComposedBefore = newest.find(key) ?? new WeakMap();
  newest.keep(key, known);
  const budget = { left: mostOfAll };
  const hold = (source: LongDocument): LongDocument => {
    const expanded = new Expansion(source, new Map(), budget).expand();
    held.add(expanded);
    return expanded;
  };
  const expand = (source: LongDocument): LongDocument => {
    if (wrongFiles.has(source.file) || usesOf(source).some(({ use }) => wrongParts.has(use.part))) return hold(source);
    try {
      return expandOnce(source, parts, budget, known);
    } catch (error) {
      if (!(error instanceof TooLarge)) throw error;
      problems.push(error.problem);
      return hold(source);
    }
  };
  const before = new Map<LongDocument, LongDocument>();
  const sources = written.flatMap(source => {
    if (source.kind === 'part') return [];
    if (!using.has(source)) return [source];
    const expanded = expand(source);
    before.set(expanded, source);
    return [expanded];
  });
  const used = new Set([...using].flatMap(source => usesOf(source).map(({ use }) => use.part)));
  return { sources, givenOf: source => before.get(source) ?? source, parts: [...parts.values()], used, held, problems };
}

/** By a document as it is written, the document with its parts, and how many values it took of the budget. */
export type ComposedBefore = WeakMap<LongDocument, { readonly expanded: LongDocument; readonly cost: number }>;

function expandOnce(
  source: LongDocument,
  parts: ReadonlyMap<string, Part>,
  budget: { left: number },
  known: ComposedBefore,
): LongDocument {
  const before = known.get(source);
  if (before && before.cost <= budget.left) {
    budget.left -= before.cost;
    return before.expanded;
  }
  const { left } = budget;
  const expanded = new Expansion(source, parts, budget).expand();
  known.set(source, { expanded, cost: left - budget.left });
  return expanded;
}

/** Parts, and those that use them, directly or in other parts. */
function withUsers(uses: ReadonlyMap<string, ReadonlySet<string>>, ids: readonly string[]): ReadonlySet<string> {
  const all = new Set(ids);
  for (const id of all) for (const [user, used] of uses) if (used.has(id)) all.add(user);
  return all;
}

class TooLarge extends Error {
  readonly problem: Problem;
  constructor(problem: Problem) {
    super(problem.message);
    this.problem = problem;
  }
}

/** Something written at a place, to be read as this place says. */
type Written = { readonly value: unknown; readonly at: Pointer; readonly scope: Scope };

/** What the uses around something require, and when they show. */
type Around = { readonly requires: readonly Written[]; readonly when: readonly Written[] };
const nothing: Around = { requires: [], when: [] };

/** What texts stand for in the document itself, or in one use of a part. */
type Scope = {
  readonly source: LongDocument;
  /** The uses that brought this there, the nearest first. */
  readonly uses: Origin['uses'];
  readonly part?: Part;
  readonly given: ReadonlyMap<string, Written>;
  /** `data.users` → `data.users2`, where the document has another of the name. */
  readonly renamed: ReadonlyMap<string, string>;
  /** Holds for data sources as well. */
  readonly around: Around;
};

const added = ['data', 'state'] as const;

/** One document while the parts in it are expanded. */
class Expansion {
  private readonly source: LongDocument;
  private readonly parts: ReadonlyMap<string, Part>;
  private readonly budget: { left: number };
  private readonly origins: Origins;
  /** What parts add to the data sources and the state of the document, and the names that are taken there. */
  private readonly added: Readonly<Record<(typeof added)[number], Record<string, unknown>>> = { data: {}, state: {} };
  private readonly taken: Set<string>;
  private readonly guessedTexts: Set<string>;
  private left = mostValues;
  /** How many uses there are around what is expanded now. */
  private depth = 0;
  /** The use in the document itself that is being expanded. */
  private outermost: Pointer = [];

  constructor(source: LongDocument, parts: ReadonlyMap<string, Part>, budget: { left: number }) {
    this.source = source;
    this.parts = parts;
    this.budget = budget;
    this.origins = new Origins(source);
    this.guessedTexts = new Set(source.guessedTexts);
    this.taken = new Set(
      added.flatMap(kind => Object.keys(objectIn(source.json, kind)).map(name => `${kind}.${name}`)),
    );
  }

  expand(): LongDocument {
    const scope: Scope = { source: this.source, uses: [], given: new Map(), renamed: new Map(), around: nothing };
    const json = this.value({ value: this.source.json, at: [], scope }, []) as LongDocument['json'];
    for (const kind of added)
      if (Object.keys(this.added[kind]).length > 0) json[kind] = { ...objectIn(json, kind), ...this.added[kind] };
    return withOrigins(this.source, json, this.origins, this.guessedTexts);
  }

  /**
   * One value as it stands in the expanded document at `out`; undefined where nothing is given for it. `isInside`: it
   * stands in what is around it as it was written there.
   */
  private value(written: Written, out: Pointer, around: Around = nothing, isInside = false): unknown {
    const found = this.resolve(written);
    if (!found) return undefined;
    const { value, at, scope } = found;
    if (!isInside || found !== written) this.note(out, found);
    this.count(scope, out.length);
    if (typeof value === 'string') return this.filled(value, scope);
    if (Array.isArray(value)) return this.list(found, out, [], nothing, true);
    if (!isObject(value)) return value;
    const json: Record<string, unknown> = {};
    for (const [name, item] of Object.entries(value)) {
      const own = { value: item, at: [...at, name], scope };
      const one = isAround(name)
        ? this.joined([...around[name], own], [...out, name])
        : this.value(own, [...out, name], nothing, true);
      if (one !== undefined) json[name] = one;
    }
    for (const name of ['requires', 'when'] as const)
      if (around[name].length > 0 && !Object.hasOwn(json, name)) json[name] = this.joined(around[name], [...out, name]);
    return json;
  }

  /** What a text stands for that is a parameter and nothing else; anything else stands for itself. */
  private resolve(written: Written): Written | undefined {
    const { value, scope } = written;
    const [first] = scope.part && typeof value === 'string' ? placeholdersIn(value) : [];
    if (first?.as !== 'alone') return written;
    return scope.given.get(first.name);
  }

  /** A text of a part with what is given inside it. */
  private filled(written: string, scope: Scope): string {
    const { part, given, renamed } = scope;
    if (!part) return written;
    const own = renamed.size === 0 ? written : written.replace(dataOrState, name => renamed.get(name) ?? name);
    const textOf = (name: string): string => {
      const value = given.get(name)?.value;
      return typeof value === 'string' ? value : '';
    };
    const text = fillIn(own, textOf, name => part.parameters.get(name)?.kind === 'path');
    return text.length <= longestText ? text : this.refuse(`make a text of more than ${longestText} characters`, scope);
  }

  /** All of some requirements or conditions, each once: a part may ask for what its use asks for. */
  private joined(all: readonly Written[], out: Pointer): unknown {
    const given = this.distinct(all.flatMap(one => this.resolve(one) ?? []));
    const [first] = given;
    if (!first || given.length === 1) return first && this.value(first, out);
    this.note(out, first);
    this.origins.noteJoined(out);
    return { all: given.map((one, index) => this.value(one, [...out, 'all', index])) };
  }

  private distinct(all: readonly Written[]): readonly Written[] {
    if (all.length < 2) return all;
    const byValue = new Map(all.toReversed().map(one => [JSON.stringify(this.value(one, unseen)), one]));
    return all.filter(one => [...byValue.values()].includes(one));
  }

  /** Puts the entries of a list at the end of `items`, those of parts in their place. `isWhole`: it is all of `items`. */
  private list({ value, at, scope }: Written, out: Pointer, items: unknown[], around: Around, isWhole = false) {
    for (const [index, item] of (value as readonly unknown[]).entries()) {
      this.count(scope, out.length);
      const own = { value: item, at: [...at, index], scope };
      const found = this.resolve(own);
      if (isPartUse(found?.value)) this.use(found.value, found, out, items, around);
      else if (found && found.scope !== scope && Array.isArray(found.value)) this.list(found, out, items, around);
      else if (found) {
        const isInside = isWhole && found === own && items.length === index;
        items.push(this.value(found, [...out, items.length], around, isInside));
      }
    }
    return items;
  }

  /** Puts what a part holds at the end of a list, and its data sources and state into the document. */
  private use(use: PartUse, { at, scope }: Written, out: Pointer, items: unknown[], around: Around): void {
    const part = this.parts.get(use.part);
    if (!part?.body) return;
    if (this.depth === 0) this.outermost = at;
    for (const key of part.source.guessedTexts ?? []) this.guessedTexts.add(key);
    const own = (name: keyof Around) =>
      use[name] === undefined ? [] : [{ value: use[name], at: [...at, name], scope }];
    const withOwn = ({ requires, when }: Around): Around => ({
      requires: [...requires, ...own('requires')],
      when: [...when, ...own('when')],
    });
    const inner: Scope = {
      source: part.source,
      uses: [{ source: scope.source, at }, ...scope.uses],
      part,
      given: this.givenBy(use, at, scope),
      renamed: this.rename(part),
      around: withOwn(scope.around),
    };
    this.depth++;
    this.addOwn(part, inner);
    this.list({ value: part.source.json[part.body], at: [part.body], scope: inner }, out, items, withOwn(around));
    this.depth--;
  }

  /** What a use gives. Texts are filled in at once, so that none is filled in more often than it is written. */
  private givenBy(use: PartUse, at: Pointer, scope: Scope): Map<string, Written> {
    const { part: _, ...final } = scope;
    const given = Object.entries(use.with ?? {}).flatMap(([name, value]): [string, Written][] => {
      const found = this.resolve({ value, at: [...at, 'with', name], scope });
      if (!found) return [];
      const isText = typeof found.value === 'string' && found.scope === scope;
      return [[name, isText ? { ...found, value: this.filled(String(found.value), scope), scope: final } : found]];
    });
    return new Map(given);
  }

  /** Names of data sources and of state that the document has already get a number. */
  private rename({ source }: Part): Map<string, string> {
    const renamed = new Map<string, string>();
    for (const kind of added)
      for (const name of Object.keys(objectIn(source.json, kind))) {
        const own = `${kind}.${name}`;
        let free = own;
        for (let number = 2; this.taken.has(free); number++) free = `${own}${number}`;
        this.taken.add(free);
        if (free !== own) renamed.set(own, free);
      }
    return renamed;
  }

  /** A data source is there, and read, where the use is. What a row or form around the use has is not known to it. */
  private addOwn({ source }: Part, scope: Scope): void {
    const when = scope.around.when.filter(
      one => !/"(?:row|form|reply)[".]/.test(JSON.stringify(this.value(one, unseen))),
    );
    for (const kind of added)
      for (const [name, value] of Object.entries(objectIn(source.json, kind))) {
        const own = `${kind}.${name}`;
        const to = (scope.renamed.get(own) ?? own).slice(kind.length + 1);
        const around = kind === 'data' ? { ...scope.around, when } : nothing;
        const added = this.value({ value, at: [kind, name], scope }, [kind, to], around);
        // Rows call what is joined to them as the part does.
        const keepsName = to !== name && isObject(added) && added.rows !== undefined && added.as === undefined;
        this.added[kind][to] = keepsName ? { ...added, as: name } : added;
      }
  }

  private note(out: Pointer, { scope, at }: Written): void {
    this.origins.note(out, { source: scope.source, at, uses: scope.uses });
  }

  private count(scope: Scope, level: number): void {
    if (this.depth === 0) return;
    this.left--;
    this.budget.left--;
    if (this.depth > mostUses) this.refuse(`stand in each other more than ${mostUses} deep`, scope);
    if (this.left < 0) this.refuse(`make more than ${mostValues} values of this document`, scope);
    if (this.budget.left < 0) this.refuse(`make more than ${mostOfAll} values of all documents`, scope);
    if (level > mostLevels) this.refuse(`make a document of more than ${mostLevels} levels`, scope);
  }

  private refuse(why: string, { source, uses }: Scope): never {
    const files = new Set([source.file, ...uses.map(use => use.source.file)]);
    files.delete(this.source.file);
    throw new TooLarge({ ...this.source.problem(this.outermost, `The parts here ${why}.`), alsoIn: [...files] });
  }
}

const isAround = (name: string): name is keyof Around => name === 'requires' || name === 'when';
const dataOrState = /(?<=^|\{)(?:data|state)\.[A-Za-z0-9]+/g;
/** A place of no document; not the empty name, whose key is that of a whole document. */
const unseen: Pointer = ['unseen'];
