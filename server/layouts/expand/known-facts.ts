import { keyNames, titleNames } from '../../../shared/language/field-names.ts';
import type { KnownFact } from '../../../shared/language/short.ts';
import { writtenName } from '../names/written-name.ts';
import type { ExpandPlace, SourceFacts } from './expand-place.ts';
import { declaredAt } from './paths.ts';
import { fieldNames, followReply, kindOf } from './reply-notation.ts';

/** How values of a kind are written where a document does not say. */
const formats: Readonly<Record<string, string>> = {
  count: 'number',
  number: 'number',
  percent: 'percent',
  money: 'currency',
  bytes: 'bytes',
  day: 'date',
  time: 'date-time',
  'yes-no': 'yes-no',
};

/** Kinds whose values a text receives without a format: by a number it chooses between singular and plural. */
const unformattedInTexts: ReadonlySet<string> = new Set(['count', 'number', 'yes-no']);

/** How a value in a text is written where a document does not say; undefined where it is a word or a number. */
export function formatInText(path: string, place: ExpandPlace): string | undefined {
  const known = kindOf(declaredAt(path, place));
  return known && !unformattedInTexts.has(known.kind) ? formats[known.kind] : undefined;
}

const isPlace = (value: unknown): value is string => typeof value === 'string' && /^(?:route|state)\./.test(value);

/** The data source that a list comes from, with its name and the path of the list below its Result. */
function sourceOf(
  rows: unknown,
  place: ExpandPlace,
): { name: string; list: string[]; facts?: SourceFacts } | undefined {
  const [root, name, , ...list] = writtenName(rows).split('.');
  if (root !== 'data' || name === undefined) return undefined;
  const facts = place.sources.get(name);
  return { name, list, ...(facts && { facts }) };
}

/** Parameters of a list's operation that say which part of it is shown and in which order, but not what is in it. */
const arranging: ReadonlySet<string> = new Set(['page', 'pageSize', 'sort']);

/** A value beside the list itself, such as its total, where the operation declares one. */
function besideList(rows: unknown, names: readonly string[], place: ExpandPlace): string | undefined {
  const source = sourceOf(rows, place);
  const reply = place.facts.operations.get(source?.facts?.operation ?? '')?.reply;
  if (!source || followReply(reply, names) === undefined) return undefined;
  return ['data', source.name, 'Result', ...names].join('.');
}

const boundPlace = (rows: unknown, parameter: string, place: ExpandPlace): string | undefined => {
  const bound = sourceOf(rows, place)?.facts?.with[parameter];
  return isPlace(bound) ? bound : undefined;
};

type Ask = (value: unknown, place: ExpandPlace) => unknown;

/** Each fact that documents need not write: of a long path, what is known; undefined where nothing is. */
export const knownFacts: Readonly<Record<KnownFact, Ask>> = {
  catalogue: (path, place) => kindOf(declaredAt(writtenName(path), place))?.catalogue,
  format: (path, place) => {
    const known = kindOf(declaredAt(writtenName(path), place));
    return known && known.catalogue === undefined ? formats[known.kind] : undefined;
  },
  count: (value, place) => {
    if (place.counted === undefined) return undefined;
    const name = value === '' ? 'All' : `${writtenName(value).charAt(0).toUpperCase()}${writtenName(value).slice(1)}`;
    const narrowed = [...place.sources].filter(([, { with: bound }]) => Object.values(bound).includes(place.counted));
    return narrowed
      .map(([source]) => besideList(`data.${source}`, ['Counts', name], place))
      .find(path => path !== undefined);
  },
  key: (rows, place) => {
    const item = declaredAt(writtenName(rows), place);
    // Behind the first field an id may be that of something else, such as the customer of an order.
    const [first, ...others] = fieldNames(item);
    if (first !== undefined && kindOf(followReply(item, [first]))?.kind === 'id') return first;
    return keyNames.find(name => name === first || others.includes(name));
  },
  refreshOn: (operation, place) => place.facts.operations.get(writtenName(operation))?.refreshOn,
  titlePath: (rows, place) => {
    const names = fieldNames(declaredAt(writtenName(rows), place));
    const title = titleNames.find(name => names.includes(name));
    return title && `row.${title}`;
  },
  source: rows => {
    const [root, name] = writtenName(rows).split('.');
    return root === 'data' ? name : undefined;
  },
  sort: (path, place) => {
    const [root, name, ...below] = writtenName(path).split('.');
    const operation = sourceOf(place.rows, place)?.facts?.operation ?? '';
    const names = boundPlace(place.rows, 'sort', place) ? place.facts.operations.get(operation)?.with?.sort?.enum : [];
    return root === 'row' && below.length === 0 && names?.includes(name) ? name : undefined;
  },
  page: (_, place) => boundPlace(place.rows, 'page', place),
  size: (_, place) => boundPlace(place.rows, 'pageSize', place),
  order: (_, place) => boundPlace(place.rows, 'sort', place),
  total: (_, place) => besideList(place.rows, ['Total'], place),
  exact: (_, place) => besideList(place.rows, ['TotalIsExact'], place),
  filters: (rows, place) => {
    const facts = sourceOf(rows, place)?.facts;
    const path = writtenName(place.facts.operations.get(facts?.operation ?? '')?.path);
    const places = Object.entries(facts?.with ?? {}).flatMap(([name, bound]) =>
      isPlace(bound) && !arranging.has(name) && !path.includes(`{${name}}`) ? [bound] : [],
    );
    return places.length === 0 ? undefined : places;
  },
  pages: (kept, place) => {
    const pages = [...place.sources.values()].flatMap(source =>
      Object.values(source.with).includes(kept) && isPlace(source.with.page) ? [source.with.page] : [],
    );
    return pages.length === 0 ? undefined : [...new Set(pages)];
  },
};
