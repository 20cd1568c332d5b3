import { inCamelCase, withHyphens } from '../../../server/layouts/expand/names.ts';
import type { Operation } from '../../../shared/language/types.ts';
import { addRefreshes, addTexts, beginOperation, documentOf } from '../begin-operation.ts';
import { inWords, optionKey } from '../body-form.ts';
import { type Document, setIn } from '../edit-folder.ts';
import { importInto } from '../import-folder.ts';
import { parametersOf } from '../new-screen/questions.ts';
import type { OpenApi } from '../open-api-types.ts';
import type { AreaCall, AreaCalls } from './area-calls.ts';

/** The names of an area, and the requirement of those who may open it. */
export type AreaNames = {
  /** Its folder, in the plural, such as "assets". */
  readonly area: string;
  /** One of its items, such as "asset". */
  readonly one: string;
  readonly requires: string;
};

/** Names the item of an area: "companies" has one "company", "assets" one "asset". */
export const oneOf = (area: string): string =>
  area.endsWith('ies') ? `${area.slice(0, -3)}y` : area.endsWith('s') ? area.slice(0, -1) : area;

/** Begins the operations of an area with their forms, replies and what they refresh. */
export function beginArea(
  documents: Document[],
  openApi: OpenApi,
  names: AreaNames,
  { verbs, lists, ...calls }: AreaCalls,
): void {
  const { area, requires } = names;
  const begun = Object.entries({ ...calls, ...verbs, ...lists } as Readonly<Record<string, AreaCall>>).map(
    ([name, call]) => ({
      name: `${area}.${inCamelCase(name)}`,
      ...call,
    }),
  );
  for (const operation of begun) beginOperation(documents, openApi, operation, requires);
  addRefreshes(documents, begun);
  importInto(
    documents,
    openApi,
    begun.map(({ name }) => name),
  );
  for (const document of documents) Object.assign(document.json, JSON.parse(document.text));
  addCatalogues(documents, names);
}

/** Gives words and a look to the codes in the replies of an area. */
function addCatalogues(documents: Document[], { area, one }: AreaNames): void {
  const operations = documents.find(({ file }) => file === `${area}/operations.json`)!;
  const texts: Record<string, string> = {};
  const find = (value: unknown, at: readonly (string | number)[]): void => {
    if (typeof value !== 'object' || value === null) return;
    const { kind, of } = value as { readonly kind?: string; readonly of?: readonly unknown[] };
    if (!kind?.startsWith('code') || !Array.isArray(of)) {
      for (const [name, inner] of Object.entries(value))
        find(inner, [...at, Array.isArray(value) ? Number(name) : name]);
      return;
    }
    const field = String(at.at(-1));
    const id = `${one}-${withHyphens(field)}`;
    const file = `catalogue/${id}.json`;
    const keyOf = (code: unknown): string => optionKey(field, code);
    if (!documents.some(document => document.file === file)) {
      const entries = of.map(code => ({ value: code, text: `${area}.${keyOf(code)}`, kind: 'off' }));
      documents.push(documentOf(file, { $schema: '../meta/catalogue.schema.json', entries }));
    }
    for (const code of of) texts[keyOf(code)] = inWords(String(code));
    setIn(operations, [...at], `code:${id}${kind.endsWith('?') ? '?' : ''}`);
  };
  for (const [name, { reply }] of Object.entries(operations.json.operations as Readonly<Record<string, Operation>>))
    find(reply, ['operations', name, 'reply']);
  Object.assign(operations.json, JSON.parse(operations.text));
  addTexts(documents, area, texts);
}

/** Address of the list, which begins with the parameters of the cloud's address. */
export const routeOfArea = (area: string, { list }: AreaCalls): string =>
  `/${area}${parametersOf(list.path)
    .map(name => `/{${name}}`)
    .join('')}`;
