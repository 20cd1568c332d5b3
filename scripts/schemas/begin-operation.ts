import { isDeepStrictEqual } from 'node:util';
import { documentName, withHyphens } from '../../server/layouts/expand/names.ts';
import type { Operation } from '../../shared/language/types.ts';
import { type BodyForm, bodyFormAt } from './body-form.ts';
import { type Document, setIn } from './edit-folder.ts';
import { callAt, nameless } from './open-api.ts';
import type { Call, OpenApi, ParameterSchema } from './open-api-types.ts';

/** An operation that is to be written: its name, and where the cloud has it. */
export type Begun = { readonly name: string; readonly method: string; readonly path: string };

/**
 * Parses an argument that declares a new operation, `orders.list=/api/orders` or `orders.place=POST /api/orders`;
 * undefined for a bare name.
 */
export function readBegun(word: string): Begun | undefined {
  const [, name, method = 'GET', path] = /^([^=]+)=(?:([A-Za-z]+) +)?(\/\S*)$/.exec(word) ?? [];
  return name === undefined || path === undefined ? undefined : { name, method: method.toUpperCase(), path };
}

/**
 * Writes an operation that is not there yet into `<area>/operations.json`, with its parameters as the cloud describes
 * them; its reply is written as that of any operation. Throws where it is there already or the cloud does not have it.
 */
export function beginOperation(
  documents: Document[],
  openApi: OpenApi,
  { name, method, path }: Begun,
  requires: string | undefined,
): void {
  if (!/^[a-z][A-Za-z]*(\.[a-zA-Z-]+)+$/.test(name))
    throw new Error(`"${name}" is no name of an operation: it is <area>.<name>, such as orders.list.`);
  if (requires === undefined) throw new Error('Say who may call it: --requires, with a name of access.json.');
  const there = documents.find(({ json }) => Object.hasOwn((json.operations ?? {}) as object, name));
  if (there) throw new Error(`${there.file} has "${name}" already: leave out "=${path}" to write its reply.`);
  const found = callAt(openApi, method, path);
  if (!found) throw new Error(`The cloud does not offer "${method} ${path}".`);
  const { parameters = [] } = found;
  const rules = parameters
    .filter(parameter => parameter.in === 'path' || parameter.in === 'query')
    .map(
      parameter => [parameter.name, ruleOf(parameter.schema, parameter.required && parameter.in === 'query')] as const,
    );
  for (const [, place = ''] of path.matchAll(/\{([^{}]+)\}/g)) {
    if (rules.some(([known]) => known === place)) continue;
    openApi.unread.add(`"${method} ${path}" describes no parameter "${place}": it is taken for text.`);
    rules.push([place, ruleOf({})]);
  }
  const [area = ''] = name.split('.');
  const form = method === 'GET' ? undefined : bodyFormAt(openApi, method, path, area);
  const body = form && form.fields.length > 0 ? addForm(documents, name, form) : undefined;
  const description = describe(found);
  const isRepeatable = parameters.some(parameter => parameter.name.toLowerCase() === 'idempotency-key');
  const document = operationsOf(documents, area);
  setIn(document, ['operations', name], {
    ...(description !== undefined && { description }),
    ...{ service: 'cloud', method, path },
    ...(rules.length > 0 && { with: Object.fromEntries(rules) }),
    ...(body !== undefined && { body }),
    ...(method !== 'GET' && { audit: name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`) }),
    ...(isRepeatable && { once: true }),
    requires,
  });
  Object.assign(document.json, JSON.parse(document.text));
}

/** Writes the form of an operation, unless one of its area asks the same; gives its name. */
function addForm(documents: Document[], name: string, { fields, texts }: BodyForm): string {
  const [area = ''] = name.split('.');
  const forms = documents.filter(({ file }) => file.startsWith(`${area}/`) && file.endsWith('-form.json'));
  const same = forms.find(({ json }) => isDeepStrictEqual(json.fields, fields));
  const file = same?.file ?? `${area}/${withHyphens(name.replaceAll('.', '-'))}-form.json`;
  if (!same && forms.some(form => form.file === file)) throw new Error(`${file} is there already.`);
  if (!same) documents.push(documentOf(file, { $schema: '../meta/form.schema.json', fields }));
  addTexts(documents, area, texts);
  return documentName({ file, kind: 'form' });
}

/** Gives the first sentence of a call's description; what it needs is for whoever chooses `requires`. */
function describe({ summary, description }: Call): string | undefined {
  const [sentence = ''] = (summary ?? description ?? '').replace(/\s+/g, ' ').split(/(?<=\.) |Needs:/);
  const said = sentence.trim();
  return said === '' ? undefined : said.endsWith('.') ? said : `${said}.`;
}

/** Gives what the cloud says that a call needs ("Needs: …"), by which its requirement is chosen. */
export const needsOf = (openApi: OpenApi, { method, path }: Begun): string | undefined =>
  /Needs: .*/.exec(callAt(openApi, method, path)?.description ?? '')?.[0];

/**
 * Says of the writes among new operations which operations of the cloud read what they change: those of the same
 * collection, and of an item of it.
 */
export function addRefreshes(documents: readonly Document[], begun: readonly Begun[]): void {
  const reads = documents.flatMap(({ json }) =>
    Object.entries((json.operations ?? {}) as Readonly<Record<string, Operation>>).filter(
      ([, { method, service }]) => method === 'GET' && service !== 'portal',
    ),
  );
  for (const { name, method, path } of begun) {
    if (method === 'GET') continue;
    const stale = reads
      .filter(([, read]) => stalePlaces(method, path).includes(nameless(read.path)))
      .map(([read]) => read);
    const document = documents.find(({ json }) => Object.hasOwn((json.operations ?? {}) as object, name));
    if (!document || stale.length === 0) continue;
    setIn(document, ['operations', name, 'refreshes'], stale);
    Object.assign(document.json, JSON.parse(document.text));
  }
}

/**
 * Gives the places that a write changes: that of `/api/assets/{id}/retire` and `PUT /api/assets/{id}` are the item and the
 * list that it is in. An item that is deleted is not there to be read again.
 */
function stalePlaces(method: string, path: string): readonly string[] {
  const list = nameless(path).replace(/\/\{\}(?:\/[^/{}]+)?$/, '');
  const isGone = method === 'DELETE' && nameless(path) === `${list}/{}`;
  return list === nameless(path) || isGone ? [list] : [list, `${list}/{}`];
}

/** Puts texts into those of an area, but for those that are there. */
export function addTexts(documents: Document[], area: string, texts: Readonly<Record<string, string>>): void {
  const file = `text/en/${area}.json`;
  let document = documents.find(known => known.file === file);
  if (!document) {
    document = documentOf(file, { $schema: '../../meta/texts.schema.json' });
    documents.push(document);
  }
  for (const [name, text] of Object.entries(texts))
    if (!Object.hasOwn(document.json, name)) setIn(document, [name], text);
  Object.assign(document.json, JSON.parse(document.text));
}

/** A document that is not there yet. */
export const documentOf = (file: string, json: object): Document => ({
  ...{ file, text: JSON.stringify(json) },
  json: json as Document['json'],
});

function ruleOf({ type, enum: values, maxLength, minimum, maximum }: ParameterSchema = {}, isNeeded = false): object {
  return {
    type: ['integer', 'number', 'boolean'].includes(type ?? '') ? type : 'string',
    ...(isNeeded && { required: true }),
    ...(values && { enum: values }),
    ...(maxLength !== undefined && { maxLength: Math.min(maxLength, 2000) }),
    ...(minimum !== undefined && { minimum }),
    ...(maximum !== undefined && { maximum }),
  };
}

/** The document of an area's operations; a new one where there is none. */
function operationsOf(documents: Document[], area: string): Document {
  const file = `${area}/operations.json`;
  const known = documents.find(document => document.file === file);
  if (known) return known;
  const made = documentOf(file, { $schema: '../meta/operations.schema.json', operations: {} });
  documents.push(made);
  return made;
}
