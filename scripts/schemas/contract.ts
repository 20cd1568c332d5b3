import { createLoader } from '../../server/layouts/load/load.ts';
import { formatProblem, suggest } from '../../server/layouts/names/problem.ts';
import type { Source } from '../../server/layouts/names/source.ts';
import type { Operation } from '../../shared/language/types.ts';
import { refines } from './import.ts';
import { kindOf, partsOf } from './notation.ts';
import { callsOf, notationOf, placesOf, replyAt } from './open-api.ts';
import type { OpenApi } from './open-api-types.ts';

type Step = readonly (string | number)[];
type Note = (at: Step, message: string) => void;
type Json = Readonly<Record<string, unknown>>;

const shapeOf = (notation: unknown): string => {
  const { type } = partsOf(notation);
  return type === 'value' ? `"${kindOf(notation)}"` : type === 'list' ? 'a list' : `an object`;
};

/** Notes where a contract says something else than the cloud does. */
function compare(known: unknown, cloud: unknown, path: string, at: Step, note: Note): void {
  const [own, other] = [partsOf(known), partsOf(cloud)];
  if (own.type === 'value' && kindOf(known).startsWith('model:')) return;
  const name = path === '' ? 'The Result' : `"${path}"`;
  if (other.optional && !own.optional) note(at, `${name} may be absent or null in the cloud: declare it with "?".`);
  if (own.type === 'value' && other.type === 'value') {
    if (!refines(kindOf(known), kindOf(cloud)))
      note(at, `${name} is ${shapeOf(cloud)} in the cloud, not ${shapeOf(known)}.`);
    return;
  }
  if (own.type !== other.type) {
    note(at, `${name} is ${shapeOf(cloud)} in the cloud, not ${shapeOf(known)}.`);
    return;
  }
  const inside: Step = own.isWrapped ? [...at, 'of'] : at;
  if (own.type === 'list')
    compare((own.inner as [unknown])[0], (other.inner as [unknown])[0], path, [...inside, 0], note);
  if (own.type === 'map') compare(own.inner, other.inner, `${path}.*`, [...at, 'map'], note);
  if (own.type !== 'record') return;
  const fields = other.inner as Json;
  for (const [field, declared] of Object.entries(own.inner as Json)) {
    const below = path === '' ? field : `${path}.${field}`;
    const there = [...inside, field];
    if (Object.hasOwn(fields, field)) compare(declared, fields[field], below, there, note);
    else if (!partsOf(declared).optional)
      note(there, `The cloud no longer answers with "${below}".${suggest(field, Object.keys(fields))}`);
  }
}

function compareOperation(source: Source, name: string, operation: Operation, openApi: OpenApi): string[] {
  const found = new Set<string>();
  const calls = callsOf(openApi);
  for (const { method, path } of placesOf(operation)) {
    const note: Note = (at, message) => found.add(formatProblem(source.problem(['operations', name, ...at], message)));
    const reply = replyAt(openApi, method, path);
    const call = `${method} ${path}`;
    if (!reply) note(['path'], `The cloud no longer offers "${call}".${suggest(call, calls)}`);
    else if (operation.reply !== undefined && !reply.result)
      note(['reply'], `The cloud says nothing of the Result of "${call}".`);
    else if (operation.reply !== undefined && reply.result)
      compare(operation.reply, notationOf(reply.result), '', ['reply'], note);
    if (reply && operation.file === undefined && reply.hasEnvelope !== (operation.envelope !== false))
      note([], `The reply of "${call}" has ${reply.hasEnvelope ? 'an' : 'no'} envelope.`);
  }
  return [...found];
}

/**
 * Lists what the operations of a folder declare and the cloud's OpenAPI description does not offer, with file and line.
 */
export async function compareWithCloud(folder: string, openApi: OpenApi): Promise<readonly string[]> {
  const { sources } = createLoader(folder)();
  return sources
    .filter(({ kind }) => kind === 'operations')
    .flatMap(source =>
      Object.entries(source.json.operations as Record<string, Operation>).flatMap(([name, operation]) =>
        operation.service === 'portal' ? [] : compareOperation(source, name, operation, openApi),
      ),
    );
}
