import { createHash } from 'node:crypto';
import { isJumped, type Principal, publicPrincipal } from '../access/principal.ts';
import { acceptedLanguages } from './accepted-languages.ts';
import { checkHabits } from './check/habits.ts';
import { createDomainFiller } from './load/domain.ts';
import { keep, readKept } from './load/last-good-sources.ts';
import { createLoader, type Loaded } from './load/load.ts';
import { watchFolder } from './load/watch.ts';
import type { CommandDeclaration } from './names/command-declaration.ts';
import type { Compiled } from './names/pass.ts';
import { formatProblem, type Problem, problemOfAll, wholeFolder } from './names/problem.ts';
import { createWording, serverTextsFile, type Wording } from './names/server-texts.ts';
import type { Source } from './names/source.ts';
import { defaultLanguage, placeOfTexts, type Texts } from './names/texts.ts';
import { type Compiler, createCompiler } from './pipeline.ts';
import type { Access, Version } from './trim/access-types.ts';
import { createActs } from './trim/acts.ts';
import { checkReach } from './trim/check-reach.ts';
import { createOutliner, createTrial } from './trim/outline.ts';
import { trim } from './trim/trim.ts';

export type { Contract, ValueContract } from './names/contract.ts';
export { formatProblem, formatProblems, type Problem } from './names/problem.ts';
export { builtInFieldMessage, type ServerText, type Wording } from './names/server-texts.ts';
export type {
  Access,
  Act,
  Capability,
  Outline,
  Outlined,
  Requestable,
  TrimmedLayout,
  Version,
} from './trim/access-types.ts';

/** The schemas of a running portal: always the last good version of each document. */
export type Layouts = {
  current(): Version;
  /** Called after a new good version took over; gives the function that ends it. */
  onChange(listener: (version: Version) => void): () => void;
  /** Called with the problems of an edit that was not taken over in whole, and once more when no error is left. */
  onProblems(listener: (problems: readonly Problem[], heldBack: readonly string[]) => void): () => void;
  /** Problems of the newest state of the files, warnings included. */
  problems(): readonly Problem[];
  /** Files of the newest state that are not part of the current version: their last good state is, or nothing of them. */
  heldBack(): readonly string[];
  close(): Promise<void>;
};

/** Raised when the folder has no good version to start with; the message names the first error. */
export class SchemasError extends Error {
  readonly problems: readonly Problem[];
  constructor(problems: readonly Problem[]) {
    const first = problems.find(problem => problem.severity === 'error') as Problem;
    const others = problems.filter(problem => problem.severity === 'error').length - 1;
    super(`The schemas cannot be used. ${formatProblem(first)}${others > 0 ? ` (and ${others} more)` : ''}`);
    this.problems = problems;
  }
}

/** How often documents that change while they are checked are read again before they are taken over. */
const mostTurns = 5;

const isError = (problem: Problem): boolean => problem.severity === 'error';
const remembered = 300;

/** Makes a version: one state of all checked documents. Layouts are trimmed once for each distinct set of rights. */
export function createVersion(compiled: Compiled, hash: string): Version {
  const accesses = new Map<string, Access>();
  const seen = new WeakMap<Principal, Access>();
  const { texts } = compiled;
  const speakTo = createSpeakTo(texts);
  const wordings = new Map<string, Wording>();
  // Whoever tries rights out would push out what others use.
  const trial = createTrial(compiled);
  const find = (principal: Principal): Access => {
    const key = accessKey(principal, texts.languageOf(principal.facts.locale));
    let access = accesses.get(key);
    if (access) accesses.delete(key);
    else access = { ...trim(compiled, principal), key };
    accesses.set(key, access);
    if (accesses.size > remembered) accesses.delete(accesses.keys().next().value as string);
    return access;
  };
  return {
    hash,
    operations: compiled.names.operations,
    journeys: compiled.journeys,
    commands: compiled.names.commands,
    commandContracts: compiled.names.commandContracts,
    patterns: compiled.names.patterns,
    languages: texts.languages,
    speakTo,
    wording(acceptLanguage) {
      const { locale } = speakTo(publicPrincipal, acceptLanguage).facts;
      const wording = wordings.get(locale) ?? createWording(texts, locale);
      wordings.set(locale, wording);
      return wording;
    },
    access(principal) {
      let access = seen.get(principal);
      if (!access) {
        access = find(principal);
        seen.set(principal, access);
      }
      return access;
    },
    outline: createOutliner(compiled, trial),
    acts: createActs(compiled, trial),
  };
}

/** Makes each principal of a language once. With one language alone everybody stays as they are. */
function createSpeakTo({ languages, languageOf, choose }: Texts): Version['speakTo'] {
  const spoken = new WeakMap<Principal, Map<string, Principal>>();
  return (principal, acceptLanguage) => {
    if (languages.length === 1) return principal;
    const { facts, profileLocale } = principal;
    const wishes = profileLocale === undefined ? acceptedLanguages(acceptLanguage) : [profileLocale];
    const language = choose(wishes);
    if (language === undefined || language === languageOf(facts.locale)) return principal;
    const others = spoken.get(principal) ?? new Map<string, Principal>();
    spoken.set(principal, others);
    const other = others.get(language) ?? { ...principal, facts: { ...facts, locale: language } };
    others.set(language, other);
    return other;
  };
}

/** Two principals with the same key see and may do the same, in the same language. */
export function accessKey(principal: Principal, language: string): string {
  const { type, views, permissions, features, prices, currency } = principal;
  const { switched, previousType = '', systems = [] } = principal;
  const held = [views, permissions, features].map(names => [...names].sort());
  const rights = [type, ...held, prices, currency, switched, previousType, isJumped(principal), language, systems];
  return createHash('sha256').update(JSON.stringify(rights)).digest('base64url').slice(0, 16);
}

export type Checked = {
  readonly version?: Version;
  /** What the version was made of. */
  readonly sources?: readonly Source[];
  readonly compiled?: Compiled;
  readonly problems: readonly Problem[];
  /** Files that were read and are not part of the version as they are. */
  readonly heldBack?: readonly string[];
};

/**
 * Checks a folder that was read; gives its version (compiled documents) and the problems. Documents with errors are
 * replaced by their last good texts (`good`); `version` is absent when even those do not work together.
 */
export async function check(
  loaded: Loaded,
  commands: readonly CommandDeclaration[],
  good: readonly Source[] = [],
  compiler = createCompiler(),
): Promise<Checked> {
  const { compiled, problems } = await compiler.check(loaded, commands);
  if (compiled && !problems.some(isError)) return { ...versionOf(compiled, loaded.sources), problems };
  const wrong = wrongFiles(problems);
  // Where a contract lacks what documents read, they are told to be wrong, and only the contract as it was helps; in the
  // same way a text, a form or a document that is gone.
  const contracts = loaded.sources.flatMap(({ kind, file }) => (kind === 'operations' ? [file] : []));
  let told = problems;
  for (const besides of [[], contracts, changedForOthers(loaded, good)]) {
    const { more, ...found } = await standIn(loaded, new Set([...wrong, ...besides]), good, sources =>
      compiler.check({ sources, problems: [] }, commands),
    );
    if (besides.length === 0) told = [...problems, ...more];
    if (found.compiled && found.sources)
      return {
        ...versionOf(found.compiled, found.sources),
        problems: told,
        heldBack: heldBackOf(loaded, found.sources),
      };
  }
  return { problems: told, heldBack: heldBackOf(loaded, good) };
}

const wrongFiles = (problems: readonly Problem[]): Set<string> =>
  new Set(problems.filter(isError).flatMap(({ file, alsoIn = [] }) => [file, ...alsoIn]));

/** Documents that others name and that are not as they last were, and all that are gone. */
function changedForOthers({ sources }: Loaded, good: readonly Source[]): string[] {
  const before = new Map(good.map(({ file, hash }) => [file, hash]));
  const now = new Set(sources.map(({ file }) => file));
  return [
    ...sources.flatMap(({ kind, file, hash }) => (drawnKinds.has(kind) || before.get(file) === hash ? [] : [file])),
    ...good.flatMap(({ file }) => (now.has(file) ? [] : [file])),
  ];
}

const drawnKinds: ReadonlySet<string> = new Set(['screen', 'popup', 'navigation']);

/** How often further documents may turn out to be wrong once others are replaced. */
const mostRounds = 8;

type StoodIn = {
  readonly compiled?: Compiled;
  readonly sources?: readonly Source[];
  /** Errors of further documents, which no document that is left out explains. */
  readonly more: readonly Problem[];
};

/** Replaces wrong documents by their last good ones, and those that then turn out to be wrong, until all fit together. */
async function standIn(
  loaded: Loaded,
  wrong: Set<string>,
  good: readonly Source[],
  checkAll: (sources: readonly Source[]) => ReturnType<Compiler['check']>,
): Promise<StoodIn> {
  const known = new Set(good.map(({ file }) => file));
  const more: Problem[] = [];
  for (let round = 0; round < mostRounds; round++) {
    const sources = withStandIns(loaded, wrong, good);
    if (!sources) return { more };
    const { compiled, problems } = await checkAll(sources);
    if (compiled && !problems.some(isError)) return { compiled, sources, more };
    const further = [...wrongFiles(problems)].filter(file => !wrong.has(file));
    if (further.length === 0) return { more };
    if ([...wrong].every(file => known.has(file)))
      for (const problem of problems) if (isError(problem) && !wrong.has(problem.file)) more.push(problem);
    for (const file of further) wrong.add(file);
  }
  return { more };
}

/** The files that are not part of a version as they were read, and those that are though they are gone. */
function heldBackOf({ sources, problems }: Loaded, used: readonly Source[]): string[] {
  const hashes = new Map(used.map(({ file, hash }) => [file, hash]));
  const read = new Map(sources.map(({ file, hash }) => [file, hash]));
  const files = [...read.keys(), ...hashes.keys(), ...problems.filter(isError).map(({ file }) => file)];
  return [...new Set(files)].filter(file => hashes.get(file) !== read.get(file) || !read.has(file)).sort();
}

function versionOf(compiled: Compiled, sources: readonly Source[]): Omit<Checked, 'problems'> {
  const hash = createHash('sha256')
    .update(sources.map(source => `${source.file}:${source.hash}`).join('\n'))
    .digest('base64url')
    .slice(0, 16);
  return { version: createVersion(compiled, hash), sources, compiled };
}

/**
 * The documents with the good one in place of each that is wrong; one that has never been good is left out. With no
 * good ones at all, only texts may be left out: those of the server, for which there are built-in sentences, and those of
 * other languages, for which the default one stands in.
 */
function withStandIns(
  { sources }: Loaded,
  wrong: ReadonlySet<string>,
  good: readonly Source[],
): readonly Source[] | undefined {
  const isVital = (file: string): boolean =>
    file !== serverTextsFile && (placeOfTexts(file)?.language ?? defaultLanguage) === defaultLanguage;
  if (wrong.has(wholeFolder) || (good.length === 0 && [...wrong].some(isVital))) return undefined;
  const standIns = good.filter(({ file }) => wrong.has(file));
  const sound = sources.filter(({ file }) => !wrong.has(file));
  return [...sound, ...standIns].sort((a, b) => (a.file < b.file ? -1 : 1));
}

/** Reads a folder of documents and checks it, once and without following edits. */
export async function readFolder(
  dir: string,
  commands: readonly CommandDeclaration[],
  compiler = createCompiler(),
): Promise<Checked> {
  return check(createLoader(dir)(), commands, [], compiler);
}

/**
 * Reads and checks the documents of a folder and gives the problems. Without errors it also finds what nothing reaches
 * and what leads nowhere: for the command line, where a second more is no matter.
 */
export async function checkFolder(
  dir: string,
  commands: readonly CommandDeclaration[],
  compiler = createCompiler(),
): Promise<readonly Problem[]> {
  const { compiled, problems } = await readFolder(dir, commands, compiler);
  if (!compiled || problems.some(isError)) return problems;
  return [...problems, ...checkReach(compiled), ...checkHabits(compiled)];
}

/**
 * Loads a folder of documents and follows its edits. A save is validated, compiled and swapped in whole; a bad one
 * changes nothing for users and is reported, and other documents can be edited on. The last good version is kept in the
 * file `kept`, where one is given, and stands in for broken documents at the next start.
 *
 * @throws SchemasError when there is no good version to start with.
 */
export async function createLayouts(options: {
  readonly dir: string;
  readonly commands: readonly CommandDeclaration[];
  readonly watch?: boolean;
  readonly kept?: string;
  /** Stands in place of {domain} in addresses outside; without one they stay as they are written. */
  readonly domain?: string;
  readonly compiler?: Compiler;
}): Promise<Layouts> {
  const read = createLoader(options.dir);
  const { commands, compiler = createCompiler() } = options;
  const fill = createDomainFiller(options.domain);
  const load = (): Loaded => {
    try {
      const { sources, problems } = read();
      return { sources: sources.map(fill), problems };
    } catch (error) {
      return unreadable(error as Error);
    }
  };
  let loaded = load();
  let first = await check(loaded, commands, [], compiler);
  if (!first.version && options.kept !== undefined)
    first = await check(loaded, commands, (await readKept(options.kept)).map(fill), compiler);
  if (!first.version) throw new SchemasError(first.problems);
  let current = first.version;
  let good = first.sources;
  let problems = first.problems;
  let heldBack = first.heldBack ?? [];
  const keepGood = (): void => {
    // A folder that cannot be written is refused elsewhere, where it is needed.
    if (options.kept !== undefined && !problems.some(isError))
      keep(options.kept, options.dir, good ?? []).catch(() => undefined);
  };
  keepGood();
  const changed = new Set<(version: Version) => void>();
  const failed = new Set<(problems: readonly Problem[], heldBack: readonly string[]) => void>();

  const reload = async (): Promise<void> => {
    const before = loaded;
    loaded = load();
    if (isSame(loaded, before)) return;
    let next = await check(loaded, commands, good, compiler);
    // What was written meanwhile belongs to the same edit: half of a checkout is never taken over.
    for (let again = load(), turn = 0; !isSame(again, loaded) && turn < mostTurns; again = load(), turn++) {
      loaded = again;
      next = await check(loaded, commands, good, compiler);
    }
    const hadError = problems.some(isError);
    problems = next.problems;
    heldBack = next.heldBack ?? [];
    if (hadError || problems.some(isError)) for (const listener of failed) listener(problems, heldBack);
    if (next.version && next.version.hash !== current.hash) {
      current = next.version;
      good = next.sources;
      keepGood();
      for (const listener of changed) listener(current);
    }
  };
  const close = options.watch === false ? async () => {} : await watchFolder(options.dir, reload);
  // What was saved after the first load and before the watching began.
  if (options.watch !== false) await reload();
  const subscribe = <L>(listeners: Set<L>, listener: L) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  return {
    current: () => current,
    onChange: listener => subscribe(changed, listener),
    onProblems: listener => subscribe(failed, listener),
    problems: () => problems,
    heldBack: () => heldBack,
    close,
  };
}

/** True when no file changed: the loader takes those over as they were. */
function isSame(a: Loaded, b: Loaded): boolean {
  const hasSame = (these: readonly unknown[], those: readonly unknown[]): boolean =>
    these.length === those.length && these.every((one, index) => one === those[index]);
  return hasSame(a.sources, b.sources) && hasSame(a.problems, b.problems);
}

function unreadable(error: Error): Loaded {
  return { sources: [], problems: [problemOfAll(`The schemas folder cannot be read: ${error.message}.`)] };
}
