import { referencesIn } from '../../../server/editing/references.ts';
import { changedAt, valueAt, writtenOf } from '../../../server/editing/written-place.ts';
import type { FolderFacts } from '../../../server/layouts/expand/folder-facts.ts';
import { followReply } from '../../../server/layouts/expand/reply-notation.ts';
import { isObject, type Json } from '../../../server/layouts/names/json.ts';
import { itemSchema, type Schema, schemaOf } from '../../../server/layouts/names/schema.ts';
import type { LongDocument, Pointer } from '../../../server/layouts/names/source.ts';
import { documentSchemas } from '../../../shared/language/documents.ts';
import { principalFacts } from '../../../shared/language/path-roots.ts';
import { type Draw, type Mutation, mutationFrom } from './mutation.ts';

type Making = (draw: Draw) => Mutation | undefined;

/** An object or list of the long form, with the schema of it. */
type Place = { readonly schema: Schema; readonly value: object; readonly at: Pointer };

/** Properties whose values are read in ways of their own. */
const apart: ReadonlySet<string | undefined> = new Set(['Requires', 'Reply', 'Template', 'Condition', 'Bindings']);

function placesIn(source: LongDocument): Place[] {
  const found: Place[] = [];
  const visit = (given: Schema, value: unknown, at: Pointer): void => {
    if (value === null || typeof value !== 'object' || apart.has(given.title)) return;
    const schema = schemaOf(given, value);
    found.push({ schema, value, at });
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) visit(itemSchema(schema, item), item, [...at, index]);
      return;
    }
    for (const [name, item] of Object.entries(value)) {
      const own = schema.properties?.[name] ?? schema.additionalProperties;
      if (typeof own === 'object') visit(own, item, [...at, name]);
    }
  };
  visit(documentSchemas[source.kind] as Schema, source.json, []);
  return found;
}

/** Finds where a property of the long form is written under its own name; undefined where it is not. */
function ownPlace(source: LongDocument, at: Pointer): Pointer | undefined {
  const written = source.written?.at(at) ?? at;
  if (written.at(-1) !== at.at(-1)) return undefined;
  return valueAt(writtenOf(source), written) === undefined ? undefined : written;
}

const isClosed = ({ additionalProperties, properties }: Schema): boolean =>
  additionalProperties === false && properties !== undefined;

const takes = ({ properties = {} }: Schema, name: string): boolean =>
  Object.hasOwn(properties, name) || (name === 'press' && properties.on?.properties?.press !== undefined);

/** A property stands one level too far out or in. */
export function nestingMistakes(source: LongDocument): Making[] {
  const places = placesIn(source).filter(({ schema, value }) => !Array.isArray(value) && isClosed(schema));
  return places.flatMap(inner => {
    const outer = places.findLast(
      ({ at }) => at.length < inner.at.length && at.every((step, index) => step === inner.at[index]),
    );
    if (!outer) return [];
    return Object.keys(inner.value).flatMap(name => {
      const at = ownPlace(source, [...inner.at, name]);
      const to = source.written?.at(outer.at) ?? outer.at;
      if (at === undefined || name === '$schema' || takes(outer.schema, name)) return [];
      return [() => moved(source, at, to, name)];
    });
  });
}

function moved(source: LongDocument, from: Pointer, to: Pointer, name: string): Mutation | undefined {
  const json = writtenOf(source);
  const value = valueAt(json, from);
  if (!isObject(valueAt(json, to)) || Object.hasOwn(valueAt(json, to) as object, name)) return undefined;
  const without = changedAt(json, from.slice(0, -1), around => {
    const { [name]: _, ...rest } = around as Json;
    return rest;
  });
  const put = changedAt(without, to, around => ({ ...(around as object), [name]: value }));
  return mutationFrom(put, { kind: 'nesting', was: from.join('/'), words: [name], at: [...to, name] }, source);
}

/** A value is of another kind than its property takes. */
export function valueMistakes(source: LongDocument): Making[] {
  return placesIn(source)
    .filter(({ schema, value }) => !Array.isArray(value) && isClosed(schema))
    .flatMap(({ schema, value, at }) =>
      Object.keys(value).flatMap(name => {
        const own = ownPlace(source, [...at, name]);
        if (own === undefined || name === '$schema' || !Object.hasOwn(schema.properties ?? {}, name)) return [];
        return [
          (draw: Draw) => {
            const was = valueAt(writtenOf(source), own);
            const wrong = wrongValues(was);
            const json = changedAt(writtenOf(source), own, () => wrong[draw(wrong.length)]);
            return mutationFrom(
              json,
              { kind: 'value', was: JSON.stringify(was), words: [name, 'text', 'list', '"value"'], at: own },
              source,
            );
          },
        ];
      }),
    );
}

/** Values of another kind: `false` says of many properties that there is none. */
function wrongValues(was: unknown): readonly unknown[] {
  if (typeof was === 'string') return [7, { text: was }, [was, 7]];
  if (typeof was === 'number') return [`${was}`, [was], { value: was }];
  if (typeof was === 'boolean') return [`${was}`, 7, [was]];
  return Array.isArray(was) ? [7, { list: 7 }] : [7, [7]];
}

const roots = ['data', 'row', 'route', 'state', 'form', 'popup', 'principal'];

/** A path begins with the root of another place. */
export function rootMistakes(source: LongDocument): Making[] {
  return pathsIn(source).map(({ at, text, reference }) => draw => {
    const [root = '', ...rest] = text.split('.');
    const others = roots.filter(other => other !== root);
    const other = others[draw(others.length)];
    // Values that are known of every caller may be read anywhere.
    if (other === 'principal' && rest.length === 1 && Object.hasOwn(principalFacts, rest[0] as string))
      return undefined;
    const path = [other, ...(rest.length > 0 ? rest : ['Name'])].join('.');
    const json = changedAt(writtenOf(source), at, () => path);
    return mutationFrom(json, { kind: 'root', was: text, words: [path, ...rest], at, reference }, source);
  });
}

/** A path reads what another data source of the document has, and this one has not. */
export function otherListMistakes(source: LongDocument, { operations }: FolderFacts): Making[] {
  const names = Object.keys((source.json.data ?? {}) as object);
  return pathsIn(source).flatMap(({ at, text, reference }) => {
    const [root, name, ...rest] = text.split('.');
    const others = names.filter(other => other !== name);
    if (root !== 'data' || rest.length === 0 || others.length === 0) return [];
    return [
      (draw: Draw) => {
        const other = others[draw(others.length)] as string;
        const path = ['data', other, ...rest].join('.');
        const { operation } = (source.json.data as Readonly<Record<string, { operation: string }>>)[other] ?? {};
        // What both have is no mistake that anybody could know.
        if (followReply(operations.get(operation ?? '')?.reply, rest) !== undefined) return undefined;
        const json = changedAt(writtenOf(source), at, () => path);
        return mutationFrom(
          json,
          { kind: 'other list', was: text, words: path.split('.').slice(1), at, reference },
          source,
        );
      },
    ];
  });
}

function pathsIn(source: LongDocument) {
  return referencesIn(source).flatMap(reference => {
    if (reference.what !== 'path') return [];
    const at = source.written?.at(reference.at) ?? reference.at;
    const text = valueAt(writtenOf(source), at);
    return typeof text === 'string' && roots.includes(text.split('.')[0] ?? '') ? [{ at, text, reference }] : [];
  });
}

/** By what an entry of a list is told from the others. */
const identities = ['id', 'value', 'propertyName', 'path'] as const;

/** An entry of a list stands in it twice. */
export function duplicateMistakes(source: LongDocument): Making[] {
  return placesIn(source).flatMap(({ schema, value, at }) => {
    if (!Array.isArray(value) || (schema.title !== 'Units' && schema.title !== 'Nodes')) return [];
    return value.flatMap((item, index) => {
      const identity = isObject(item) ? identities.find(name => typeof item[name] === 'string') : undefined;
      const written = source.written?.at([...at, index]) ?? [...at, index];
      if (identity === undefined || typeof written.at(-1) !== 'number') return [];
      if (schema.title === 'Nodes' && identity === 'path') return [];
      const word = String((item as Json)[identity]);
      const place = source.written?.at([...at, index, identity]) ?? [...at, index, identity];
      return [() => doubled(source, written, word, place.slice(written.length), labelsOf(item as Json))];
    });
  });
}

/** Properties besides the id by which an entry is told apart. */
const labelsOf = ({ label, title, text }: Json): string[] =>
  [label, title, text].flatMap(name => (typeof name === 'string' ? [name] : []));

function doubled(
  source: LongDocument,
  at: Pointer,
  word: string,
  below: Pointer,
  labels: readonly string[],
): Mutation | undefined {
  const index = Number(at.at(-1));
  const list = at.slice(0, -1);
  if (!Array.isArray(valueAt(writtenOf(source), list))) return undefined;
  const json = changedAt(writtenOf(source), list, items => {
    const all = items as readonly unknown[];
    return [...all.slice(0, index + 1), ...all.slice(index)];
  });
  return mutationFrom(
    json,
    {
      kind: 'duplicate',
      was: word,
      words: [word === '' ? '""' : word, ...word.split('.').slice(-1), ...labels],
      at: [...list, index + 1, ...below],
    },
    source,
  );
}
