import type { FieldNode } from '../../../shared/language/types.ts';
import type { Principal } from '../../access/principal.ts';
import { type Contract, fieldBelow, fieldOf, followNames, namesAt, requirementsOf } from '../names/contract.ts';
import type { Compiled, TrimPass, Use } from '../names/pass.ts';
import { narrowTo, permit } from '../project/narrow.ts';
import { createProjection } from '../project/project.ts';
import type { Access, Capability } from './access-types.ts';

type Capabilities = Pick<Access, 'reads' | 'files' | 'writes' | 'commands'>;

/**
 * Derives the operations and commands that a principal may call, with their parameters and body fields, from what the
 * kept nodes use. `pass` tells which fields of replies and bodies the principal may have.
 */
export function createCapabilities(
  compiled: Compiled,
  principal: Principal,
  uses: readonly Use[],
  pass: TrimPass,
): Capabilities {
  const calls = {
    source: new Map<string, Capability>(),
    file: new Map<string, Capability>(),
    write: new Map<string, Capability>(),
  };
  const commands = new Map<string, Capability>();
  const filled = fieldsByForm(uses);
  const ordered = pathsOf(uses, ['read', 'order']);
  for (const use of uses) {
    if ((use.kind === 'source' || use.kind === 'file' || use.kind === 'write') && !calls[use.kind].has(use.operation))
      calls[use.kind].set(
        use.operation,
        operationCapability(compiled, principal, use.operation, { filled, ordered, pass }),
      );
    if (use.kind === 'command' && !commands.has(use.command)) {
      const command = compiled.names.commands.get(use.command);
      commands.set(use.command, {
        parameters: new Set(command?.parameters),
        refused: new Map(),
        own: new Map(),
        ...bodyFields(compiled, command?.body, filled, pass),
      });
    }
  }
  return { reads: calls.source, files: calls.file, writes: calls.write, commands };
}

function operationCapability(
  compiled: Compiled,
  principal: Principal,
  name: string,
  { filled, ordered, pass }: { readonly filled: Filled; readonly ordered: Paths; readonly pass: TrimPass },
): Capability {
  const operation = compiled.names.operations.get(name);
  const own = new Map<string, string>();
  for (const [parameter, rule] of Object.entries(operation?.own ?? {})) {
    if (rule.userTypes.includes(principal.type)) own.set(parameter, rule.is.slice('principal.'.length));
  }
  const refused = new Map<string, ReadonlySet<string>>();
  for (const [parameter, rule] of Object.entries(operation?.with ?? {})) {
    const contract = compiled.names.contracts.get(name);
    if (rule.names === undefined || !contract) continue;
    const list = followNames(fieldOf(contract), rule.names.split('.'));
    const names =
      typeof list === 'number'
        ? []
        : namesAt(list).filter(field => {
            // The order of a list tells of a field as much as the field does.
            const found = hasPath(ordered, name, `${rule.names}.${field}`) && fieldBelow(list, field);
            return !found || !requirementsOf(found).every(pass.meets);
          });
    refused.set(parameter, new Set(names));
  }
  const parameters = new Set(Object.keys(operation?.with ?? {}).filter(parameter => !own.has(parameter)));
  return { parameters, refused, own, ...bodyFields(compiled, operation?.body, filled, pass) };
}

/** By operation that kept nodes call, paths of its reply. */
type Paths = ReadonlyMap<string, ReadonlySet<string>>;

/** The paths that uses of some kinds name; an operation that is called without reading has none. */
function pathsOf(uses: readonly Use[], kinds: readonly ('read' | 'order')[]): Paths {
  const paths = new Map<string, Set<string>>();
  for (const use of uses) {
    if (!('operation' in use) || use.kind === 'file') continue;
    const known = paths.get(use.operation) ?? new Set();
    paths.set(use.operation, known);
    if ((use.kind === 'read' || use.kind === 'order') && kinds.includes(use.kind)) known.add(use.path);
  }
  return paths;
}

/** True when the field at this path is among the paths, or something below it. */
const hasPath = (paths: Paths, operation: string, field: string): boolean =>
  [...(paths.get(operation) ?? [])].some(path => path === field || path.startsWith(`${field}.`));

/** By form, the fields that some kept form shows or some kept call fills. */
type Filled = ReadonlyMap<string, ReadonlySet<string>>;

function fieldsByForm(uses: readonly Use[]): Filled {
  const filled = new Map<string, Set<string>>();
  for (const use of uses) {
    if (use.kind !== 'field') continue;
    const names = filled.get(use.form);
    if (names) names.add(use.name);
    else filled.set(use.form, new Set([use.name]));
  }
  return filled;
}

/** Of the form that is taken, the fields that are filled somewhere. */
function bodyFields(
  compiled: Compiled,
  form: string | undefined,
  filled: Filled,
  pass: TrimPass,
): { fields?: FieldNode[] } {
  if (form === undefined) return {};
  const kept = filled.get(form);
  const fields = kept ? (compiled.forms.get(form)?.(pass) ?? []) : [];
  return { fields: fields.filter(field => kept?.has(field.propertyName)) };
}

/** Makes the functions that cut each operation's and command's reply to the fields that the kept nodes read. */
export function createProjections(
  compiled: Compiled,
  uses: readonly Use[],
  pass: TrimPass,
): Pick<Access, 'project' | 'projectCommand' | 'fieldsOf' | 'replyOf'> {
  const paths = pathsOf(uses, ['read']);
  const commands = new Set(uses.flatMap(use => (use.kind === 'command' ? [use.command] : [])));
  // Made when first asked for: most callers read few of the operations that they may.
  const narrowed = (name: string) => {
    const read = paths.get(name);
    return read && resultOf(compiled.names.contracts.get(name), read);
  };
  const operation = once(name => (paths.has(name) ? createProjection(narrowed(name)) : undefined));
  const command = once(name => {
    const contract = commands.has(name) ? compiled.names.commandContracts.get(name) : undefined;
    const permitted = contract && permit(contract, pass.meets);
    return permitted && createProjection(permitted.type === 'record' ? permitted.fields.get('Result') : undefined);
  });
  return {
    project: (name, reply, onBreach) => operation(name)?.(reply, onBreach),
    projectCommand: (name, reply, onBreach) => command(name)?.(reply, onBreach),
    fieldsOf: name => leavesOf(narrowed(name)),
    replyOf: narrowed,
  };
}

/** What is read of the Result of a reply. */
function resultOf(envelope: Contract | undefined, paths: ReadonlySet<string>): Contract | undefined {
  const read =
    envelope &&
    narrowTo(
      envelope,
      [...paths].map(path => path.split('.')),
    );
  return read?.type === 'record' ? read.fields.get('Result') : undefined;
}

/** Paths of the single values in a contract, through lists to their items. */
function leavesOf(contract: Contract | undefined, at = ''): string[] {
  if (contract === undefined) return [];
  if (contract.type === 'list' || contract.type === 'map') return leavesOf(contract.item, at);
  if (contract.type !== 'record') return at === '' ? [] : [at];
  return [...contract.fields].flatMap(([name, field]) => leavesOf(field, at === '' ? name : `${at}.${name}`));
}

/** Remembers what was made for each name; callers ask only for operations that they have. */
function once<T>(make: (name: string) => T | undefined): (name: string) => T | undefined {
  const made = new Map<string, T | undefined>();
  return name => {
    if (!made.has(name)) made.set(name, make(name));
    return made.get(name);
  };
}
