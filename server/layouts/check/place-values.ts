import type { NodeRules } from '../../../shared/language/node-kind.ts';
import type { Scalar } from '../../../shared/language/types.ts';
import { type CompileContext, type PlaceValues, report, type WrittenValue } from '../names/compile-context.ts';
import type { Declared } from '../names/declared.ts';
import { type Problem, suggest } from '../names/problem.ts';
import { nodeRules, type Schema } from '../names/schema.ts';
import { below } from '../names/scope.ts';
import { together, wrongConstant } from './declared-values.ts';

/** Stands for the document of a popup, form or menu that writes into the address: they stand on many screens. */
const anyScreen = '';

const isRoute = (path: string): boolean => path.startsWith('route.');
const ownerOf = (path: string, { document }: CompileContext): string =>
  isRoute(path) && document.kind !== 'screen' ? anyScreen : document.file;

const keyOf = (document: string, path: string): string => `${document} ${path}`;
const anything: Declared = { of: '' };

/** Notes what a document writes to a place itself. */
function noteConstant(value: Scalar, path: string, document: string, place: CompileContext): void {
  const declared = { of: '', values: [value] };
  place.placeValues.written.push({ document, path, declared, isChoice: false, constant: { value, place } });
}

/** Records for `checkConstantsOfPlaces` the first values that a document declares for its state (`state.…`). */
export function noteState(state: Readonly<Record<string, Scalar>>, place: CompileContext): void {
  for (const [name, value] of Object.entries(state))
    noteConstant(value, `state.${name}`, place.document.file, { ...place, at: [...place.at, name] });
}

/** Records for `checkConstantsOfPlaces` a value that a link sends to the screen in this file, as `route.<name>`. */
export function noteQuery(name: string, value: string, file: string, place: CompileContext): void {
  const path = `route.${name}`;
  if (!value.includes('{')) noteConstant(decode(value), path, file, place);
  else place.placeValues.written.push({ document: file, path, declared: anything, isChoice: false });
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/**
 * Records for `checkConstantsOfPlaces` what an effect writes into a value of the address or of the screen's state: a
 * constant, or the declared values of the path that it copies.
 */
export function noteSet(path: string, value: Scalar | Declared, place: CompileContext): void {
  const document = ownerOf(path, place);
  if (value === null || typeof value !== 'object') noteConstant(value, path, document, place);
  else place.placeValues.written.push({ document, path, declared: value, isChoice: false });
}

/**
 * Records for `checkConstantsOfPlaces` the values of the address or state that a node writes, such as a filter or search, and
 * among which values it lets users choose.
 */
export function noteNode(schema: Schema, value: Record<string, unknown>, place: CompileContext): void {
  if (value.do !== undefined) return;
  const rules = nodeRules(schema);
  for (const [name, path] of Object.entries(value)) {
    if (typeof path !== 'string' || schema.properties?.[name]?.title !== 'Place') continue;
    const values = choicesOf(rules, value, name, place);
    const declared = values ? { of: '', values } : anything;
    place.placeValues.written.push({ document: ownerOf(path, place), path, declared, isChoice: values !== undefined });
    noteRead(path, place);
  }
}

/** The values among which a node lets users choose; undefined where it takes what comes. */
function choicesOf(
  { choices }: NodeRules,
  value: Record<string, unknown>,
  name: string,
  place: CompileContext,
): readonly string[] | undefined {
  const choice = choices?.[name];
  if (choice === undefined || 'length' in choice) return choice;
  if (choice.unless !== undefined && value[choice.unless] !== undefined && !isKeyedById(value, place)) return undefined;
  return ((value[choice.each] ?? []) as readonly Record<string, unknown>[]).map(item => String(item[choice.value]));
}

/** True where the keys of a node's rows are ids: no document writes an id as a constant. */
function isKeyedById({ key }: Record<string, unknown>, { scope: { row } }: CompileContext): boolean {
  const target = row && typeof key === 'string' ? below(row, [key]) : undefined;
  if (!target || 'wrong' in target || target.in === 'page') return false;
  const { contract } = target.field ?? {};
  return contract?.type === 'value' && contract.kind === 'id';
}

/**
 * Records for `checkConstantsOfPlaces` the constant with which a condition compares a value of the address (`route.…`) or of
 * the screen's state (`state.…`).
 */
export function noteTest(path: string, value: Scalar, place: CompileContext): void {
  const document = ownerOf(path, place);
  // The address that a popup or menu reads is that of any screen.
  if (document !== anyScreen) place.placeValues.tested.push({ document, path, value, place });
}

/**
 * Records for `checkConstantsOfPlaces` that something reads a value of the address or state, other than by comparing it with
 * constants.
 */
export function noteRead(path: string, place: CompileContext): void {
  place.placeValues.read.add(keyOf(ownerOf(path, place), path));
}

/**
 * Records for `checkConstantsOfPlaces` that a parameter with these declared values gets its value from the address or state.
 */
export function noteBound(path: string, declared: Declared, place: CompileContext): void {
  if (isPlace(path)) place.placeValues.bound.push({ document: ownerOf(path, place), path, declared });
}

/** True for the path of a place: a value of the address (`route.…`) or of the screen's state (`state.…`). */
export const isPlace = (path: string): boolean => isRoute(path) || path.startsWith('state.');

/** What is declared of a parameter, for a value of the address, which is a text. */
const asText = ({ of, by, values }: Declared): Declared => ({
  of,
  ...(by && { by }),
  ...(values && { values: values.map(String) }),
});

/**
 * Reports conditions that compare a value of the address or state with a constant that it never holds, and constants
 * that documents write there although its readers do not accept them. Runs once all documents are compiled.
 * @param outside by file of a screen, the names in its address whose values come from outside the documents
 * @param problems gets what is wrong
 */
export function checkConstantsOfPlaces(
  { written, bound, read, tested }: PlaceValues,
  outside: ReadonlyMap<string, ReadonlySet<string>>,
  problems: Problem[],
): void {
  const reportAt = (place: CompileContext, message: string) => report({ ...place, problems }, message);
  const reportWrong = (value: Scalar, declared: Declared, place: CompileContext): void => {
    const wrong = wrongConstant(value, declared);
    if (wrong !== undefined) reportAt(place, wrong);
  };
  const writtenAt = byPlace(written);
  const testedAt = byPlace(tested);
  const boundAt = byPlace(bound);
  for (const { document, path, value, place } of tested) {
    const isOpen = isRoute(path) && outside.get(document)?.has(path.slice('route.'.length)) === true;
    const all = [...at(writtenAt, document, path), ...(isRoute(path) ? at(writtenAt, anyScreen, path) : [])];
    reportWrong(value, declaredAt(path, all, isOpen), place);
  }
  for (const { document, path, constant } of written) {
    // An empty text is what a place holds before anything is chosen.
    if (!constant || constant.value === '' || document === anyScreen) continue;
    const { value, place } = constant;
    const all = at(writtenAt, document, path);
    if (all.some(({ isChoice }) => isChoice)) reportWrong(value, declaredAt(path, all, false), place);
    for (const { declared } of at(boundAt, document, path))
      reportWrong(value, isRoute(path) ? asText(declared) : declared, place);
    const tests = at(testedAt, document, path);
    const isOnlyTested = tests.length > 0 && !isRoute(path) && !read.has(keyOf(document, path));
    if (!isOnlyTested || typeof value !== 'string' || tests.some(test => test.value === value)) continue;
    const compared = tests.map(test => String(test.value));
    reportAt(place, `Nothing compares "${path}" with "${value}".${suggest(value, compared)}`);
  }
}

/** What a place may hold: the choice of its node, where it has one, else what is written there. */
function declaredAt(path: string, all: readonly WrittenValue[], isOpen: boolean): Declared {
  const of = `The place "${path}"`;
  const choices = all.filter(({ isChoice }) => isChoice);
  const { values, classes } =
    all.length === 0 || (isOpen && choices.length === 0)
      ? anything
      : together(
          of,
          (choices.length > 0 ? choices : all).map(({ declared }) => declared),
        );
  const types = isRoute(path) ? (['string'] as const) : classes;
  return { of, ...(values && { values }), ...(types && { classes: types }) };
}

type AtPlace = { readonly document: string; readonly path: string };

function byPlace<T extends AtPlace>(list: readonly T[]): ReadonlyMap<string, readonly T[]> {
  const found = new Map<string, T[]>();
  for (const one of list) {
    const key = keyOf(one.document, one.path);
    const others = found.get(key);
    if (others) others.push(one);
    else found.set(key, [one]);
  }
  return found;
}

const at = <T>(lists: ReadonlyMap<string, readonly T[]>, document: string, path: string): readonly T[] =>
  lists.get(keyOf(document, path)) ?? [];
