import { expandDocuments } from '../../server/layouts/expand/expand.ts';
import { parseSource } from '../../server/layouts/load/load.ts';
import { formatProblem } from '../../server/layouts/names/problem.ts';
import type { Source } from '../../server/layouts/names/source.ts';
import documents from '../../shared/language/examples/documents.json' with { type: 'json' };

/** Kind of document → the file of its example, which gives the document its id and area. */
const files: Readonly<Record<string, string>> = {
  screen: 'people/people.json',
  popup: 'people/invite-person.json',
  part: 'people/people-table.json',
  form: 'people/person-form.json',
  journey: 'people/welcome.json',
  navigation: 'navigation.json',
  operations: 'people/operations.json',
  access: 'access.json',
  catalogue: 'catalogue/person-state.json',
  texts: 'text/en/people.json',
};

/** The example of a kind of document: its file, and what is written there. */
type ExampleDocument = { readonly kind: string; readonly file: string; readonly json: object };

/** The example of each kind of document; together they make a portal. */
export const exampleDocuments: readonly ExampleDocument[] = Object.entries(documents).map(([kind, json]) => ({
  ...{ kind, json },
  file: files[kind] ?? `${kind}.json`,
}));

/** Parses the examples of documents; throws where one is no document. */
export function parseExampleDocuments(): Source[] {
  return exampleDocuments.map(({ file, json }) => {
    const source = parseSource(file, JSON.stringify(json));
    if ('file' in source) return source;
    throw new Error(source.map(formatProblem).join('\n'));
  });
}

/** Gives the long form of each of these examples, by kind. */
export const longExampleDocuments = (): ReadonlyMap<string, object> =>
  new Map(expandDocuments(parseExampleDocuments(), []).map(({ kind, json }) => [kind, json]));
