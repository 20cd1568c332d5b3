import { commandDeclarations } from '../../server/commands/index.ts';
import { routesOf } from '../../server/layouts/check/documents.ts';
import { isDrawn } from '../../server/layouts/compile/basis.ts';
import { expandDocuments } from '../../server/layouts/expand/expand.ts';
import { parseSource } from '../../server/layouts/load/load.ts';
import type { CommandDeclaration } from '../../server/layouts/names/command-declaration.ts';
import type { LongDocument, Source } from '../../server/layouts/names/source.ts';
import { type Compiler, createCompiler } from '../../server/layouts/pipeline.ts';
import { checkReach } from '../../server/layouts/trim/check-reach.ts';
import { matchRoute } from '../../shared/rules/route.ts';
import { type Reference, referencesIn } from './references.ts';

/** A document with one letter of one reference changed. */
export type Mutation = { readonly reference: Reference; readonly written: string; readonly source: Source };

/** A repeatable sequence of numbers below a count (mulberry32). */
function drawFrom(seed: number): (count: number) => number {
  let state = seed;
  return count => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % count;
  };
}

/** Changes one letter; undefined for a text without any. */
function changeLetter(text: string, draw: (count: number) => number): string | undefined {
  const letters = [...text].flatMap((letter, index) => (/[A-Za-z]/.test(letter) ? [index] : []));
  if (letters.length === 0) return undefined;
  const at = letters[draw(letters.length)] as number;
  const was = text[at] as string;
  const put = was === was.toUpperCase() ? (was === 'X' ? 'Q' : 'X') : was === 'x' ? 'q' : 'x';
  return text.slice(0, at) + put + text.slice(at + 1);
}

/** A document's JSON with a text, or the name of a property, changed at a place. */
function changed(json: unknown, at: Reference['at'], written: string, isName: boolean): unknown {
  const [step, ...rest] = at;
  if (step === undefined) return written;
  if (Array.isArray(json))
    return json.map((item, index) => (index === step ? changed(item, rest, written, isName) : item));
  const entries = Object.entries(json as object).map(([name, item]) => {
    if (name !== step) return [name, item];
    return isName && rest.length === 0 ? [written, item] : [name, changed(item, rest, written, isName)];
  });
  return Object.fromEntries(entries);
}

/** A path without the Result that documents leave out. */
const shortPath = (text: string): string =>
  text.replace(
    /(^|\{)((?:data\.[a-z][A-Za-z0-9]*)|reply)\.(Result|Succeed|Errors?|Messages)(?=$|[.}])/g,
    (_, start, root, name) => (name === 'Result' ? `${start}${root}` : `${start}${root}.$${name}`),
  );

type WrittenPlace = Pick<Reference, 'at' | 'text' | 'isName'>;

/** Where a reference of the long form is written, as a text or as a name; undefined for what is known without it. */
function writtenPlace(
  { json, written }: LongDocument,
  { at: long, text, isName }: Reference,
): WrittenPlace | undefined {
  const at = written?.at(long) ?? long;
  const around = valueAt(written?.json ?? json, at.slice(0, -1));
  const [name, value] = [String(at.at(-1)), around?.[String(at.at(-1))]];
  const isThis = (one: unknown): one is string =>
    one === text || one === shortPath(text) || (typeof one === 'string' && text.endsWith(`.${one}`));
  if (isName !== true && isThis(value)) return { at, text: value };
  if (isThis(name) && value !== undefined) return { at, text: name, isName: true };
  return undefined;
}

function mutationOf(source: LongDocument, reference: Reference, draw: (count: number) => number): Mutation | undefined {
  const { at, isName, text } = writtenPlace(source, reference) ?? {};
  const written = text === undefined ? undefined : changeLetter(text, draw);
  if (at === undefined || written === undefined) return undefined;
  const json = changed(source.written?.json ?? source.json, at, written, isName === true);
  const parsed = parseSource(source.file, JSON.stringify(json));
  return 'file' in parsed ? { reference, written, source: parsed } : undefined;
}

/**
 * Makes mutations of documents, each with one reference changed to a wrong one: of every reference, or of `count` drawn
 * with `seed`. They test whether the checker finds mistakes.
 */
export function drawMutations(sources: readonly Source[], seed: number, count = Number.POSITIVE_INFINITY): Mutation[] {
  const draw = drawFrom(seed);
  const places = expandDocuments(sources, commandDeclarations).flatMap(source =>
    referencesIn(source).map(reference => ({ source, reference })),
  );
  const left = [...places];
  const drawn: Mutation[] = [];
  while (left.length > 0 && drawn.length < count) {
    const index = count < places.length ? draw(left.length) : 0;
    const [place] = left.splice(index, 1) as [(typeof left)[number]];
    const mutation = mutationOf(place.source, place.reference, draw);
    if (mutation) drawn.push(mutation);
  }
  return drawn;
}

const valueAt = (json: unknown, at: Reference['at']): Readonly<Record<string, unknown>> =>
  at.reduce<unknown>((inner, step) => (inner as Record<string | number, unknown>)[step], json) as Record<
    string,
    unknown
  >;

/**
 * Why a change is no mistake that a checker could know; undefined for one that it must find. A letter of an address may
 * stand where any word may.
 */
function whyExcluded({ reference, written }: Mutation, sources: readonly LongDocument[]): string | undefined {
  const source = sources.find(({ file }) => file === reference.file);
  const json = source?.json;
  const around = reference.at.map((_, index) => valueAt(json, reference.at.slice(0, index))).reverse();
  const isOfPage = ({ rows }: { rows?: unknown }) => typeof rows === 'string' && /^(popup|state)\./.test(rows);
  if (around.some(isOfPage)) return 'a field of rows that a command hands to a popup';
  const [node] = around as { type?: unknown }[];
  if (reference.what === 'path' && (node?.type === 'tabs' || node?.type === 'match'))
    return 'a place that its own node alone reads';
  const [parameter, binding] = [reference.at.at(-1), reference.at.at(-2)];
  if (binding === 'with' && ['page', 'pageSize', 'sort'].includes(String(parameter)) && isBoundAlone(source, reference))
    return 'a place that the table takes from what its list binds';
  if (reference.at.includes('record') && (reference.isName || reference.what === 'constant'))
    return 'what an audit record says, and how it is called there';
  if (reference.what === 'constant') return whyAnyConstant(reference, around, json);
  if (reference.what !== 'address') return undefined;
  const [path = '', query = ''] = written.split('?');
  const routes = sources.flatMap(source => routesOf(source).map(({ route }) => route));
  const isKnown = matchRoute(routes, path.replace(/\{[^{}]+\}/g, '\u0000')) !== undefined;
  if (path !== reference.text.split('?')[0])
    return isKnown ? 'a part of an address that is a parameter of its route' : undefined;
  const namesOf = (text: string) => text.replace(/([?&][^=&]*)=[^&]*/g, '$1');
  return query !== '' && namesOf(written) === namesOf(reference.text)
    ? 'a value in the query of an address'
    : undefined;
}

/** Whether a document, as it is written, names a place nowhere else, or only where other lists bind the same parameter. */
function isBoundAlone(source: LongDocument | undefined, { text, at }: Reference): boolean {
  const json = JSON.stringify(source?.written?.json ?? source?.json);
  const count = (part: string) => json.split(part).length - 1;
  return count(`"${text}"`) === 1 || count(`"${text}"`) === count(`"${String(at.at(-1))}":"${text}"`);
}

/** Why any constant may stand somewhere; undefined where its values are declared. */
function whyAnyConstant({ at }: Reference, around: readonly unknown[], document: unknown): string | undefined {
  const [parent, above] = around as readonly { readonly path?: unknown; readonly do?: unknown }[];
  const condition = at.at(-2) === 'in' ? above : parent;
  const path = String(condition?.path ?? '');
  if (path.startsWith('popup.')) return 'what a command hands to a popup';
  const { query } = document as { readonly query?: readonly string[] };
  if (query?.includes(path.replace(/^route\./, ''))) return 'what the address of a screen has from outside';
  if (at.includes('with')) return 'a parameter of which no values are declared';
  return above?.do === 'set' && String(above.path).startsWith('route.')
    ? 'a value in the address of which others ask only whether it is there'
    : undefined;
}

export type MutationReport = {
  readonly tried: number;
  readonly caught: number;
  /** Reason → the changes that were left out. */
  readonly excluded: ReadonlyMap<string, readonly Mutation[]>;
  readonly missed: readonly Mutation[];
};

/**
 * Checks the documents with each mutation in turn; reports how many the checker caught, and which it missed or may
 * miss.
 */
export function checkMutations(
  sources: readonly Source[],
  mutations: readonly Mutation[],
  commands: readonly CommandDeclaration[],
): MutationReport {
  const excluded = new Map<string, Mutation[]>();
  const missed: Mutation[] = [];
  const long = expandDocuments(sources, commands);
  const compiler = createCompiler();
  const inTurn = [...mutations].sort((one, next) => Number(isDrawn(next.source)) - Number(isDrawn(one.source)));
  for (const mutation of inTurn) {
    if (isCaught(sources, mutation, commands, compiler)) continue;
    const why = whyExcluded(mutation, long);
    if (why === undefined) missed.push(mutation);
    else excluded.set(why, [...(excluded.get(why) ?? []), mutation]);
  }
  const left = [...excluded.values()].flat().length;
  return { tried: mutations.length, caught: mutations.length - left - missed.length, excluded, missed };
}

/** Describes a mutation in one line: where, what stood there, and what stands there now. */
export const describeMutation = ({ reference: { what, file, at, text }, written }: Mutation): string =>
  `${what} ${JSON.stringify(text)} as ${JSON.stringify(written)} in ${file} ${at.join('/')}`;

/** Formats the report of `checkMutations` as text. */
export function printReport({ tried, caught, excluded, missed }: MutationReport): string {
  const share = (count: number) => `${((100 * count) / tried).toFixed(1)} %`;
  return [
    `${caught} of ${tried} mistakes caught (${share(caught)})`,
    ...[...excluded].map(([why, { length }]) => `${length} left out (${share(length)}): ${why}`),
    ...missed.map(mutation => `missed: ${describeMutation(mutation)}`),
  ].join('\n');
}

/** Whether the checker finds an error in the documents with one of them changed. */
function isCaught(
  sources: readonly Source[],
  { source: changedSource }: Mutation,
  commands: readonly CommandDeclaration[],
  compiler: Compiler,
): boolean {
  const all = sources.map(source => (source.file === changedSource.file ? changedSource : source));
  const { compiled, problems } = compiler.compile(all, commands);
  return (
    problems.some(({ severity }) => severity === 'error') ||
    checkReach(compiled).some(({ severity }) => severity === 'error')
  );
}
