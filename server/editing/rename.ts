import { expandDocuments } from '../layouts/expand/expand.ts';
import { parseSource } from '../layouts/load/load.ts';
import type { CommandDeclaration } from '../layouts/names/command-declaration.ts';
import { isObject, type Json } from '../layouts/names/json.ts';
import { formatProblem } from '../layouts/names/problem.ts';
import type { LongDocument, Pointer, Source } from '../layouts/names/source.ts';
import { createCompiler } from '../layouts/pipeline.ts';
import { declarationsOf, plural } from './declarations.ts';
import { findUses, type Use, usesInCode } from './find-uses.ts';
import { formatDocument } from './format.ts';
import { changedAt, valueAt, writtenPlace } from './written-place.ts';

/** A renaming that cannot be done whole; nothing was written. */
export class RenameError extends Error {}

/** A file of documents as it is to be: its text, or undefined where it is gone. */
export type RenamedFile = { readonly file: string; readonly text: string | undefined };

type Documents = Map<string, unknown>;
/** A renaming under way. */
type Renaming = {
  readonly sources: readonly Source[];
  readonly commands: readonly CommandDeclaration[];
  readonly uses: readonly Use[];
  /** Files that are called otherwise then. */
  readonly moved: ReadonlyMap<string, string>;
  readonly from: string;
  readonly to: string;
};

type What = 'text' | 'operation' | 'part' | 'field';

/**
 * Renames a text, operation, part or field of a reply in all documents. Gives the files that change; throws a
 * RenameError where one of its uses cannot be renamed, or the documents would not be right and mean the same.
 */
export async function rename(
  sources: readonly Source[],
  commands: readonly CommandDeclaration[],
  from: string,
  to: string,
): Promise<RenamedFile[]> {
  const what = whatIs(sources, from);
  const uses = findUses(expandDocuments(sources, commands)).filter(use => use.name === from && use.what === what);
  const code = what === 'operation' ? usesInCode(from, commands) : [];
  if (code.length > 0) throw new RenameError(`"${from}" is asked by ${code.join(', ')}, in the code of the server.`);
  if (whatIs(sources, to, false) === what) throw new RenameError(`"${to}" is there already.`);
  const documents: Documents = new Map(sources.map(source => [source.file, source.json]));
  const moved = declare(what, sources, documents, from, to);
  for (const use of uses) renameUse(documents, use, from, to);
  const after = parseAll(documents, moved);
  pinDefaults({ sources, commands, uses, moved, from, to }, after, documents);
  const last = parseAll(documents, moved);
  await prove({ sources, commands, uses, moved, from, to }, last);
  const before = new Map(sources.map(({ file, json }) => [file, json]));
  const changed = [...documents].flatMap(([file, json]): RenamedFile[] => {
    const now = moved.get(file) ?? file;
    if (json === before.get(file) && now === file) return [];
    return [{ file: now, text: formatDocument(json as object) }, ...(now === file ? [] : [{ file, text: undefined }])];
  });
  return changed.sort((one, other) => (one.file < other.file ? -1 : 1));
}

function whatIs(sources: readonly Source[], name: string, isNeeded = true): What | undefined {
  const kinds = (['text', 'operation', 'part', 'field'] as const).filter(
    what => declarationsOf({ what, name }, sources).length > 0,
  );
  if (kinds.length === 0 && isNeeded)
    throw new RenameError(`There is no text, operation, part or field of an operation called "${name}".`);
  return kinds[0];
}

/** Renames what declares the name; gives files that are called otherwise then. */
function declare(
  what: What | undefined,
  sources: readonly Source[],
  documents: Documents,
  from: string,
  to: string,
): ReadonlyMap<string, string> {
  const moved = new Map<string, string>();
  for (const { file, at } of declarationsOf({ what: what as What, name: from }, sources)) {
    const json = documents.get(file);
    if (what === 'part' && at.length === 0) moved.set(file, file.replace(/[^/]+\.json$/, `${to}.json`));
    else if (what === 'part')
      documents.set(
        file,
        changedAt(json, at, () => to),
      );
    else {
      const last = String(at.at(-1));
      const now =
        what === 'operation'
          ? to
          : what === 'field'
            ? lastOf(to)
            : `${withoutArea(from, to)}${plural.exec(last)?.[0] ?? ''}`;
      if (what === 'field') renameOrders(documents, file, at, last, now);
      documents.set(file, renamedKey(documents.get(file), at, now));
    }
  }
  return moved;
}

/** The name of a text in its file, which stays the same. */
function withoutArea(from: string, to: string): string {
  const area = from.slice(0, from.indexOf('.') + 1);
  if (!to.startsWith(area)) throw new RenameError(`A text stays in its area: "${to}" does not begin with "${area}".`);
  return to.slice(area.length);
}

const lastOf = (name: string): string => name.slice(name.lastIndexOf('.') + 1);

/** The orders of a list are called as its fields are. */
function renameOrders(documents: Documents, file: string, at: Pointer, from: string, to: string): void {
  const parameters = [...at.slice(0, 2), 'with'];
  const list = at.slice(3, -1).filter(step => typeof step === 'string' && step !== 'of');
  for (const [name, rule] of Object.entries((valueAt(documents.get(file), parameters) ?? {}) as Json)) {
    if (!isObject(rule) || String(rule.names).replace(/^Result\./, '') !== list.join('.') || !Array.isArray(rule.enum))
      continue;
    const orders = rule.enum.map(order => (order === from ? to : order === `-${from}` ? `-${to}` : order));
    documents.set(
      file,
      changedAt(documents.get(file), [...parameters, name, 'enum'], () => orders),
    );
  }
}

const renamedKey = (json: unknown, at: Pointer, to: string): unknown =>
  changedAt(json, at.slice(0, -1), around =>
    Object.fromEntries(Object.entries(around as object).map(([name, item]) => [name === at.at(-1) ? to : name, item])),
  );

/** Writes a use after the renaming, in the words of its place. */
function wordsAfter({ what }: Use, text: string, from: string, to: string): string {
  if (what !== 'field') return text === from ? to : text;
  const [was, now] = [lastOf(from), lastOf(to)];
  return text.endsWith(was) ? text.slice(0, -was.length) + now : text;
}

function renameUse(documents: Documents, use: Use, from: string, to: string): void {
  const { source, reference } = use;
  const place = writtenPlace(source, reference);
  if (!place) return;
  const optional = place.text.endsWith('?') ? '?' : '';
  const text = wordsAfter(use, optional ? place.text.slice(0, -1) : place.text, from, to) + optional;
  const json = documents.get(source.file);
  documents.set(source.file, place.isName ? renamedKey(json, place.at, text) : changedAt(json, place.at, () => text));
}

function parseAll(documents: Documents, moved: ReadonlyMap<string, string>): Source[] {
  return [...documents].map(([file, json]) => {
    const source = parseSource(moved.get(file) ?? file, formatDocument(json as object));
    if ('file' in source) return source;
    throw new RenameError(source.map(formatProblem).join('\n'));
  });
}

/** The documents in their long form as they should be: as before, with the new name at every use. */
function expected({ sources, commands, uses, moved, from, to }: Renaming): ReadonlyMap<string, unknown> {
  return new Map(
    expandDocuments(sources, commands).map(source => {
      const own = uses.filter(use => use.source.file === source.file);
      const json = own.reduce<unknown>((now, use) => {
        const { at, isName, text } = use.reference;
        const word = wordsAfter(use, text, from, to);
        return isName ? renamedKey(now, at, word) : changedAt(now, at, () => word);
      }, source.json);
      return [source.file, moved.has(source.file) ? { ...(json as Json), id: to } : json];
    }),
  );
}

/** Writes out what was known by the old name and would be something else now: the text, the id and the test id of a column. */
function pinDefaults(renaming: Renaming, after: readonly Source[], documents: Documents): void {
  const { commands, moved } = renaming;
  const wanted = expected(renaming);
  const back = new Map([...moved].map(([old, now]) => [now, old]));
  for (const source of expandDocuments(after, commands)) {
    const file = back.get(source.file) ?? source.file;
    if (source.kind === 'operations' || source.kind === 'texts') continue;
    for (const { at, value } of differences(wanted.get(file), source.json, [])) {
      const place = source.written?.at(at.slice(0, -1));
      const name = at.at(-1);
      if (!place || typeof name !== 'string' || at.length === 1) continue;
      documents.set(
        file,
        changedAt(documents.get(file), place, written =>
          pinned(written, name, value === undefined ? false : value, source, at),
        ),
      );
    }
  }
}

/** An object with one property more; a string becomes the object that it stands for. */
function pinned(written: unknown, name: string, value: unknown, source: LongDocument, at: Pointer): unknown {
  if (isObject(written)) return { ...written, [name]: value };
  if (typeof written !== 'string') return written;
  const long = valueAt(source.json, at.slice(0, -1)) as Json;
  const bare = Object.hasOwn(long, 'propertyName') ? 'field' : 'path';
  return { [bare]: written, [name]: value };
}

type Difference = { readonly at: Pointer; readonly value: unknown };

function differences(wanted: unknown, found: unknown, at: Pointer): Difference[] {
  if (wanted === found) return [];
  if (wanted === null || found === null || typeof wanted !== 'object' || typeof found !== 'object')
    return [{ at, value: wanted }];
  const isList = Array.isArray(wanted);
  return [...new Set([...Object.keys(wanted), ...Object.keys(found)])].flatMap(name => {
    const step = isList ? Number(name) : name;
    return differences((wanted as Json)[name], (found as Json)[name], [...at, step]);
  });
}

/** Nothing is written that is not right, or that means something else than before. */
async function prove(renaming: Renaming, after: readonly Source[]): Promise<void> {
  const { commands, moved, from } = renaming;
  const wanted = expected(renaming);
  const back = new Map([...moved].map(([old, now]) => [now, old]));
  for (const source of expandDocuments(after, commands)) {
    if (source.kind === 'operations' || source.kind === 'texts') continue;
    const [first] = differences(wanted.get(back.get(source.file) ?? source.file), source.json, []);
    if (first) {
      const { file, line, column } = source.problem(first.at, '');
      throw new RenameError(
        `${file}:${line}:${column}: "${String(first.at.at(-1))}" would be another one than ${JSON.stringify(first.value)}, which is known by the name "${from}": write it there first.`,
      );
    }
  }
  const { problems } = await createCompiler().check({ sources: after, problems: [] }, commands);
  const errors = problems.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new RenameError(errors.slice(0, 10).map(formatProblem).join('\n'));
}
