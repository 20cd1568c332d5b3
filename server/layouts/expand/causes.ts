import { rows } from '../../../shared/language/primitives.ts';
import type { KnownFact, ShortDefault } from '../../../shared/language/short.ts';
import { readContract } from '../contract/read-contract.ts';
import { type Contract, envelopeOf, fieldOf } from '../names/contract.ts';
import { listOfJoin } from '../names/joins.ts';
import type { Json } from '../names/json.ts';
import { suggest } from '../names/problem.ts';
import { checkRead } from '../names/reads.ts';
import type { Schema } from '../names/schema.ts';
import { type PathTarget, resolvePath, type WrongPath } from '../names/scope.ts';
import type { Pointer } from '../names/source.ts';
import { describeWrongPath } from '../names/wrong-path.ts';
import type { ExpandPlace, SourceFacts } from './expand-place.ts';
import { sourceJoined } from './paths.ts';

/** Why something is not known: a reference that leads nowhere, and where it stands in the document as it is written. */
export type Cause = { readonly at: Pointer; readonly message: string };

/** The place of a path, and whether it is that of a list. */
type PathPlace = { readonly at: Pointer; readonly isRows: boolean };

const contracts = new WeakMap<object, Contract>();

/** The contract of an operation's whole reply; what of it cannot be read is told where it is declared. */
function contractOf(operation: object & { readonly reply?: unknown }): Contract {
  const known = contracts.get(operation);
  if (known) return known;
  const { reply } = operation;
  const contract = envelopeOf(reply === undefined ? undefined : readContract(reply));
  contracts.set(operation, contract);
  return contract;
}

/** Finds what is wrong with the operation of a data source. */
function wrongSource({ operation, at }: SourceFacts, { facts }: ExpandPlace): Cause | undefined {
  const found = facts.operations.get(operation);
  if (!found)
    return { at, message: `Operation "${operation}" not found.${suggest(operation, facts.operations.keys())}` };
  if (typeof found.method === 'string' && found.method !== 'GET')
    return { at, message: `"${operation}" is not a GET; a data source only reads.` };
  return undefined;
}

/**
 * Follows a path of the long form that reads data or a row. Gives what is wrong with it or with its data source;
 * undefined where nothing is, or where it reads something else.
 */
export function causeInPath(path: unknown, { at, isRows }: PathPlace, place: ExpandPlace): Cause | undefined {
  if (typeof path !== 'string') return undefined;
  const [root, name = ''] = path.split('.');
  if (root === 'row') return causeInRow(path, at, place);
  if (root !== 'data') return causeElsewhere(path, { at, isRows }, place);
  const source = place.sources.get(name);
  const wrong = source && wrongSource(source, place);
  if (wrong) return wrong;
  const target = resolveData(path, place);
  if ('wrong' in target) return { at, message: describeWrongPath(target, place.facts.operationFiles) };
  const [message] = isRows ? checkRead(target, 'rows') : [];
  return message === undefined ? undefined : { at, message };
}

/** Rows are no value of the address or of the caller, and outside of a popup nothing is given to one. */
function causeElsewhere(path: string, { at, isRows }: PathPlace, { kind }: ExpandPlace): Cause | undefined {
  const [root = ''] = path.split('.');
  if (isRows && (root === 'route' || root === 'principal'))
    return { at, message: `"${path}" is a single value, and the rows of a node are a list.` };
  if (root === 'popup' && (kind === 'screen' || kind === 'navigation'))
    return { at, message: `"${path}" stands outside a popup.` };
  return undefined;
}

/** Tells what is wrong with a path into a value that is joined to a row, by its names below the item. */
function causeInJoined(source: SourceFacts, below: readonly string[], at: Pointer, place: ExpandPlace) {
  const wrong = wrongSource(source, place);
  const list = wrong ? undefined : listOfJoin(replyOf(source, place));
  const target = list && resolvePath(['row', ...below].join('.'), { ...noNames, row: list });
  if (target === undefined || !('wrong' in target)) return wrong;
  return { at, message: describeWrongPath(target, place.facts.operationFiles) };
}

function causeInRow(path: string, at: Pointer, place: ExpandPlace): Cause | undefined {
  const [, name = '', ...below] = path.split('.');
  const joined = sourceJoined(name, place);
  if (joined) return causeInJoined(joined, below, at, place);
  if (place.rows === undefined && !place.hasWrongRows && drawnAlone.has(place.kind))
    return { at, message: `"${path}" stands outside a list.` };
  const list = place.rows === undefined ? undefined : resolveData(place.rows, place);
  if (!list || 'wrong' in list || list.in === 'page') return undefined;
  const target = resolvePath(path, { ...noNames, row: list });
  return 'wrong' in target ? { at, message: describeWrongPath(target, place.facts.operationFiles) } : undefined;
}

/** Documents that stand in no list of another one. */
const drawnAlone: ReadonlySet<string> = new Set(['screen', 'popup', 'navigation']);
const none: ReadonlySet<string> = new Set();
const noNames = { sources: new Map<string, PathTarget>(), states: none, routes: none };

function resolveData(path: string, place: ExpandPlace): PathTarget | WrongPath {
  if (!path.startsWith('data.')) return { in: 'page' };
  const targets = [...place.sources].map(([name, source]) => [name, replyOf(source, place)] as const);
  return resolvePath(path, { ...noNames, sources: new Map(targets) });
}

function replyOf({ operation }: SourceFacts, { facts }: ExpandPlace): PathTarget {
  const found = facts.operations.get(operation);
  return { in: 'operation', operation, path: '', ...(found && { field: fieldOf(contractOf(found)) }) };
}

/**
 * Finds why the default of a property is not known: the path that it goes by leads nowhere, or what the path leads to
 * lacks it. 'told' where that path is of the wrong form, which is told anyway; undefined where the property must be
 * written for another reason.
 */
export function causeOfDefault(
  property: string,
  rule: ShortDefault,
  long: Json,
  stepsTo: (property: string) => Pointer,
  place: ExpandPlace,
): Cause | 'told' | undefined {
  if (!('known' in rule)) return undefined;
  const { of } = rule;
  if (of !== undefined && long[of] !== undefined) {
    const at = [...place.at, ...stepsTo(of)];
    if (!isPath(long[of])) return 'told';
    if (of === 'rows')
      return (
        causeInPath(long[of], { at, isRows: true }, { ...place, rows: place.rowsAround }) ??
        causeInRoot(property, String(long[of]), at)
      );
    return causeInPath(long[of], { at, isRows: of === 'rows' }, place) ?? causeInRoot(property, String(long[of]), at);
  }
  if (place.rows === undefined) return place.hasWrongRows ? 'told' : undefined;
  return (
    causeInPath(place.rows, { at: place.rowsAt ?? place.at, isRows: true }, place) ??
    causeInSource(property, rule.known, place)
  );
}

/** The names of data and rows, which are known before anything else. */
const causeInRoot = (property: string, path: string, at: Pointer): Cause | undefined =>
  /^(?:data\.|row\b|part\.)/.test(path)
    ? undefined
    : { at, message: `"${property}" is not known of "${path}", as it is of "data.…": give "${property}".` };

const paths = new RegExp(rows.pattern);
const isPath = (value: unknown): boolean => typeof value === 'string' && paths.test(value);

/** The parameters that say which part of a list is shown, by what is known of them. */
const parameters: { readonly [known in KnownFact]?: string } = { page: 'page', size: 'pageSize', order: 'sort' };

/** Finds what the data source of a list lacks: a parameter that is bound to a place, or its total. */
function causeInSource(property: string, known: KnownFact, place: ExpandPlace): Cause | undefined {
  const [root, name = ''] = place.rows?.split('.') ?? [];
  const source = root === 'data' ? place.sources.get(name) : undefined;
  if (!source) return undefined;
  const [needs, { operation }] = [`"${lastWord(place.at, property)}" needs "${property}"`, source];
  if (known === 'total')
    return {
      at: place.at,
      message: `${needs}: the reply of "${operation}" has no "Total", which says how many there are.`,
    };
  const parameter = parameters[known];
  if (parameter === undefined) return undefined;
  const stranger = strangerIn(source, place);
  if (stranger) return stranger;
  const bound = source.with[parameter];
  const at = source.boundAt.get(parameter);
  if (bound !== undefined && at)
    return {
      at,
      message: `${toText(bound)} is no place: what "${parameter}" is stands in the address ("route.…") or on the page ("state.…").`,
    };
  return {
    at: place.at,
    message: `${needs}: the data source "${name}" gives "${operation}" no "${parameter}" from a place, such as "route.${parameter}".`,
  };
}

/** A parameter that the operation of a data source does not have. */
function strangerIn({ operation, boundAt }: SourceFacts, { facts }: ExpandPlace): Cause | undefined {
  const known = Object.keys(facts.operations.get(operation)?.with ?? {});
  for (const [name, at] of boundAt)
    if (!known.includes(name))
      return { at, message: `"${operation}" has no parameter "${name}".${suggest(name, known)}` };
  return undefined;
}

const toText = (value: unknown): string => JSON.stringify(value);
const lastWord = (at: Pointer, otherwise: string): string =>
  String(at.findLast(step => typeof step === 'string') ?? otherwise);

/**
 * True where one of an object's own paths leads nowhere: what it is called for want of another name is no matter then.
 */
export const hasWrongPath = ({ properties = {} }: Schema, long: Json, place: ExpandPlace): boolean =>
  Object.entries(long).some(
    ([name, value]) =>
      properties[name]?.title === 'Path' && causeInPath(value, { at: [], isRows: false }, place) !== undefined,
  );
