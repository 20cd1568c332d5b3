import { type Document, setIn } from './edit-folder.ts';
import { callAt } from './open-api.ts';
import type { OpenApi, ParameterSchema } from './open-api-types.ts';

/** An operation that is to be written: its name, and where the cloud has it. */
type Begun = { readonly name: string; readonly method: string; readonly path: string };

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
  const isRepeatable = parameters.some(parameter => parameter.name.toLowerCase() === 'idempotency-key');
  const [area = ''] = name.split('.');
  const document = operationsOf(documents, area);
  setIn(document, ['operations', name], {
    ...{ service: 'cloud', method, path },
    ...(rules.length > 0 && { with: Object.fromEntries(rules) }),
    ...(method !== 'GET' && { audit: name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`) }),
    ...(isRepeatable && { once: true }),
    requires,
  });
  Object.assign(document.json, JSON.parse(document.text));
}

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
  const json = { $schema: '../meta/operations.schema.json', operations: {} };
  const made = { file, text: JSON.stringify(json), json };
  documents.push(made);
  return made;
}
