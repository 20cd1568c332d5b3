import { createHash } from 'node:crypto';
import type { UserType } from '../../shared/contract/boot.ts';
import type { Layout, LayoutText, Node, Requirement } from '../../shared/language/types.ts';
import { compareRoutes } from '../../shared/rules/route.ts';
import type { Principal } from '../access/principal.ts';
import { decide } from '../access/requirement.ts';
import { createCapabilities, createProjections } from './capabilities.ts';
import type { Compiled, CompiledDocument } from './compile.ts';
import type { Access, TrimmedLayout } from './layouts.ts';
import type { Lead, Part } from './place.ts';

/** What a kept part of a layout uses. */
export type Use =
  | {
      readonly kind: 'read';
      readonly operation: string;
      readonly path: string;
      readonly source?: string;
      readonly html?: true;
    }
  | { readonly kind: 'source'; readonly operation: string }
  | { readonly kind: 'file'; readonly operation: string }
  | { readonly kind: 'write'; readonly operation: string }
  | { readonly kind: 'command'; readonly command: string }
  | { readonly kind: 'popup'; readonly popup: string }
  | { readonly kind: 'table'; readonly table: string }
  | { readonly kind: 'state'; readonly name: string }
  | { readonly kind: 'field'; readonly form: string; readonly name: string };

/** How far a pass has come: what a part that is trimmed after all leaves behind is taken back to it. */
export type Mark = { readonly uses: number; readonly callers: number };

/** Looks on while a document is trimmed. */
export type Observer = {
  /** An action that leads somewhere, and whether that is there for the caller. */
  lead?(lead: Lead, there: boolean): void;
  /** A part is about to be judged; `judged` follows when its own parts have been. */
  part?(part: Part): void;
  judged?(kept: boolean): void;
  /** Something else than a requirement that is not there. */
  missing?(what: string): void;
  /** Of a list of nodes, at this place in the part that is judged, nothing is left that could stand alone. */
  emptied?(list: Pick<Part, 'source' | 'at'>): void;
};

/** What a pass asks about its caller. */
export type Caller = {
  readonly type: UserType;
  meets(requirement: Requirement | undefined): boolean;
  /** True for the key of a document that is not there for it. */
  lacks(document: string): boolean;
};

export const callerOf = (principal: Principal, dead: ReadonlySet<string>): Caller => ({
  type: principal.type,
  meets: requirement => decide(requirement, principal).met,
  lacks: document => dead.has(document),
});

/** State of one trimming pass over one document. What an emitter gives undefined for is trimmed. */
export class Trim {
  readonly uses: Use[] = [];
  /** Kept nodes that may call. */
  readonly callers: Record<string, unknown>[] = [];
  /** Ids of tables that are not there for this caller. */
  readonly lostTables = new Set<string>();
  /** Data sources of the document that are there for this caller. */
  sources: ReadonlySet<string> = new Set();
  /** What each data source itself uses; counted only when the source is. */
  readonly sourceUses = new Map<string, readonly Use[]>();
  readonly caller: Caller;
  private readonly compiled: Compiled;
  private readonly fields = new Map<string, ReadonlySet<string>>();

  readonly observer: Observer | undefined;

  constructor(compiled: Compiled, caller: Caller, observer?: Observer) {
    this.observer = observer;
    this.compiled = compiled;
    this.caller = caller;
  }

  meets = (requirement: Requirement | undefined): boolean => this.caller.meets(requirement);

  mark(): Mark {
    return { uses: this.uses.length, callers: this.callers.length };
  }

  back(to: Mark): undefined {
    this.uses.length = to.uses;
    this.callers.length = to.callers;
  }

  text(key: string): LayoutText {
    return this.compiled.texts.resolve(key, this.meets);
  }

  catalogue(id: string): unknown {
    return this.compiled.catalogues.get(id)?.(this);
  }

  /** Names of the fields of a form document that are there for this caller. */
  fieldsOf(form: string): ReadonlySet<string> {
    let fields = this.fields.get(form);
    if (!fields) {
      const pass = new Trim(this.compiled, this.caller);
      fields = new Set(
        this.compiled.forms
          .get(form)?.(pass)
          ?.map(field => field.propertyName),
      );
      this.fields.set(form, fields);
    }
    return fields;
  }

  routeIsThere(pattern: string): boolean {
    const screen = this.compiled.screenByPattern.get(pattern);
    return screen !== undefined && !this.caller.lacks(screen);
  }

  popupIsThere(id: string): boolean {
    return this.compiled.documents.has(`popup:${id}`) && !this.caller.lacks(`popup:${id}`);
  }

  mayCall(operation: string): boolean {
    const found = this.compiled.names.operations.get(operation);
    return found !== undefined && this.meets(found.requires);
  }

  mayCommand(command: string): boolean {
    const found = this.compiled.names.commands.get(command);
    return found !== undefined && this.meets(found.requires);
  }

  /** A field is there when every requirement on it, or on what holds it, is met. */
  mayRead(operation: string, path: string): boolean {
    const reply = this.compiled.names.operations.get(operation)?.reply;
    if (!reply) return true;
    for (const restricted in reply) {
      if ((path === restricted || path.startsWith(`${restricted}.`)) && !this.meets(reply[restricted])) return false;
    }
    return true;
  }
}

export type Result = {
  readonly layout: Layout;
  readonly uses: readonly Use[];
  readonly nodes: ReadonlyMap<string, Node>;
};

/** Trims all documents for one principal: pure, total, fail-closed. */
export function trim(compiled: Compiled, principal: Principal): Access {
  const results = settle(compiled, principal, emitDocument);
  return createAccess(compiled, principal, reach(compiled, results));
}

/**
 * What each document that is there for a principal comes to. A document is first taken to be there; passes are
 * repeated over what refers to a document that turned out not to be, until none changes (the greatest fixpoint).
 */
export function settle<R>(
  compiled: Compiled,
  principal: Principal,
  emit: (compiled: Compiled, document: CompiledDocument, caller: Caller) => R | undefined,
): Map<string, R> {
  const dead = new Set<string>();
  const caller = callerOf(principal, dead);
  const results = new Map<string, R>();
  let open = [...compiled.documents.values()];
  while (open.length > 0) {
    const died = new Set<string>();
    for (const document of open) {
      if (dead.has(document.key)) continue;
      const result = emit(compiled, document, caller);
      if (result) results.set(document.key, result);
      else {
        dead.add(document.key);
        died.add(document.key);
        results.delete(document.key);
      }
    }
    open =
      died.size === 0
        ? []
        : [...compiled.documents.values()].filter(
            document => !dead.has(document.key) && [...died].some(key => document.refers.has(key)),
          );
  }
  return results;
}

/** One pass over one document; undefined when it is not there for the caller. */
export function emitDocument(
  compiled: Compiled,
  document: CompiledDocument,
  caller: Caller,
  observer?: Observer,
): Result | undefined {
  const pass = new Trim(compiled, caller, observer);
  try {
    const layout = document.emit(pass) as Layout | undefined;
    return layout && { layout, uses: pass.uses, nodes: nodesById(pass.callers) };
  } catch {
    return undefined;
  }
}

/** Nodes that may call, by their id; who has none gets one, numbered over kept nodes alone so that nothing shows. */
function nodesById(callers: readonly Record<string, unknown>[]): Map<string, Node> {
  const nodes = new Map<string, Node>();
  let counter = 0;
  for (const node of callers) {
    if (node.id === undefined) {
      counter += 1;
      node.id = `n${counter}`;
    }
    nodes.set(String(node.id), node as unknown as Node);
  }
  return nodes;
}

/** From the screens and the navigation through every popup that a kept node opens. */
export function reach<R extends Pick<Result, 'uses'>>(
  compiled: Compiled,
  results: ReadonlyMap<string, R>,
): Map<string, R> {
  const reached = new Map<string, R>();
  const visit = (key: string): void => {
    const result = results.get(key);
    if (!result || reached.has(key)) return;
    reached.set(key, result);
    for (const use of result.uses) if (use.kind === 'popup') visit(`popup:${use.popup}`);
  };
  for (const [key, document] of compiled.documents) if (document.kind !== 'popup') visit(key);
  return reached;
}

function seal(result: Result): TrimmedLayout {
  const json = JSON.stringify(result.layout);
  const hash = createHash('sha256').update(json).digest('base64url').slice(0, 16);
  return { id: result.layout.id, hash, layout: result.layout, bytes: Buffer.from(json), nodes: result.nodes };
}

function createAccess(compiled: Compiled, principal: Principal, reached: ReadonlyMap<string, Result>): Access {
  const screens = new Map<string, TrimmedLayout>();
  const popups = new Map<string, TrimmedLayout>();
  const byHash = new Map<string, TrimmedLayout>();
  const aliases: [alias: string, route: string][] = [];
  let navigation: TrimmedLayout | undefined;
  let landing = '/';
  const uses: Use[] = [];
  for (const result of reached.values()) {
    uses.push(...result.uses);
    let { layout } = result;
    if (layout.kind === 'screen' && layout.aliases) {
      const { aliases: others, ...rest } = layout;
      layout = rest;
      for (const alias of others) aliases.push([alias, layout.route]);
    }
    if (layout.kind === 'navigation') {
      landing = layout.landing[0]?.to ?? '/';
      layout = { ...layout, landing: [] };
    }
    const sealed = seal({ ...result, layout });
    byHash.set(sealed.hash, sealed);
    if (layout.kind === 'screen') screens.set(layout.route, sealed);
    else if (layout.kind === 'popup') popups.set(layout.id, sealed);
    else navigation = sealed;
  }
  const pass = new Trim(compiled, callerOf(principal, new Set()));
  const capabilities = createCapabilities(compiled, principal, uses, pass);
  return {
    key: '',
    patterns: [...screens.keys()].sort(compareRoutes),
    aliases: new Map(aliases.sort(([a], [b]) => compareRoutes(a, b))),
    screens,
    popups,
    ...(navigation && { navigation }),
    byHash,
    landing,
    ...capabilities,
    ...createProjections(compiled, uses),
    words: Object.fromEntries(
      compiled.texts.area('runtime').map(key => [key.slice('runtime.'.length), pass.text(key)]),
    ),
  };
}
