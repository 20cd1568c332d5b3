import { type NamedFolder, nameLists, parameterLists } from '../../../server/editing/name-lists.ts';
import { writtenMetaSchemas } from '../../../shared/language/meta.ts';
import { shareDefinitions } from './share-definitions.ts';

type Json = { readonly [key: string]: unknown };

/** The file of the names of a folder, and the one of what the schemas of all kinds refer to. */
const namesFile = 'names.schema.json';
const languageFile = 'language.schema.json';
const draft = 'http://json-schema.org/draft-07/schema#';
const reference = (name: string): Json => ({ $ref: `${namesFile}#/$defs/${name}` });

/** Gives a schema, besides what it says, the names that its values may have in the folder. */
function withNames(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withNames);
  if (schema === null || typeof schema !== 'object') return schema;
  const own = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, key === 'enum' || key === 'const' ? value : withNames(value)]),
  ) as Json;
  const { title, properties = {}, items } = own as { title?: unknown; properties?: Json; items?: Json };
  const all: Json[] = Object.keys(parameterLists)
    .filter(called => Object.hasOwn(properties, called) && Object.hasOwn(properties, 'with'))
    .map(called => reference(`with-${called}`));
  if (typeof title !== 'string' || !Object.hasOwn(nameLists, title))
    return all.length > 0 ? { ...own, allOf: all } : own;
  return items ? { ...own, items: { ...items, allOf: [reference(title)] } } : { ...own, allOf: [reference(title)] };
}

/**
 * Makes the JSON Schemas by which editors complete and explain the documents of a folder, by file name: one for each
 * kind, and those that they refer to, of the language and of the names of the folder.
 */
export function editorSchemas(folder: NamedFolder): Readonly<Record<string, Json>> {
  ofLanguage ??= languageSchemas();
  return { ...ofLanguage, [namesFile]: describeNames(folder) };
}

/** The schemas that are the same for every folder: they take a second to make. */
let ofLanguage: Readonly<Record<string, Json>> | undefined;

function languageSchemas(): Readonly<Record<string, Json>> {
  const kinds = withNames(writtenMetaSchemas()) as Record<string, Json>;
  const { schemas, shared } = shareDefinitions(kinds, languageFile);
  const ofKinds = Object.entries(schemas).map(([kind, schema]) => [`${kind}.schema.json`, schema]);
  return {
    ...Object.fromEntries(ofKinds),
    [languageFile]: { $schema: draft, title: 'Layout language', $defs: shared },
  };
}

/** Bindings, by name or as a list, of no other parameters. */
function namedOnly(names: readonly string[]): Json {
  if (names.length === 0) return { maxProperties: 0, maxItems: 0 };
  const propertyNames = { enum: names };
  return { propertyNames, items: { propertyNames } };
}

/** The operations, texts, popups, and so on that exist in a folder. */
function describeNames(folder: NamedFolder): Json {
  const lists = Object.entries(nameLists).map(([title, list]) => {
    const names = new Map(list(folder));
    // An enumeration must have an entry; no name is empty.
    const entries = names.size > 0 ? [...names].sort(([a], [b]) => (a < b ? -1 : 1)) : [['', ''] as const];
    return [title, { enum: entries.map(([name]) => name), enumDescriptions: entries.map(([, says]) => says) }];
  });
  const parameters = Object.entries(parameterLists).map(([called, list]) => [
    `with-${called}`,
    {
      allOf: [...list(folder)].map(([name, names]) => ({
        if: { required: [called], properties: { [called]: { const: name } } },
        // biome-ignore lint/suspicious/noThenProperty: the JSON Schema keyword
        then: { properties: { with: namedOnly(names) } },
      })),
    },
  ]);
  return {
    $schema: draft,
    title: 'Names of this folder',
    $defs: Object.fromEntries([...lists, ...parameters]),
  };
}
