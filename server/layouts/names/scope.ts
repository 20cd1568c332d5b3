import {
  formFacts as formFactWords,
  pathRoots,
  principalFacts as principalFactWords,
} from '../../../shared/language/path-roots.ts';
import type { FieldNode, Operation, Requirement, Scalar, WrittenRequirement } from '../../../shared/language/types.ts';
import { isShownOnly } from '../../../shared/rules/validation.ts';
import type { CommandDeclaration } from './command-declaration.ts';
import { type Contract, type Field, fieldOf, followNames, namesAt } from './contract.ts';

/**
 * Where a path leads: a field of an operation's reply, of a command's reply, or something on the page. `field` is what the
 * contract says of it; absent where the operation or command is not known.
 */
export type PathTarget =
  | {
      readonly in: 'operation';
      readonly operation: string;
      readonly path: string;
      readonly source?: string;
      readonly field?: Field;
    }
  | { readonly in: 'command'; readonly command: string; readonly path: string; readonly field?: Field }
  /** `rows` are the fields of what is there, where it is a list of answers. */
  | { readonly in: 'page'; readonly state?: string; readonly rows?: ReadonlySet<string> };

export type JoinsByList = ReadonlyMap<string, ReadonlyMap<string, PathTarget>>;

/** The names that paths at one place of a document may use; `Scope` in `shared/rules/path.ts` holds their values. */
export type NamesInScope = {
  /** Data source name → the reply of its operation. */
  readonly sources: ReadonlyMap<string, PathTarget>;
  readonly states: ReadonlySet<string>;
  /** Names that the address may hold. */
  readonly routes: ReadonlySet<string>;
  /** Parameters of a popup; absent outside popups. */
  readonly popup?: ReadonlySet<string>;
  /** The list that `row` is an item of. */
  readonly row?: PathTarget;
  /** By the list (`keyOfList`), what other data sources join to its rows: name → the list that the item is one of. */
  readonly joined?: JoinsByList;
  readonly form?: FormScope;
  readonly reply?: PathTarget;
  /** The journey that this stands in. */
  readonly journey?: JourneyNames;
};

/** A field that stands alone, or a list of rows by the names of their fields. */
export type Answer = { readonly field?: FieldNode; readonly rows?: ReadonlySet<string> };

/** What the paths of a journey may name of one of its steps. */
type StepNames = {
  readonly answers: ReadonlyMap<string, Answer>;
  /** What is prepared by the time it is shown, for the journey and for the steps up to it. */
  readonly prepared: ReadonlyMap<string, PathTarget>;
  /** What is asked each time it is shown. */
  readonly quoted: ReadonlyMap<string, PathTarget>;
};

/** What the paths of a journey may name besides what others name. */
export type JourneyNames = {
  /** Parameters that whoever places it may give. */
  readonly declared: readonly string[];
  /** Those that its paths may read: the reference of what it placed is one. */
  readonly parameters: ReadonlySet<string>;
  /** What is asked before every step: name → the reply. */
  readonly prepared: ReadonlyMap<string, PathTarget>;
  readonly steps: ReadonlyMap<string, StepNames>;
  /** Steps whose answers are not there yet at a place: the step itself, and those behind it. */
  readonly later?: ReadonlySet<string>;
  /** What placing it brings back. */
  readonly placed: PathTarget;
};

export type FormScope = {
  readonly document?: string;
  readonly names: ReadonlySet<string>;
  readonly fields: ReadonlyMap<string, FieldNode>;
  /** Of these, those that two fields have. */
  readonly twice: ReadonlySet<string>;
  /** Of these, the fields whose values are never sent. */
  readonly shownOnly: ReadonlySet<string>;
  /** Object that the first values come from. */
  readonly initial?: PathTarget;
};

/**
 * Makes the scope of a form from its fields, for paths that read `form.…`; `document` is the form document, if it is
 * one.
 */
export function formOf(fields: readonly FieldNode[], document?: string): FormScope {
  const names = fields.map(field => field.propertyName);
  return {
    names: new Set(names),
    fields: new Map(fields.map(field => [field.propertyName, field])),
    twice: new Set(names.filter((name, index) => names.indexOf(name) < index)),
    shownOnly: new Set(fields.filter(isShownOnly).map(field => field.propertyName)),
    ...(document !== undefined && { document }),
  };
}

const pathRootNames = Object.keys(pathRoots);
export const formFacts: ReadonlySet<string> = new Set(Object.keys(formFactWords));
export const principalFacts: ReadonlySet<string> = new Set(Object.keys(principalFactWords));

/**
 * Gives what a path reads that leads to an operation's whole reply; `source` is the name of the data source, if it is
 * one's.
 */
export function replyOfOperation(
  operation: string,
  { contracts }: Pick<Names, 'contracts'>,
  source?: string,
): PathTarget {
  const contract = contracts.get(operation);
  return {
    ...{ in: 'operation', operation, path: '' },
    ...(source !== undefined && { source }),
    ...(contract && { field: fieldOf(contract) }),
  };
}

/** Gives what a path reads that leads to a command's whole reply. */
export function replyOfCommand(command: string, { commandContracts }: Pick<Names, 'commandContracts'>): PathTarget {
  const contract = commandContracts.get(command);
  return { in: 'command', command, path: '', ...(contract && { field: fieldOf(contract) }) };
}

/** What is wrong with a path: `candidates` are what may have been meant by `found`, `undeclared` the reply that lacks it. */
export type WrongPath = {
  readonly wrong: string;
  readonly candidates: Iterable<string>;
  readonly found: string;
  readonly undeclared?: PathTarget;
};

/** Follows field names below what a path reads; gives a WrongPath for a field that is not declared. */
export function below(target: PathTarget, names: readonly string[]): PathTarget | WrongPath {
  if (target.in === 'page') return target;
  const path = [target.path, ...names].filter(part => part !== '').join('.');
  if (!target.field) return { ...target, path };
  const field = followNames(target.field, names);
  const owner = target.in === 'operation' ? `"${target.operation}"` : `the command "${target.command}"`;
  const list = listOnTheWay(target.field, names);
  if (list !== undefined) {
    // Documents leave out "Result": what is told is what they write.
    const isWhole = list === 0 && target.path === '' && names[0] === 'Result';
    const what = isWhole
      ? `The reply of ${owner} is a list: "${names[1]}" of one item is not known here.`
      : `"${names[list]}" is a list: nothing of one item is known here.`;
    return { wrong: `${what} Read it as row.… in a node with "rows".`, candidates: [], found: path };
  }
  if (typeof field !== 'number') return { ...target, path, field };
  const known = followNames(target.field, names.slice(0, field)) as Field;
  const above = [target.path, ...names.slice(0, field)].filter(part => part !== '').join('.');
  const found = names[field] as string;
  return {
    wrong: `The reply of ${owner} has no "${found}"${above === '' ? '' : ` in "${above}"`}.`,
    candidates: namesAt(known),
    found,
    undeclared: target,
  };
}

/** Gives the key of a list of a data source; undefined for a list of anything else. */
export const keyOfList = (list: PathTarget | WrongPath | undefined): string | undefined =>
  list && 'in' in list && list.in === 'operation' && list.source !== undefined
    ? `${list.source} ${list.path}`
    : undefined;

/** Gives what is joined to the rows here under a name: a list that one item of belongs to the row. */
export const joinedTo = ({ row, joined }: NamesInScope, name: string): PathTarget | undefined =>
  joined?.get(keyOfList(row) ?? '')?.get(name);

/** Finds which name is the first that leads to a list though others follow it; a path may begin with the list of a row. */
function listOnTheWay(start: Field, names: readonly string[]): number | undefined {
  const found = names.slice(0, -1).findIndex((_, index) => {
    const field = followNames(start, names.slice(0, index + 1));
    return typeof field !== 'number' && field.contract.type === 'list';
  });
  return found < 0 ? undefined : found;
}

/** Resolves a path (`data.…`, `route.…`, `form.…`) to what it reads; gives a WrongPath when it leads nowhere. */
export function resolvePath(path: string, scope: NamesInScope): PathTarget | WrongPath {
  const [head, ...parts] = path.split('.') as [string, ...string[]];
  const first = parts[0] ?? '';
  const wrong = (message: string, candidates: Iterable<string> = [], found = first) => ({
    wrong: message,
    candidates,
    found,
  });
  switch (head) {
    case 'data': {
      const source = scope.sources.get(first);
      if (source === undefined) return wrong(`Data source "${first}" not found.`, scope.sources.keys());
      if (parts.length < 2) return wrong(`"${path}" reads a whole reply; name a field of it.`);
      return below(source, parts.slice(1));
    }
    case 'row': {
      const item = joinedTo(scope, first);
      if (item)
        return parts.length > 1
          ? below(item, parts.slice(1))
          : wrong(`"${path}" is all that is joined; name a field of it.`);
      if (scope.row?.in === 'page' && scope.row.rows?.has(first) === false)
        return wrong(`The rows have no "${first}".`, scope.row.rows);
      return scope.row ? below(scope.row, parts) : wrong(`"${path}" stands outside a list.`);
    }
    case 'reply':
      return scope.reply ? below(scope.reply, parts) : wrong(`"${path}" stands before any call.`);
    case 'form':
      if (!scope.form) return wrong(`"${path}" stands outside a form.`);
      return scope.form.names.has(first) || formFacts.has(first)
        ? { in: 'page' }
        : wrong(`Field "${first}" not found in this form.`, scope.form.names);
    case 'state':
      return scope.states.has(first)
        ? { in: 'page', state: first }
        : wrong(`State "${first}" is not declared.`, scope.states);
    case 'journey':
      if (!scope.journey) return wrong(`"${path}" stands outside a journey.`);
      return scope.journey.parameters.has(first)
        ? { in: 'page' }
        : wrong(`This journey has no parameter "${first}".`, scope.journey.parameters);
    case 'answers': {
      if (!scope.journey) return wrong(`"${path}" stands outside a journey.`);
      if (scope.journey.later?.has(first))
        return wrong(`The step "${first}" is not answered yet here: read what a step before asks.`);
      const step = scope.journey.steps.get(first);
      if (!step) return wrong(`This journey has no step "${first}".`, scope.journey.steps.keys());
      const field = parts[1] ?? '';
      const rows = step.answers.get(field)?.rows;
      if (parts.length < 2 || step.answers.has(field)) return { in: 'page', ...(rows && { rows }) };
      return wrong(`The step "${first}" asks no "${field}".`, step.answers.keys(), field);
    }
    case 'popup':
      if (!scope.popup) return wrong(`"${path}" stands outside a popup.`);
      return scope.popup.has(first)
        ? { in: 'page' }
        : wrong(`Parameter "${first}" is not declared by this popup.`, scope.popup);
    case 'principal':
      return principalFacts.has(first) ? { in: 'page' } : wrong(`The caller has no fact "${first}".`, principalFacts);
    case 'route':
      if (scope.routes.has(first) && parts.length > 1)
        return wrong(`"route.${first}" is a text of the address: nothing stands below it.`, [], path);
      return scope.routes.has(first)
        ? { in: 'page' }
        : wrong(
            `Nothing puts "${first}" into the address: it is no parameter of the route, no place of a node, and not in "query" of the screen.`,
            scope.routes,
          );
    default:
      return wrong(`"${path}" begins with no place where values are.`, pathRootNames, head);
  }
}

/** The requirements that documents ask for. */
export type AskedRequirements = {
  /** Names that something uses. */
  readonly used: Set<string>;
  readonly all: Requirement[];
};

/**
 * Puts what a name means in place of each name. A name that access.json does not have stays as it is: nobody meets it.
 * Each place gets an object of its own, since requirements are told apart by identity.
 */
export type ResolveRequirement = (written: WrittenRequirement) => Requirement;

/** The names of requirements in access.json. */
export type RequirementNames = {
  /** What each name means, with the names in it resolved. */
  readonly meanings: ReadonlyMap<string, Requirement>;
  /** Names that ask for themselves; nobody meets them. */
  readonly circular: ReadonlySet<string>;
  /** Resolves requirements, and adds each to `asked`. */
  resolver(asked: AskedRequirements): ResolveRequirement;
  /** The name that stood where this requirement was resolved. */
  nameOf(requirement: Requirement): string | undefined;
};

/** A command with the names in its requirement resolved. */
export type ResolvedCommand = Omit<CommandDeclaration, 'requires'> & { readonly requires?: Requirement };

/** The fields of a form document, by name. */
export type FormFields = {
  readonly file: string;
  readonly names: readonly string[];
  /** Those that must have a value, whoever sends the form and whatever else it holds. */
  readonly needed: readonly string[];
  /** Those that are files. */
  readonly uploads: readonly string[];
};

/** Events by who has to do with them; the language has those of the server and of the page. */
export type EventNames = {
  /** Events that something publishes. */
  readonly published: ReadonlySet<string>;
  /** Events that something listens to. */
  readonly heard: ReadonlySet<string>;
};

/** What documents may name, gathered from all of them before any is compiled. */
export type Names = {
  readonly operations: ReadonlyMap<string, Operation>;
  /** Forms that an operation takes as its body. */
  readonly bodies: ReadonlySet<string>;
  readonly commands: ReadonlyMap<string, ResolvedCommand>;
  /** The envelope of each operation's reply, with what the operation declares as its Result. */
  readonly contracts: ReadonlyMap<string, Contract>;
  readonly commandContracts: ReadonlyMap<string, Contract>;
  /** Operation → file of its declaration. */
  readonly operationFiles: ReadonlyMap<string, string>;
  readonly forms: ReadonlyMap<string, FormFields>;
  readonly popups: ReadonlyMap<string, readonly string[]>;
  /** Part → its parameters. */
  readonly parts: ReadonlyMap<string, readonly string[]>;
  /** Journeys by their ids, with what their paths may name. */
  readonly journeys: ReadonlyMap<string, JourneyNames>;
  /** Catalogue → its file and the values of its entries. */
  readonly catalogues: ReadonlyMap<string, { readonly file: string; readonly values: readonly Scalar[] }>;
  readonly patterns: readonly string[];
  /** File of a screen → the names that its address may hold, and those of its variants. */
  readonly routeNames: ReadonlyMap<string, ReadonlySet<string>>;
  /** Route pattern → file of its screen. */
  readonly screenFiles: ReadonlyMap<string, string>;
  /** The names that the address of any screen may hold. */
  readonly anyRouteName: ReadonlySet<string>;
  readonly views: ReadonlySet<string>;
  readonly permissions: ReadonlySet<string>;
  readonly features: ReadonlySet<string>;
  readonly requirements: RequirementNames;
  readonly events: EventNames;
  /** Text key → names that it interpolates. */
  readonly texts: ReadonlyMap<string, ReadonlySet<string>>;
};
