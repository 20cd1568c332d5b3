import type { Operation, Requirement, Scalar } from '../../../shared/language/types.ts';
import { requirementsOf } from './contract.ts';
import { dangerousNames } from './dangerous-names.ts';
import type { Declared } from './declared.ts';
import type { Emit, Lead, Mentions, TrimPass } from './pass.ts';
import type { Problem } from './problem.ts';
import { checkRead, type ShownAs } from './reads.ts';
import type { Schema } from './schema.ts';
import { below, type Names, type NamesInScope, type PathTarget, resolvePath, type WrongPath } from './scope.ts';
import type { LongDocument, Pointer } from './source.ts';
import { describeWrongPath } from './wrong-path.ts';

type Constant = { readonly value: Scalar; readonly place: CompileContext };
type AtPlace = { readonly document: string; readonly path: string };
export type WrittenValue = AtPlace & {
  readonly declared: Declared;
  /** True where users choose among these values, so that nothing else makes sense there. */
  readonly isChoice: boolean;
  /** What a document writes there itself. */
  readonly constant?: Constant;
};

/**
 * What all documents put into places of the address and of the page (`route.…`, `state.…`), and the constants that their
 * conditions compare these with. What a place can hold is known only when all of them are compiled.
 */
export type PlaceValues = {
  readonly written: WrittenValue[];
  /** Parameters that get the value of a place. */
  readonly bound: (AtPlace & { readonly declared: Declared })[];
  /** Places, each with its document, that something reads in another way than comparing them with constants. */
  readonly read: Set<string>;
  readonly tested: (AtPlace & Constant)[];
};

/** A requirement below others: whether anybody meets all of them. */
export type JudgedRequirement = {
  readonly isMet: boolean;
  readonly requirement: Requirement;
  readonly place: CompileContext;
  /** What stands before what it asks for, such as "the operation x". */
  readonly what?: string | undefined;
};

/** One place in a document while it is compiled. All have the same properties in the same order: so they are copied fast. */
export type CompileContext = {
  readonly source: LongDocument;
  readonly at: Pointer;
  /** The document that this stands in: of what a form document holds, the one that shows the form. */
  readonly document: LongDocument;
  readonly scope: NamesInScope;
  readonly names: Names;
  readonly problems: Problem[];
  readonly mentions: Mentions;
  readonly formSources: ReadonlyMap<string, LongDocument>;
  readonly screenByPattern: ReadonlyMap<string, string>;
  /** Keys of the documents that this one leads to. */
  readonly refers: Set<string>;
  /** Requirements of what this stands in. */
  readonly above: readonly Requirement[];
  /** Requirements of all documents, each with whether anybody meets it together with those above it. */
  readonly judged: JudgedRequirement[];
  /** Explicit node ids of the document. */
  readonly ids: Set<string>;
  /** Data sources that something reads. */
  readonly data: Set<string>;
  /** Places of the address or the page that something reads. */
  readonly placesRead: Set<string>;
  /** Where a search, filter, day, page or order is kept, for whoever narrows the list by it. */
  readonly placesKept: { readonly path: string; readonly at: Pointer }[];
  /** What places of the address and the page get, and are compared with. */
  readonly placeValues: PlaceValues;
  /** True for the path of a condition, which is only compared. */
  readonly isTest: boolean;
  /** What the node makes of what is read here. */
  readonly shownAs: ShownAs | undefined;
  /** Compiles a nested value; here so that the compilers of single kinds need not import each other. */
  readonly compile: (schema: Schema, value: unknown, place: CompileContext) => Emit;
  /** Which of the bindings here are not the caller's to give. */
  readonly leftOut: ((trim: TrimPass) => (name: string) => boolean) | undefined;
  /** True for nodes that go along with content that stands elsewhere. */
  readonly mayBeControls: boolean;
  /** The kind that the fields among the children have to be of. */
  readonly fieldKind: string | undefined;
  /** The command that leads the wizard that this stands in. */
  readonly leader: string | undefined;
  /** Names that the texts of the node may interpolate. */
  readonly values: ReadonlySet<string> | undefined;
};

/** Adds a problem at a position of a document to the list of problems. */
export function report(place: CompileContext, message: string, severity: Problem['severity'] = 'error'): void {
  place.problems.push(place.source.problem(place.at, message, severity));
}

/** Resolves a path of a layout (`data.customers.Items`) to what it reads. Reports a wrong path and gives undefined. */
export function targetOf(
  path: string,
  place: CompileContext,
  shownAs: ShownAs | undefined = place.shownAs,
): PathTarget | undefined {
  const dangerous = path.split('.').find(part => dangerousNames.has(part));
  if (dangerous) report(place, `The name "${dangerous}" is not allowed.`);
  if (dangerous) return undefined;
  return found(resolvePath(path, place.scope), place, shownAs);
}

/** Resolves one field below what a path reads; reports a field that is not declared and gives undefined. */
export function fieldTarget(target: PathTarget, name: string, place: CompileContext): PathTarget | undefined {
  return found(below(target, name.split('.')), place, place.shownAs);
}

/** What a path leads to; what is wrong with it is reported, with where to declare what is missing. */
function found(
  target: PathTarget | WrongPath,
  place: CompileContext,
  shownAs: ShownAs | undefined,
): PathTarget | undefined {
  if ('wrong' in target) {
    report(place, describeWrongPath(target, place.names.operationFiles));
    return undefined;
  }
  if (target.in === 'operation' && target.source !== undefined) place.data.add(target.source);
  for (const message of checkRead(target, shownAs)) report(place, message);
  return target;
}

/** Makes the compiled form of a value that is the same for every caller. */
export const constant =
  (value: unknown): Emit =>
  () =>
    value;

/** True when the caller meets the requirements of a field of a reply. */
export function mayHave(
  trim: TrimPass,
  { field }: Extract<PathTarget, { readonly in: 'operation' | 'command' }>,
): boolean {
  return field !== undefined && requirementsOf(field).every(trim.meets);
}

/** Records that the trimmed layout reads a field; false when the caller may not have it, so that the node goes. */
export function read(trim: TrimPass, target: PathTarget | undefined, lead?: Lead): boolean {
  if (!target) return false;
  if (target.in === 'page' && target.state !== undefined) trim.uses.push({ kind: 'state', name: target.state });
  if (target.in !== 'operation') return true;
  if (target.source !== undefined && !trim.sources.has(target.source)) {
    trim.observer?.missing?.(`the data source "${target.source}"`);
    return false;
  }
  // What a journey asks is no data source of the document.
  const isThere = mayHave(trim, target) && (target.source !== undefined || trim.mayCall(target.operation));
  if (lead) trim.observer?.lead?.(lead, isThere);
  if (!isThere) return false;
  trim.uses.push({
    kind: 'read',
    operation: target.operation,
    path: target.path,
    ...(target.source !== undefined && { source: target.source }),
  });
  return true;
}

/**
 * Names the parameters of an operation that the server sets for a caller of this user type (such as its own
 * organisation).
 */
export function boundParameters(trim: TrimPass, own: Operation['own']): ReadonlySet<string> {
  return new Set(
    Object.entries(own ?? {})
      .filter(([, rule]) => rule.userTypes.includes(trim.caller.type))
      .map(([name]) => name),
  );
}

/** Gives the position of a property or entry below a position in a document. */
export const into = (place: CompileContext, ...path: (string | number)[]): CompileContext => ({
  ...place,
  at: [...place.at, ...path],
});

/**
 * Gives the id of the form whose fields the operation or command of an effect takes as its body; undefined for none.
 */
export function bodyForm(effect: Record<string, unknown>, { names }: CompileContext): string | undefined {
  return names.operations.get(String(effect.operation))?.body ?? names.commands.get(String(effect.command))?.body;
}

/** True in a form document that an operation takes as its body: of its fields the messages of a property are said. */
export function isOfOperation({ scope, names }: CompileContext): boolean {
  const { document } = scope.form ?? {};
  return document !== undefined && names.bodies.has(document);
}
