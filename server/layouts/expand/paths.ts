import { pathRoots } from '../../../shared/language/path-roots.ts';
import type { Reply } from '../../../shared/language/reply.ts';
import type { ExpandPlace, SourceFacts } from './expand-place.ts';
import { fieldNames, followReply } from './reply-notation.ts';

/** What stands around the Result of every reply. */
const envelope: ReadonlySet<string> = new Set(['Succeed', 'Error', 'Errors', 'Messages']);

/** Names below a reply, with the Result that documents leave out; `$Succeed` and its like stand beside it. */
function inEnvelope(names: readonly string[], reply: Reply | undefined): readonly string[] {
  const [first = '', ...rest] = names;
  if (first === 'Result') return names;
  if (first.startsWith('$') && envelope.has(first.slice(1))) return [first.slice(1), ...rest];
  // The long form: a field of the Result that has this name goes first.
  if (envelope.has(first) && !fieldNames(reply).includes(first)) return names;
  return ['Result', ...names];
}

/**
 * Expands a short path to the one that the browser reads: `data.customers.Items` becomes `data.customers.Result.Items`.
 */
export function longPath(path: string, place: ExpandPlace): string {
  const [root, ...names] = path.split('.');
  if (root === 'reply') return ['reply', ...inEnvelope(names, place.reply)].join('.');
  if (root !== 'data' || names[0] === undefined) return path;
  const operation = place.sources.get(names[0])?.operation ?? '';
  return ['data', names[0], ...inEnvelope(names.slice(1), place.facts.operations.get(operation)?.reply)].join('.');
}

/** Expands the paths in the `{…}` of an address (see `longPath`). */
export const longAddress = (address: string, place: ExpandPlace): string =>
  address.replace(/\{([^{}]+)\}/g, (_, path: string) => `{${longPath(path, place)}}`);

const roots: ReadonlySet<string> = new Set(Object.keys(pathRoots));

/** True for a path that begins with a known root, such as `data`, `route` or `row`. */
export const hasRoot = (path: string): boolean =>
  path === 'row' || (path.includes('.') && roots.has(path.split('.')[0] ?? ''));

/** Gives the data source that joins the rows of the list around under a name. */
export const sourceJoined = (name: string, place: ExpandPlace): SourceFacts | undefined =>
  place.rows === undefined
    ? undefined
    : [...place.sources.values()].find(({ joins }) => joins?.as === name && longPath(joins.rows, place) === place.rows);

/** Gives the contract of an item that is joined to a row, from the operation's reply. */
function joinedReply(name: string, place: ExpandPlace): Reply | undefined {
  const operation = sourceJoined(name, place)?.operation;
  const reply = operation === undefined ? undefined : place.facts.operations.get(operation)?.reply;
  return followReply(reply, ['Items']) ?? reply;
}

/** Gives what the operation's reply declares at a long path; undefined where it declares nothing. */
export function declaredAt(path: string, place: ExpandPlace): Reply | undefined {
  const [root, ...names] = path.split('.');
  if (root === 'row') {
    const joined = joinedReply(names[0] ?? '', place);
    return joined === undefined ? followReply(place.row, names) : followReply(joined, names.slice(1));
  }
  if (root === 'reply' && names[0] === 'Result') return followReply(place.reply, names.slice(1));
  if (root !== 'data' || names[1] !== 'Result') return undefined;
  const operation = place.sources.get(names[0] ?? '')?.operation ?? '';
  return followReply(place.facts.operations.get(operation)?.reply, names.slice(2));
}
