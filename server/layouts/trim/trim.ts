import { createHash } from 'node:crypto';
import { wordOwners } from '../../../shared/language/nodes.ts';
import { patterns } from '../../../shared/language/patterns.ts';
import type { Layout, Node } from '../../../shared/language/types.ts';
import { languageVersion } from '../../../shared/language/version.ts';
import { compareRoutes } from '../../../shared/rules/route.ts';
import type { Principal } from '../../access/principal.ts';
import type { CallerFacts, Compiled, CompiledDocument, Observer, Use } from '../names/pass.ts';
import { callerFacts, TrimPass } from '../names/pass.ts';
import { createWording } from '../names/server-texts.ts';
import type { Access, TrimmedLayout } from './access-types.ts';
import { createCapabilities, createProjections } from './capabilities.ts';
import { findRequestable } from './requestable.ts';

export type Result = {
  readonly layout: Layout;
  readonly uses: readonly Use[];
  readonly nodes: ReadonlyMap<string, Node>;
};

/**
 * Trims all documents for a principal; gives the layouts, capabilities and projections. Pure and total; in doubt it
 * removes.
 */
export function trim(compiled: Compiled, principal: Principal): Access {
  const results = emitUntilStable(compiled, principal, emitDocument);
  return createAccess(compiled, principal, reach(compiled, results));
}

/**
 * Gives, by key, what `emit` makes of each document that a principal may have. Each is first assumed to exist; then see
 * `withoutLost`.
 */
export function emitUntilStable<R>(
  compiled: Compiled,
  principal: Principal,
  emit: (compiled: Compiled, document: CompiledDocument, caller: CallerFacts) => R | undefined,
): Map<string, R> {
  const dead = new Set<string>();
  const caller = callerFacts(principal, dead);
  const first = new Map<string, R>();
  for (const document of compiled.documents.values()) {
    const result = emit(compiled, document, caller);
    if (result) first.set(document.key, result);
  }
  return withoutLost(compiled, first, dead, document => emit(compiled, document, caller));
}

/**
 * Gives the results of the documents that are there, out of those that are if all others exist: passes are repeated over
 * those that refer to a document found not to, until none changes (the greatest fixpoint). `dead` grows by the keys of
 * the others.
 */
export function withoutLost<R>(
  compiled: Compiled,
  first: ReadonlyMap<string, R>,
  dead: Set<string>,
  emit: (document: CompiledDocument) => R | undefined,
): Map<string, R> {
  const results = new Map(first);
  const referring = referringIn(compiled);
  let died = [...compiled.documents.keys()].filter(key => !first.has(key));
  while (died.length > 0) {
    for (const key of died) dead.add(key);
    const again = new Set(died.flatMap(key => referring.get(key) ?? []).filter(({ key }) => !dead.has(key)));
    died = [];
    for (const document of again) {
      const result = emit(document);
      if (result) results.set(document.key, result);
      else {
        results.delete(document.key);
        died.push(document.key);
      }
    }
  }
  return results;
}

const referringTo = new WeakMap<Compiled, ReadonlyMap<string, readonly CompiledDocument[]>>();

/** Lists, by a document's key, the documents that refer to it. */
export function referringIn(compiled: Compiled): ReadonlyMap<string, readonly CompiledDocument[]> {
  const found = referringTo.get(compiled);
  if (found) return found;
  const referring = new Map<string, CompiledDocument[]>();
  for (const document of compiled.documents.values())
    for (const key of document.refers) {
      const known = referring.get(key);
      if (known) known.push(document);
      else referring.set(key, [document]);
    }
  referringTo.set(compiled, referring);
  return referring;
}

/** Trims one document for a caller in one pass; undefined when the caller has nothing of it. */
export function emitDocument(
  compiled: Compiled,
  document: CompiledDocument,
  caller: CallerFacts,
  observer?: Observer,
): Result | undefined {
  const pass = new TrimPass(compiled, caller, observer);
  try {
    const layout = document.emit(pass) as Layout | undefined;
    return layout && { layout, uses: pass.uses, nodes: nodesById(pass.callingNodes) };
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

/**
 * Gives only the results of documents that can be reached: screens, the navigation, and every popup that a kept node
 * opens.
 */
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

/**
 * Letters of a layout's hash: 48 bits tell apart what one browser meets, and the boot names one for each layout, which no
 * compression shortens.
 */
const hashLetters = 8;

function seal(result: Result): TrimmedLayout {
  const layout: Layout = { language: languageVersion, ...result.layout };
  const json = JSON.stringify(layout);
  const hash = createHash('sha256').update(json).digest('base64url').slice(0, hashLetters);
  return { id: layout.id, hash, layout, bytes: Buffer.from(json), nodes: result.nodes };
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
  const pass = new TrimPass(compiled, callerFacts(principal, new Set()));
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
    ...createProjections(compiled, uses, pass),
    ...createWording(compiled.texts, principal.facts.locale),
    requestable: findRequestable(compiled, principal, uses, pass),
    words: wordsFor([...byHash.values()], compiled, pass),
  };
}

/** First parts of the words that the browser says only to those who are signed in, or where a field is of that kind. */
const signedInWords: ReadonlySet<string> = new Set([
  'date-time',
  'documentErrors',
  'fault',
  'keys',
  'palette',
  'theme',
  'unknown',
]);

/** By message of a field, the kinds or patterns of fields of which alone it is said. */
const kindsOfMessage: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...[...Object.keys(patterns), 'date', 'date-time'].map(name => [`form.${name}`, [name]] as const),
  ...['number', 'min', 'max'].map(name => [`form.${name}`, ['number']] as const),
  ...['days', 'firstDay', 'lastDay'].map(name => [`form.${name}`, ['date', 'date-time']] as const),
  ...['propertyInvalid', 'propertyCharacters'].map(name => [`form.${name}`, ['hidden']] as const),
]);

/** The words of the browser's runtime, but for those that nothing on this caller's pages says. */
function wordsFor(layouts: readonly TrimmedLayout[], { texts }: Compiled, pass: TrimPass): Access['words'] {
  const isThere = (mark: string) => layouts.some(({ bytes }) => bytes.includes(mark));
  const says = (name: string, value: string) => isThere(`"${name}":"${value}"`);
  const isNeeded = (head: string) =>
    (pass.caller.type !== 'public' ||
      !signedInWords.has(head) ||
      kindsOfWords(head).some(kind => says('kind', kind))) &&
    (wordOwners[head]?.some(isThere) ?? true);
  // Whoever is signed in may be shown fields that are made at run time.
  const isOfNoField = (word: string) => {
    const kinds = pass.caller.type === 'public' && !says('type', 'delivered') && kindsOfMessage.get(word);
    if (word.startsWith('form.property') && isThere('"ofOperation":true')) return false;
    return kinds && !kinds.some(kind => says('kind', kind) || says('pattern', kind));
  };
  const names = texts.area('runtime').map(key => key.slice('runtime.'.length));
  const heads = new Set(names.map(headOf).filter(isNeeded));
  const said = names.filter(name => heads.has(headOf(name)) && !isOfNoField(name));
  return Object.fromEntries(said.map(name => [name, pass.text(`runtime.${name}`)]));
}

/** The kinds of fields that say the words of a first part. */
const kindsOfWords = (head: string): readonly string[] => (head === 'date-time' ? ['date', head] : [head]);

const headOf = (name: string): string => name.split('.')[0] ?? '';
