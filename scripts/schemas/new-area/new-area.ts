import path from 'node:path';
import { parseArgs } from 'node:util';
import { commandDeclarations } from '../../../server/commands/index.ts';
import { readFolder } from '../../../server/layouts/index.ts';
import { needsOf } from '../begin-operation.ts';
import { inWords } from '../body-form.ts';
import { checkWith, isError } from '../check-with.ts';
import { defaultFolder, printProblems } from '../command.ts';
import { type Document, readDocuments, setIn, writeDocuments } from '../edit-folder.ts';
import { makeFolders, makeScreen } from '../new-screen/write-screen.ts';
import { readOpenApi } from '../read-open-api.ts';
import { areaCalls } from './area-calls.ts';
import { beginArea, oneOf, routeOfArea } from './begin-area.ts';
import { writeArea } from './write-area.ts';

const options = {
  openapi: { type: 'string' },
  from: { type: 'string' },
  requires: { type: 'string' },
  title: { type: 'string' },
  one: { type: 'string' },
  menu: { type: 'boolean' },
} as const;

/**
 * Writes the documents of an area from what a cloud offers at an address: nothing where an answer makes no sense or what
 * would be written is not right. Gives the exit code, undefined where the arguments make no sense.
 */
export async function newArea(args: readonly string[]): Promise<number | undefined> {
  const { positionals, values } = parseArgs({ args: [...args], allowPositionals: true, options });
  const [area, folder = defaultFolder()] = positionals;
  const { openapi, from, requires, menu: hasEntry = false } = values;
  if (area === undefined || openapi === undefined || from === undefined || requires === undefined) return undefined;
  if (!/^[a-z][a-z0-9-]*$/.test(area)) throw new Error(`"${area}" is no name of an area: small letters and hyphens.`);
  const before = await readDocuments(path.resolve(folder));
  if (before.some(({ file }) => file.startsWith(`${area}/`)))
    throw new Error(`${area}/ is there already. "import" adds an operation to it, and "new screen" a list.`);
  const openApi = await readOpenApi(openapi);
  const calls = areaCalls(openApi, from);
  const names = { area, one: values.one ?? oneOf(area), requires };
  const documents: Document[] = structuredClone(before);
  beginArea(documents, openApi, names, calls);
  const isNew = ({ file, text }: Document): boolean =>
    !before.some(known => known.file === file && known.text === text);

  const { sources, problems } = await readFolder(path.resolve(folder), commandDeclarations);
  if (!sources) {
    printProblems(folder, problems.filter(isError));
    return 1;
  }
  const begun = await checkWith(documents.filter(isNew), sources, problems);
  if (!begun.compiled || begun.problems.some(isError)) {
    printProblems(folder, begun.problems.filter(isError));
    console.log('Nothing was written.');
    return 1;
  }
  const title = values.title ?? inWords(area);
  const answers = { operation: `${area}.list`, route: routeOfArea(area, calls), title, requires };
  const screen = await makeScreen(path.resolve(folder), answers, { compiled: begun.compiled, sources }, hasEntry);
  for (const document of screen.documents) merge(documents, document);
  const list = documents.find(({ file }) => file === `${area}/${area}.json`)!;
  writeArea(documents, list, names, calls);
  dropRepeated(documents, area);
  const written = documents.filter(isNew);
  const result = await checkWith(written, sources, problems);
  if (result.problems.some(isError)) {
    printProblems(folder, result.problems);
    console.log('Nothing was written.');
    return 1;
  }
  await makeFolders(folder, written);
  await writeDocuments(folder, written);
  printProblems(folder, result.problems);
  for (const { file } of written) console.log(path.join(folder, file));
  for (const line of openApi.unread) console.error(`not read: ${line}`);
  const { verbs, lists, ...others } = calls;
  for (const [name, call] of Object.entries({ ...others, ...verbs, ...lists })) {
    const needs = needsOf(openApi, { name, ...call });
    if (needs !== undefined) console.log(`${area}.${name}: ${needs}`);
  }
  return openApi.unread.size === 0 ? 0 : 1;
}

/** A text of the list that the area has in the same words is left out, as the area's is found without it. */
function dropRepeated(documents: readonly Document[], area: string): void {
  const document = documents.find(({ file }) => file === `text/en/${area}.json`)!;
  const texts = JSON.parse(document.text) as Readonly<Record<string, string>>;
  for (const [name, text] of Object.entries(texts)) {
    const [list, own] = name.split('.');
    if (list === area && own !== undefined && texts[own] === text) setIn(document, [name], undefined);
  }
}

/** Puts a document among others; texts are joined with those that are there. */
function merge(documents: Document[], document: Document): void {
  const at = documents.findIndex(({ file }) => file === document.file);
  if (at < 0) documents.push(document);
  else if (document.file.startsWith('text/')) {
    const json = { ...document.json, ...documents[at]!.json };
    documents[at] = { file: document.file, text: JSON.stringify(json), json };
  } else documents[at] = document;
}
