import type { FieldNode, Operation, Requirement, WrittenRequirement } from '../../../shared/language/types.ts';
import { isShownOnly } from '../../../shared/rules/validation.ts';
import type { CommandDeclaration } from '../command-declaration.ts';

/** Where a path leads: a field of an operation's reply, of a command's reply, or something on the page. */
export type PathTarget =
  | { readonly in: 'operation'; readonly operation: string; readonly path: string; readonly source?: string }
  | { readonly in: 'command'; readonly command: string; readonly path: string }
  | { readonly in: 'page'; readonly state?: string };

/** What the paths at one place of a document may name. */
export type Scope = {
  /** Data source name → operation. */
  readonly sources: ReadonlyMap<string, string>;
  readonly states: ReadonlySet<string>;
  /** Parameters of a popup; absent outside popups. */
  readonly popup?: ReadonlySet<string>;
  /** The list that `row` is an item of. */
  readonly row?: PathTarget;
  readonly form?: FormScope;
  readonly reply?: PathTarget;
};

/** By operation, the paths of its reply that documents read. */
export type Reads = ReadonlyMap<string, ReadonlySet<string>>;

export type FormScope = {
  readonly document?: string;
  readonly names: ReadonlySet<string>;
  /** Of these, those that two fields have. */
  readonly twice: ReadonlySet<string>;
  /** Of these, the fields whose values are never sent. */
  readonly shownOnly: ReadonlySet<string>;
  /** Object that the first values come from. */
  readonly initial?: PathTarget;
};

/** The form that some fields make, shown from a document or from children of their own. */
export function formOf(fields: readonly FieldNode[], document?: string): FormScope {
  const names = fields.map(field => field.propertyName);
  return {
    names: new Set(names),
    twice: new Set(names.filter((name, index) => names.indexOf(name) < index)),
    shownOnly: new Set(fields.filter(isShownOnly).map(field => field.propertyName)),
    ...(document !== undefined && { document }),
  };
}

/** Names that reach into objects: nothing in a document may be called so. */
export const dangerousNames: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

export const envelopeFields = new Set(['Succeed', 'Error', 'Errors', 'Messages']);
export const formFacts = new Set(['$changed', '$failures']);
export const principalFacts = new Set([
  'type',
  'name',
  'email',
  'userId',
  'organisationId',
  'organisationName',
  'currency',
  'locale',
  'actor',
]);

function below(target: PathTarget, rest: string): PathTarget {
  if (target.in === 'page') return target;
  return { ...target, path: target.path === '' ? rest : rest === '' ? target.path : `${target.path}.${rest}` };
}

/** Follows a path; a string says what is wrong with it, `candidates` what may have been meant. */
export function resolvePath(
  path: string,
  scope: Scope,
): PathTarget | { readonly wrong: string; readonly candidates: Iterable<string>; readonly found: string } {
  const [head, ...parts] = path.split('.') as [string, ...string[]];
  const first = parts[0] ?? '';
  const wrong = (message: string, candidates: Iterable<string> = [], found = first) => ({
    wrong: message,
    candidates,
    found,
  });
  switch (head) {
    case 'data': {
      const operation = scope.sources.get(first);
      if (operation === undefined) return wrong(`Data source "${first}" not found.`, scope.sources.keys());
      if (parts.length < 2) return wrong(`"${path}" reads a whole reply; name a field of it.`);
      return { in: 'operation', operation, path: parts.slice(1).join('.'), source: first };
    }
    case 'row':
      return scope.row ? below(scope.row, parts.join('.')) : wrong(`"${path}" stands outside a list.`);
    case 'reply':
      if (!scope.reply) return wrong(`"${path}" stands before any call.`);
      if (parts.length === 1 && !envelopeFields.has(first))
        return wrong(`"${path}" is not a field of a reply.`, envelopeFields);
      return below(scope.reply, parts.join('.'));
    case 'form':
      if (!scope.form) return wrong(`"${path}" stands outside a form.`);
      return scope.form.names.has(first) || formFacts.has(first)
        ? { in: 'page' }
        : wrong(`Field "${first}" not found in this form.`, scope.form.names);
    case 'state':
      return scope.states.has(first)
        ? { in: 'page', state: first }
        : wrong(`State "${first}" is not declared.`, scope.states);
    case 'popup':
      if (!scope.popup) return wrong(`"${path}" stands outside a popup.`);
      return scope.popup.has(first)
        ? { in: 'page' }
        : wrong(`Parameter "${first}" is not declared by this popup.`, scope.popup);
    case 'principal':
      return principalFacts.has(first) ? { in: 'page' } : wrong(`The caller has no fact "${first}".`, principalFacts);
    default:
      return { in: 'page' };
  }
}

/** The names of requirements in access.json, and the requirements that documents and commands write with them. */
export type RequirementNames = {
  /** What each name means, with the names in it resolved. */
  readonly meanings: ReadonlyMap<string, Requirement>;
  /** Names that ask for themselves; nobody meets them. */
  readonly circular: ReadonlySet<string>;
  /** Names that something uses. */
  readonly used: ReadonlySet<string>;
  /** Every requirement that was resolved. */
  readonly resolved: readonly Requirement[];
  /**
   * Puts what a name means in place of each name. A name that access.json does not have stays as it is: nobody meets it.
   * Each place gets an object of its own, since requirements are told apart by identity.
   */
  resolve(written: WrittenRequirement): Requirement;
  /** The name that stood where this requirement was resolved. */
  nameOf(requirement: Requirement): string | undefined;
};

/** A command with the names in its requirement resolved. */
export type ResolvedCommand = Omit<CommandDeclaration, 'requires'> & { readonly requires?: Requirement };

/** What documents may name, gathered from all of them before any is compiled. */
export type Names = {
  readonly operations: ReadonlyMap<string, Operation>;
  readonly commands: ReadonlyMap<string, ResolvedCommand>;
  readonly forms: ReadonlyMap<string, readonly string[]>;
  readonly popups: ReadonlyMap<string, readonly string[]>;
  readonly catalogues: ReadonlySet<string>;
  readonly patterns: readonly string[];
  readonly views: ReadonlySet<string>;
  readonly permissions: ReadonlySet<string>;
  readonly features: ReadonlySet<string>;
  readonly requirements: RequirementNames;
  /** Text key → names that it interpolates. */
  readonly texts: ReadonlyMap<string, ReadonlySet<string>>;
};
