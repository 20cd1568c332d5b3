import { readFileSync } from 'node:fs';
import path from 'node:path';
import { getNodeValue } from 'jsonc-parser';
import type { EditedFolder } from '../../../server/editing/folder.ts';
import type { NamedFolder } from '../../../server/editing/name-lists.ts';
import { readTree, type Span } from '../../../server/editing/tokens.ts';
import { checkHabits } from '../../../server/layouts/check/habits.ts';
import { expandDocuments, type LongForms } from '../../../server/layouts/expand/expand.ts';
import type { Problem } from '../../../server/layouts/index.ts';
import { createLoader, type Loaded, parseSource } from '../../../server/layouts/load/load.ts';
import { createPlaces } from '../../../server/layouts/load/places.ts';
import type { CommandDeclaration } from '../../../server/layouts/names/command-declaration.ts';
import { isObject } from '../../../server/layouts/names/json.ts';
import { Newest } from '../../../server/layouts/names/newest.ts';
import type { Compiled } from '../../../server/layouts/names/pass.ts';
import type { LongDocument, Source } from '../../../server/layouts/names/source.ts';
import { createCompiler } from '../../../server/layouts/pipeline.ts';
import { checkReach } from '../../../server/layouts/trim/check-reach.ts';
import { isError } from '../check-with.ts';

/** The documents of a folder with what an editor has not saved yet. */
export type EditedDocuments = {
  /** Puts a text in place of what a file holds; undefined when the file counts again. */
  edit(file: string, text: string | undefined): void;
  /** The text of a file as it is being edited; undefined where there is none. */
  textOf(file: string): string | undefined;
  /** Checks the newest state; gives the problems that `schemas check` tells first. */
  check(): Promise<readonly Problem[]>;
  /**
   * Lists the further problems that `schemas check` tells of documents without errors: what nobody reaches, and habits.
   * It takes longer.
   */
  checkReach(): readonly Problem[];
  /** The documents as they are, with the names that there were when they could last be read. */
  folder(): EditedFolder;
  /**
   * The long form of a document that is perhaps being typed, without what cannot be read; with a word in place of what
   * stands at a span. Undefined for no document.
   */
  documentOf(file: string, word?: string, at?: Span): LongDocument | undefined;
};

/** Opens the documents of a folder for an editor; files that do not change are read and expanded once. */
export function openDocuments(dir: string, commands: readonly CommandDeclaration[]): EditedDocuments {
  const load = createLoader(dir);
  const compiler = createCompiler();
  const longForms = new Newest<LongForms>();
  const unsaved = new Map<string, { readonly text: string; readonly parsed: ReturnType<typeof parseSource> }>();
  let named: NamedFolder | undefined;
  /** The newest state, where it has no errors. */
  let sound: Compiled | undefined;

  const loaded = (): Loaded => {
    const { sources, problems } = load();
    const parsed = [...unsaved.values()].map(one => one.parsed);
    const edited = parsed.flatMap(one => ('file' in one ? [one] : []));
    const all = [...sources.filter(({ file }) => !unsaved.has(file)), ...edited];
    return {
      sources: all.sort((one, other) => (one.file < other.file ? -1 : 1)),
      problems: [
        ...problems.filter(({ file }) => !unsaved.has(file)),
        ...parsed.flatMap(one => ('file' in one ? [] : one)),
      ],
    };
  };

  const textOf = (file: string): string | undefined => {
    try {
      // Places are counted without the mark that some editors put in front.
      return unsaved.get(file)?.text ?? readFileSync(path.join(dir, file), 'utf8').replace(/^\uFEFF/, '');
    } catch {
      return undefined;
    }
  };

  return {
    textOf,
    edit(file, text) {
      if (text === undefined) unsaved.delete(file);
      else if (unsaved.get(file)?.text !== text) unsaved.set(file, { text, parsed: parseSource(file, text) });
    },
    async check() {
      const { compiled, problems } = await compiler.check(loaded(), commands);
      named = compiled ?? named;
      sound = problems.some(isError) ? undefined : compiled;
      return problems;
    },
    checkReach: () => (sound ? [...checkReach(sound), ...checkHabits(sound)] : []),
    folder() {
      const { sources } = loaded();
      named ??= compiler.compile(sources, commands).compiled;
      const { names, texts } = named;
      return { names, texts, sources, documents: expandDocuments(sources, commands, longForms) };
    },
    documentOf(file, word, at) {
      const text = textOf(file);
      const edited = text && word && at ? text.slice(0, at.start) + word + text.slice(at.end) : text;
      const source = edited === undefined ? undefined : readLoosely(file, edited);
      if (!source) return undefined;
      const others = loaded().sources.filter(one => one.file !== file);
      return expandDocuments([...others, source], commands, longForms).at(-1);
    },
  };
}

/** Reads what can be read of a document that is being typed. */
function readLoosely(file: string, text: string): Source | undefined {
  const parsed = parseSource(file, text);
  if ('file' in parsed) return parsed;
  const tree = readTree(text);
  const json: unknown = tree && getNodeValue(tree);
  const { kind } = asKind(file, isObject(json) ? json.$schema : undefined) ?? {};
  if (!isObject(json) || kind === undefined) return undefined;
  const places = createPlaces(text);
  return {
    ...{ file, hash: '', kind, json: json as Source['json'] },
    problem: (at, message, severity = 'error') => ({ file, ...places.ofPointer(at), severity, message }),
  };
}

/** The kind that a line of "$schema" names, as a document that says nothing else would have it. */
function asKind(file: string, $schema: unknown): Source | undefined {
  const alone = parseSource(file, JSON.stringify({ $schema }));
  return 'file' in alone ? alone : undefined;
}
