import type { Operation, Requirement } from '../../../shared/language/types.ts';
import { wrongPrice } from '../check/replies.ts';
import type { Schema } from '../check/shape.ts';
import type { Pointer, Source } from '../load/load.ts';
import { type Problem, suggest } from '../load/problem.ts';
import type { Emit, Mentions, TrimPass } from '../pass.ts';
import { dangerousNames, type Names, type PathTarget, resolvePath, type Scope } from './scope.ts';

/** One place in a document while it is compiled. */
export type Place = {
  readonly source: Source;
  readonly at: Pointer;
  readonly scope: Scope;
  readonly names: Names;
  readonly problems: Problem[];
  readonly mentions: Mentions;
  readonly formSources: ReadonlyMap<string, Source>;
  readonly screenByPattern: ReadonlyMap<string, string>;
  /** Keys of the documents that this one leads to. */
  readonly refers: Set<string>;
  /** Requirements of what this stands in. */
  readonly above: readonly Requirement[];
  /** By place, requirements that nobody meets there; undefined where somebody does in one of the uses of the place. */
  readonly contradictions: Map<string, Problem | undefined>;
  /** Explicit node ids of the document. */
  readonly ids: Set<string>;
  /** Data sources that something reads. */
  readonly data: Set<string>;
  /** By operation, the paths of its reply that something reads. */
  readonly reads: Map<string, Set<string>>;
  /** True where what is read is shown as an amount of money. */
  readonly isMoney?: boolean;
  /** Compiles a nested value; here so that the compilers of single kinds need not import each other. */
  readonly compile: (schema: Schema, value: unknown, place: Place) => Emit;
  /** Which of the bindings here are not the caller's to give. */
  readonly leftOut?: (trim: TrimPass) => (name: string) => boolean;
  /** True for nodes that go along with content that stands elsewhere. */
  readonly mayBeControls?: boolean;
  /** True inside a transfer. */
  readonly inTransfer?: boolean;
  /** The command that leads the wizard that this stands in. */
  readonly leader?: string;
  /** Names that the texts of the node may interpolate. */
  readonly values?: ReadonlySet<string>;
};

export function report(place: Place, message: string, severity: Problem['severity'] = 'error'): void {
  place.problems.push(place.source.problem(place.at, message, severity));
}

/** Follows a path and says what it reads; a mistake is reported. */
export function targetOf(path: string, place: Place): PathTarget | undefined {
  const dangerous = path.split('.').find(part => dangerousNames.has(part));
  if (dangerous) report(place, `The name "${dangerous}" is not allowed.`);
  if (dangerous) return undefined;
  const target = resolvePath(path, place.scope);
  if ('wrong' in target) {
    report(place, `${target.wrong}${suggest(target.found, target.candidates)}`);
    return undefined;
  }
  if (target.in === 'command') checkReply(target.command, target.path, place);
  if (target.in === 'operation' && target.source !== undefined) place.data.add(target.source);
  noteRead(target, place);
  return target;
}

/** Notes what a document reads, and checks that no price in it is open by mistake. */
export function noteRead(target: PathTarget, place: Place): void {
  if (target.in !== 'operation') return;
  const paths = place.reads.get(target.operation) ?? new Set();
  place.reads.set(target.operation, paths.add(target.path));
  const wrong = wrongPrice(target, place.names.operations, place.isMoney === true);
  if (wrong !== undefined) report(place, wrong);
}

/** Of the reply of a command only the fields that it declares leave the server. */
function checkReply(command: string, path: string, place: Place): void {
  const [head, field = ''] = path.split('.');
  const declared = place.names.commands.get(command)?.reply ?? [];
  if (head === 'Result' && place.names.commands.has(command) && !declared.includes(field))
    report(place, `The command "${command}" replies no field "${field}".${suggest(field, declared)}`);
}

/** Notes a read; false when the caller may not have the field. */
export function read(trim: TrimPass, target: PathTarget | undefined, html = false): boolean {
  if (!target) return false;
  if (target.in === 'page' && target.state !== undefined) trim.uses.push({ kind: 'state', name: target.state });
  if (target.in !== 'operation') return true;
  if (target.source !== undefined && !trim.sources.has(target.source)) {
    trim.observer?.missing?.(`the data source "${target.source}"`);
    return false;
  }
  if (!trim.mayRead(target.operation, target.path)) return false;
  trim.uses.push({
    kind: 'read',
    operation: target.operation,
    path: target.path,
    ...(target.source !== undefined && { source: target.source }),
    ...(html && { html: true }),
  });
  return true;
}

export function boundParameters(trim: TrimPass, own: Operation['own']): ReadonlySet<string> {
  return new Set(
    Object.entries(own ?? {})
      .filter(([, rule]) => rule.userTypes.includes(trim.caller.type))
      .map(([name]) => name),
  );
}

export const into = (place: Place, ...step: (string | number)[]): Place => ({ ...place, at: [...place.at, ...step] });

/** The form that the operation or command of an effect takes as its body. */
export function bodyForm(effect: Record<string, unknown>, { names }: Place): string | undefined {
  return names.operations.get(String(effect.operation))?.body ?? names.commands.get(String(effect.command))?.body;
}
