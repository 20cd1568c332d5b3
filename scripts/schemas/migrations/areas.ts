import path from 'node:path';
import { type Document, setIn } from '../edit-folder.ts';
import type { Migration } from './migration.ts';

/** Where the operations of all areas stood before. */
const before = 'operations';

const areaOf = ({ file }: Document): string => path.posix.dirname(file);

/** Folders whose documents are of no area. */
const isOfArea = (document: Document): boolean => !/^(\.|operations|catalogue|text\/.*)$/.test(areaOf(document));

function* stringsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (value !== null && typeof value === 'object')
    for (const inner of Object.values(value)) yield* stringsIn(inner);
}

/** The areas whose documents, but for operations, mention a name. */
function findUsers(documents: readonly Document[]): (name: string) => readonly string[] {
  const byName = new Map<string, Set<string>>();
  for (const document of documents) {
    if (!isOfArea(document) || document.json.operations !== undefined) continue;
    for (const name of stringsIn(document.json))
      byName.set(name, (byName.get(name) ?? new Set()).add(areaOf(document)));
  }
  return name => [...(byName.get(name) ?? [])];
}

/** The only one of some names; undefined where there are none or several. */
const onlyOne = (names: readonly string[]): string | undefined => (new Set(names).size === 1 ? names[0] : undefined);

/** Puts operations at the end of those of an area. */
function addTo(documents: Document[], area: string, operations: readonly (readonly [string, unknown])[]): void {
  const file = `${area}/operations.json`;
  const json = { $schema: '../meta/operations.schema.json', operations: {} };
  const found = documents.find(document => document.file === file);
  const target = found ?? { file, json, text: JSON.stringify(json) };
  if (!found) documents.push(target);
  for (const [name, operation] of operations) setIn(target, ['operations', name], operation);
}

/**
 * Migration: moves each operation into the `operations.json` of its area. One without an area of its own goes to the
 * area that uses it, to one made for it when several do, and to the others when no document uses it.
 */
export const moveOperations: Migration = documents => {
  const areas = new Set(documents.filter(isOfArea).map(areaOf));
  const usersOf = findUsers(documents);
  for (const document of documents.filter(one => areaOf(one) === before && one.json.operations)) {
    const own = path.posix.basename(document.file, '.json');
    const operations = Object.entries(JSON.parse(document.text).operations as object);
    const users = operations.map(([name]) => usersOf(name));
    const usual = onlyOne(users.flat()) ?? own;
    const areaFor = (those: readonly string[]) => (those.length === 0 ? usual : (onlyOne(those) ?? own));
    const chosen = users.map(those => (areas.has(own) ? own : areaFor(those)));
    const whole = onlyOne(chosen);
    documents.splice(documents.indexOf(document), 1);
    if (whole !== undefined && !documents.some(({ file }) => file === `${whole}/operations.json`))
      documents.push({ ...document, file: `${whole}/operations.json` });
    else
      for (const area of new Set(chosen))
        addTo(
          documents,
          area,
          operations.filter((_, index) => chosen[index] === area),
        );
  }
  return [];
};
