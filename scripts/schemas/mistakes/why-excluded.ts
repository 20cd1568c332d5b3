import type { Reference } from '../../../server/editing/references.ts';
import { valueAt } from '../../../server/editing/written-place.ts';
import { routesOf } from '../../../server/layouts/check/documents.ts';
import type { LongDocument, Pointer } from '../../../server/layouts/names/source.ts';
import { matchRoute } from '../../../shared/rules/route.ts';
import type { Mutation } from './mutation.ts';

/**
 * Why a change is no mistake that a checker could know; undefined for one that it must find. A letter of an address may
 * stand where any word may.
 */
export function whyExcluded(
  { kind, reference, at: place, source: changed }: Mutation,
  sources: readonly LongDocument[],
): string | undefined {
  if (reference === undefined || kind !== 'letter') return undefined;
  const written = writtenWord(valueAt(changed.json, place), place);
  const source = sources.find(({ file }) => file === reference.file);
  const json = source?.json;
  const around = reference.at.map((_, index) => valueAt(json, reference.at.slice(0, index)) as object).reverse();
  const isOfPage = ({ rows }: { rows?: unknown }) => typeof rows === 'string' && /^(popup|state)\./.test(rows);
  if (around.some(isOfPage)) return 'a field of rows that a command hands to a popup';
  const [node] = around as { type?: unknown }[];
  if (reference.what === 'path' && (node?.type === 'tabs' || node?.type === 'match'))
    return 'a place that its own node alone reads';
  const [parameter, binding] = [reference.at.at(-1), reference.at.at(-2)];
  if (binding === 'with' && ['page', 'pageSize', 'sort'].includes(String(parameter)) && isBoundAlone(source, reference))
    return 'a place that the table takes from what its list binds';
  if (reference.at.includes('record') && (reference.isName || reference.what === 'constant'))
    return 'what an audit record says, and how it is called there';
  if (reference.what === 'constant') return whyAnyConstant(reference, around, json);
  if (reference.what !== 'address') return undefined;
  const [path = '', query = ''] = written.split('?');
  const routes = sources.flatMap(source => routesOf(source).map(({ route }) => route));
  const isKnown = matchRoute(routes, path.replace(/\{[^{}]+\}/g, '\u0000')) !== undefined;
  if (path !== reference.text.split('?')[0])
    return isKnown ? 'a part of an address that is a parameter of its route' : undefined;
  const namesOf = (text: string) => text.replace(/([?&][^=&]*)=[^&]*/g, '$1');
  return query !== '' && namesOf(written) === namesOf(reference.text)
    ? 'a value in the query of an address'
    : undefined;
}

/** Whether a document, as it is written, names a place nowhere else, or only where other lists bind the same parameter. */
function isBoundAlone(source: LongDocument | undefined, { text, at }: Reference): boolean {
  const json = JSON.stringify(source?.written?.json ?? source?.json);
  const count = (part: string) => json.split(part).length - 1;
  return count(`"${text}"`) === 1 || count(`"${text}"`) === count(`"${String(at.at(-1))}":"${text}"`);
}

/** Why any constant may stand somewhere; undefined where its values are declared. */
function whyAnyConstant({ at }: Reference, around: readonly unknown[], document: unknown): string | undefined {
  const [parent, above] = around as readonly { readonly path?: unknown; readonly do?: unknown }[];
  const condition = at.at(-2) === 'in' ? above : parent;
  const path = String(condition?.path ?? '');
  if (path.startsWith('popup.')) return 'what a command hands to a popup';
  const { query } = document as { readonly query?: readonly string[] };
  if (query?.includes(path.replace(/^route\./, ''))) return 'what the address of a screen has from outside';
  if (at.includes('with')) return 'a parameter of which no values are declared';
  return above?.do === 'set' && String(above.path).startsWith('route.')
    ? 'a value in the address of which others ask only whether it is there'
    : undefined;
}

const writtenWord = (value: unknown, at: Pointer): string => (typeof value === 'string' ? value : String(at.at(-1)));
