import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { applyEdits, modify } from 'jsonc-parser';
import { commandDeclarations } from '../../../server/commands/index.ts';
import { gatherFacts } from '../../../server/layouts/expand/folder-facts.ts';
import { inCamelCase } from '../../../server/layouts/expand/names.ts';
import type { Source } from '../../../server/layouts/load/load.ts';
import type { Operation } from '../../../shared/language/types.ts';
import type { Document } from '../edit-folder.ts';
import { shorten } from '../shorten/shorten.ts';
import { type Answers, listOf, namesOf, parametersOf, type Surroundings } from './questions.ts';
import { type ShownField, type ShownList, shownFields } from './shown-list.ts';

type Json = Readonly<Record<string, unknown>>;

/** More do not fit side by side. */
const mostColumns = 8;
/** Of these the last ones give way on a narrow page. */
const wideColumns = 5;

/** What is written, each document whole, and what a reader should know of it. */
export type NewScreen = { readonly documents: readonly Document[]; readonly notes: readonly string[] };

/** `MonthlySpend` as "Monthly spend". */
function wordsOf(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])|[_$-]+/g, '$1 $2')
    .trim()
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The parameters that the screen gives: of its address, and of what its table and search keep there. */
function bindingsOf(operation: Operation, route: string, isPaged: boolean): Record<string, string> {
  const kept: Readonly<Record<string, string>> = {
    ...(isPaged && { page: 'route.page', pageSize: 'route.size' }),
    ...(sortNames(operation).length > 0 && { sort: 'route.sort' }),
    ...(operation.with?.search && { search: 'route.search' }),
  };
  return { ...Object.fromEntries(parametersOf(route).map(name => [name, `route.${name}`])), ...kept };
}

/** The names by which an operation sorts both ways. */
function sortNames({ with: parameters }: Operation): string[] {
  const names = (parameters?.sort?.enum ?? []).map(String);
  return names.filter(name => names.includes(`-${name}`));
}

const isPaged = ({ with: parameters }: Operation, { total }: ShownList): boolean =>
  total !== undefined && parameters?.page !== undefined && parameters.pageSize !== undefined;

function tableOf(operation: Operation, list: ShownList, columns: readonly ShownField[], key: KeyOf): Json {
  const sorted = sortNames(operation);
  const at = (below: string) => `data.list.${below}`;
  const first = columns.find(({ name }) => sorted.includes(name));
  // A number or a yes names no row.
  const leading = columns.find(({ format }) => format === undefined) ?? columns[0];
  const largest = operation.with?.pageSize?.maximum ?? 100;
  const sizes = [25, 50, 100].filter(size => size <= largest);
  return {
    type: 'table',
    id: 'list',
    testId: 'list-table',
    label: key('title'),
    rows: at(list.path),
    key: list.key,
    columns: columns.map((column, index) => {
      const { name, ...written } = column;
      return {
        id: inCamelCase(name),
        title: key(inCamelCase(name)),
        path: `row.${name}`,
        ...written,
        ...(sorted.includes(name) && { sort: name }),
        ...(column === leading ? { priority: 'lead' } : index >= wideColumns ? { priority: 'low' } : {}),
      };
    }),
    ...(first && { sort: { path: 'route.sort', initial: first.name } }),
    ...(isPaged(operation, list) && {
      paging: {
        page: 'route.page',
        size: 'route.size',
        sizes: sizes.length > 0 ? sizes : [largest],
        total: at(list.total ?? ''),
        ...(list.exact !== undefined && { exact: at(list.exact) }),
      },
    }),
    ...(operation.with?.search && { filteredBy: ['route.search'] }),
    empty: { title: key('empty') },
    ...(operation.with?.search && { noMatch: { icon: 'search', title: key('noMatch') } }),
  };
}

type KeyOf = (name: string) => string;

/**
 * Makes the documents of a new screen with a table (screen, texts, menu entry) from answers that were checked before.
 */
export async function makeScreen(
  folder: string,
  answers: Answers,
  around: Surroundings,
  hasEntry: boolean,
): Promise<NewScreen> {
  const { id, area, file } = namesOf(answers.route);
  const { operation, list } = listOf(answers.operation, around);
  const { shown, others } = shownFields(list, mostColumns);
  const key: KeyOf = name => `${area}.${id}.${name}`;
  const hasSearch = operation.with?.search !== undefined;
  const given = bindingsOf(operation, answers.route, isPaged(operation, list));
  const search: Json = {
    type: 'toolbar',
    children: [
      {
        type: 'search',
        path: 'route.search',
        label: key('search'),
        placeholder: key('search'),
        testId: 'search',
        ...(isPaged(operation, list) && { resets: ['route.page'] }),
      },
    ],
  };
  const screen: Json = {
    $schema: '../meta/screen.schema.json',
    id,
    route: answers.route,
    title: key('title'),
    requires: answers.requires,
    data: { list: { operation: answers.operation, ...(Object.keys(given).length > 0 && { with: given }) } },
    children: [...(hasSearch ? [search] : []), tableOf(operation, list, shown, key)],
  };
  const texts: Readonly<Record<string, string>> = {
    title: answers.title,
    ...(hasSearch && { search: 'Search', noMatch: 'Nothing matches' }),
    empty: 'Nothing here yet',
    ...Object.fromEntries(shown.map(({ name }) => [inCamelCase(name), wordsOf(name)])),
  };
  const documents = [
    documentOf(file, JSON.stringify(screen)),
    await withTexts(
      folder,
      area,
      Object.entries(texts).map(([name, text]) => [`${id}.${name}`, text]),
    ),
    ...(hasEntry
      ? [await withEntry(folder, around, { id, testId: `nav-${id}`, text: key('title'), to: answers.route })]
      : []),
  ];
  const left = others.filter(name => name !== list.key);
  const hasMorePages = operation.with?.page !== undefined && !isPaged(operation, list);
  const notes = [
    ...(left.length > 0 ? [`Fields without a column: ${left.join(', ')}`] : []),
    ...(hasMorePages
      ? ['Without pages: no field "Total" beside the list says how many rows there are. "paging" takes another path.']
      : []),
  ];
  return { documents, notes };
}

const documentOf = (file: string, text: string): Document => ({ file, text, json: JSON.parse(text) });

/** The texts of an area, with these behind those that are there. */
async function withTexts(
  folder: string,
  area: string,
  texts: readonly (readonly [string, string])[],
): Promise<Document> {
  const file = `text/en/${area}.json`;
  const before = await readFile(path.join(folder, file), 'utf8').catch(() => undefined);
  let text = before ?? JSON.stringify({ $schema: '../../meta/texts.schema.json' });
  for (const [name, words] of texts) {
    if (Object.hasOwn(JSON.parse(text), name))
      throw new Error(`${file} has "${name}" already, and it is not written over.`);
    text = applyEdits(text, modify(text, [name], words, {}));
  }
  return documentOf(file, text);
}

/** The navigation with an entry at the end of its main menu. Whoever cannot reach the screen does not get the entry. */
async function withEntry(folder: string, { sources }: Surroundings, entry: Json): Promise<Document> {
  const source = sources.find(({ kind }) => kind === 'navigation');
  if (!source) throw new Error('There is no navigation to write an entry into.');
  const text = await readFile(path.join(folder, source.file), 'utf8');
  const main = (source.json.main ?? []) as readonly unknown[];
  const edit = main.length > 0 ? modify(text, ['main', -1], entry, {}) : modify(text, ['main'], [entry], {});
  return documentOf(source.file, applyEdits(text, edit));
}

/**
 * Gives a new screen's documents with the screen rewritten in short form; `sources` are all documents of the folder.
 */
export function withShortScreen({ documents }: NewScreen, sources: readonly Source[]): readonly Document[] {
  const facts = gatherFacts(sources, commandDeclarations);
  return documents.map(document => {
    const source = sources.find(({ file, kind }) => file === document.file && kind === 'screen');
    return source ? documentOf(document.file, JSON.stringify(shorten(source, facts))) : document;
  });
}

/** Creates the folders that new documents go into. */
export async function makeFolders(folder: string, documents: readonly Document[]): Promise<void> {
  for (const { file } of documents) await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
}
