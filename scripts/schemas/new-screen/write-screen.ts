import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { applyEdits, modify } from 'jsonc-parser';
import { inCamelCase } from '../../../server/layouts/expand/names.ts';
import type { Operation } from '../../../shared/language/types.ts';
import { inWords } from '../body-form.ts';
import type { Document } from '../edit-folder.ts';
import { type Answers, listOf, namesOf, parametersOf, type Surroundings } from './questions.ts';
import { relative, type ShownField, type ShownList, shownFields } from './shown-list.ts';

type Json = Readonly<Record<string, unknown>>;

/** More do not fit side by side. */
const mostColumns = 8;
/** Of these the last ones give way on a narrow page. */
const wideColumns = 5;

/** What is written, each document whole, and what a reader should know of it. */
export type NewScreen = { readonly documents: readonly Document[]; readonly notes: readonly string[] };

/** The parameters that the screen gives: of its address, and of what its table and search keep there. */
function bindingsOf(operation: Operation, route: string, paged: boolean): (string | Json)[] {
  return [
    ...parametersOf(route).map(name => `route.${name}`),
    ...(paged ? ['route.page', { pageSize: 'route.size' }] : []),
    ...(sortNames(operation).length > 0 ? ['route.sort'] : []),
    ...(operation.with?.search ? ['route.search'] : []),
  ];
}

/** The names by which an operation sorts both ways. */
function sortNames({ with: parameters }: Operation): string[] {
  const names = (parameters?.sort?.enum ?? []).map(String);
  return names.filter(name => names.includes(`-${name}`));
}

const isPaged = ({ with: parameters }: Operation, { total }: ShownList): boolean =>
  total !== undefined && parameters?.page !== undefined && parameters.pageSize !== undefined;

const usualSizes = [25, 50, 100];

/** A column in its short form: what its field declares, such as how it is written, is left out. */
function columnsOf(shown: readonly ShownField[]): unknown[] {
  // A number or a yes names no row.
  const leading = Math.max(
    shown.findIndex(({ format }) => format === undefined),
    0,
  );
  return shown.map(({ name, format }, index) => {
    const path = index >= wideColumns && index !== leading ? `${name}?` : name;
    const priority = index === leading ? 'lead' : index === 0 ? false : undefined;
    const said: Json = {
      ...(priority !== undefined && (priority !== 'lead' || index > 0) && { priority }),
      ...(format === relative && { format }),
    };
    return Object.keys(said).length > 0 ? { path, ...said } : path;
  });
}

function tableOf(
  operation: Operation,
  list: ShownList,
  columns: readonly ShownField[],
  route: string,
  key: KeyOf,
): Json {
  const sorted = sortNames(operation);
  const at = (below: string) => `data.list.${below.replace(/^Result\./, '')}`;
  const first = columns.find(({ name }) => sorted.includes(name));
  const largest = operation.with?.pageSize?.maximum ?? 100;
  const sizes = usualSizes.filter(size => size <= largest);
  const isBeside = list.total === 'Result.Total';
  const hasSearch = operation.with?.search !== undefined;
  // A parameter of the address that is none of the path would count as a filter.
  const others = parametersOf(route).filter(name => !operation.path.includes(`{${name}}`));
  return {
    table: at(list.path),
    key: list.key,
    columns: columnsOf(columns),
    ...(first && { sort: first.name }),
    ...(isPaged(operation, list) && {
      paging: {
        ...(sizes.length < usualSizes.length && { sizes: sizes.length > 0 ? sizes : [largest] }),
        ...(!isBeside && { total: at(list.total ?? '') }),
        ...(!isBeside && list.exact !== undefined && { exact: at(list.exact) }),
      },
    }),
    ...(others.length > 0 && { filteredBy: hasSearch ? ['route.search'] : false }),
    empty: { title: key('empty') },
    ...(hasSearch && { noMatch: { title: key('noMatch') } }),
  };
}

type KeyOf = (name: string) => string;

/**
 * Makes the documents of a new screen with a table (screen, texts, menu entry), in short form, from answers that were
 * checked before.
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
  const screen: Json = {
    $schema: '../meta/screen.schema.json',
    route: answers.route,
    requires: answers.requires,
    data: { list: given.length > 0 ? { [answers.operation]: given } : answers.operation },
    children: [
      ...(hasSearch ? [{ toolbar: [{ search: 'route.search' }] }] : []),
      tableOf(operation, list, shown, answers.route, key),
    ],
  };
  const texts: Readonly<Record<string, string>> = {
    title: answers.title,
    ...(hasSearch && { search: 'Search', noMatch: 'Nothing matches' }),
    empty: 'Nothing here yet',
    ...Object.fromEntries(shown.map(({ name }) => [inCamelCase(name), inWords(name)])),
  };
  const documents = [
    documentOf(file, JSON.stringify(screen)),
    await withTexts(
      folder,
      area,
      Object.entries(texts).map(([name, text]) => [`${id}.${name}`, text]),
    ),
    ...(hasEntry ? [await withEntry(folder, around, { [key('title')]: answers.route, id, testId: `nav-${id}` })] : []),
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

/** Creates the folders that new documents go into. */
export async function makeFolders(folder: string, documents: readonly Document[]): Promise<void> {
  for (const { file } of documents) await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
}
