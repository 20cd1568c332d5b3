import { describeRequirement } from '../../server/access/describe-requirement.ts';
import type { Principal } from '../../server/access/principal.ts';
import type { Compiled } from '../../server/layouts/names/pass.ts';
import { suggest } from '../../server/layouts/names/problem.ts';
import { type Explanation, explain, type Verdict } from '../../server/layouts/trim/explain.ts';
import { movedAddressFor } from '../../server/operations/moved-operation.ts';
import { principalWithAllRights } from './principal.ts';

/** Of a part that is not kept, what stands in it goes with it. */
function* shown(verdicts: readonly Verdict[]): Generator<Verdict> {
  let gone = Number.POSITIVE_INFINITY;
  for (const verdict of verdicts) {
    if (verdict.depth > gone && verdict.kept) continue;
    if (verdict.depth <= gone) gone = verdict.kept ? Number.POSITIVE_INFINITY : verdict.depth;
    yield verdict;
  }
}

const line = ({ depth, name, kept, because, place }: Verdict): string => {
  const why = because.length === 0 ? 'asks for nothing' : because.join('; ');
  return `${'  '.repeat(depth)}${kept ? 'kept   ' : 'TRIMMED'} ${name}: ${why}  [${place}]`;
};

/** Of a call that is in several places, where it is for the caller, and why there. */
function whereabouts({ names }: Compiled, principal: Principal, call: string): string {
  const operation = names.operations.get(call);
  if (!operation?.elsewhere) return '';
  const place = movedAddressFor(operation, principal);
  const others = operation.elsewhere.map(({ requires }) => describeRequirement(requires, names.requirements.nameOf));
  const why = place
    ? `since ${describeRequirement(place.requires, names.requirements.nameOf)}`
    : `elsewhere with ${others.join('; or ')}`;
  return ` at ${place?.method ?? operation.method} ${(place ?? operation).path} (${why})`;
}

/** The calls that are left, each with the fields of its reply that pass. */
function callsOf({ result }: Explanation, where: (call: string) => string): string[] {
  const fields = new Map<string, Set<string>>();
  const add = (call: string, path?: string) => {
    const known = fields.get(call) ?? new Set();
    fields.set(call, known);
    if (path !== undefined) known.add(path);
  };
  for (const use of result?.uses ?? []) {
    if (use.kind === 'source' || use.kind === 'write') add(use.operation);
    if (use.kind === 'file') add(`${use.operation} (file)`);
    if (use.kind === 'command') add(`${use.command} (command)`);
    if (use.kind === 'read') add(use.operation, use.path);
  }
  return [...fields].map(
    ([call, paths]) => `  ${call}${where(call)}: ${paths.size === 0 ? 'no field' : [...paths].sort().join(', ')}`,
  );
}

/**
 * Explains, for every node of a screen, popup or menu, whether a caller of a user type has it and why, and which calls
 * remain. `without` names rights that the caller lacks.
 */
export function explainDocument(compiled: Compiled, id: string, type: string, without: readonly string[]): string {
  const keys = [...compiled.documents.keys()];
  const key = keys.find(one => one === `screen:${id}`) ?? keys.find(one => one.endsWith(`:${id}`));
  if (key === undefined) {
    const ids = keys.map(one => one.slice(one.indexOf(':') + 1));
    throw new Error(`There is no screen, popup or menu "${id}".${suggest(id, ids)}`);
  }
  const principal = principalWithAllRights(compiled, type, without);
  const explained = explain(compiled, principal, key);
  const calls = callsOf(explained, call => whereabouts(compiled, principal, call));
  return [
    `${key.replace(':', ' ')} as ${type}: ${explained.result ? 'is there' : 'IS NOT THERE'}`,
    ...[...shown(explained.verdicts)].map(line),
    '',
    calls.length === 0 ? 'Nothing can be called.' : 'What can be called, with the fields of its reply that pass:',
    ...calls,
  ].join('\n');
}
