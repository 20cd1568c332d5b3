import type { FieldNode } from '../../../shared/language/types.ts';
import type { Principal } from '../../access/principal.ts';
import type { Access, Capability } from '../access-types.ts';
import type { Compiled, TrimPass, Use } from '../pass.ts';
import { createProjection, type Projection, type ReadPath } from '../project/project.ts';
import { createTextProjection } from '../project/project-text.ts';

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
  for (const use of uses) {
    if ((use.kind === 'source' || use.kind === 'file' || use.kind === 'write') && !calls[use.kind].has(use.operation))
      calls[use.kind].set(use.operation, operationCapability(compiled, principal, use.operation, filled, pass));
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
  filled: Filled,
  pass: TrimPass,
): Capability {
  const operation = compiled.names.operations.get(name);
  const own = new Map<string, string>();
  for (const [parameter, rule] of Object.entries(operation?.own ?? {})) {
    if (rule.userTypes.includes(principal.type)) own.set(parameter, rule.is.slice('principal.'.length));
  }
  const refused = new Map<string, ReadonlySet<string>>();
  for (const [parameter, rule] of Object.entries(operation?.with ?? {})) {
    if (rule.names === undefined) continue;
    const prefix = `${rule.names}.`;
    const restricted = Object.keys(operation?.reply ?? {}).filter(path => path.startsWith(prefix));
    const listed = (rule.enum ?? []).map(value => prefix + String(value).replace(/^-/, ''));
    const names = [...restricted, ...listed].filter(path => !pass.mayRead(name, path));
    refused.set(parameter, new Set(names.map(path => path.slice(prefix.length))));
  }
  const parameters = new Set(Object.keys(operation?.with ?? {}).filter(parameter => !own.has(parameter)));
  return { parameters, refused, own, ...bodyFields(compiled, operation?.body, filled, pass) };
}

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

/** What passes of each reply, from the paths that kept nodes read. */
export function createProjections(
  compiled: Compiled,
  uses: readonly Use[],
): Pick<Access, 'project' | 'projectText' | 'projectCommand'> {
  const paths = new Map<string, ReadPath[]>();
  const commands = new Map<string, Projection>();
  for (const use of uses) {
    if (use.kind === 'read') {
      const read = { path: use.path, html: use.html === true };
      const known = paths.get(use.operation);
      if (known) known.push(read);
      else paths.set(use.operation, [read]);
    }
    if ((use.kind === 'write' || use.kind === 'source') && !paths.has(use.operation)) paths.set(use.operation, []);
    if (use.kind === 'command' && !commands.has(use.command)) {
      const fields = compiled.names.commands.get(use.command)?.reply ?? [];
      commands.set(
        use.command,
        createProjection(fields.map(field => ({ path: `Result.${field}`, html: false, whole: true }))),
      );
    }
  }
  // Made when first asked for: most callers read few of the operations that they may.
  const operation = once(name => onPaths(paths.get(name), createProjection));
  const text = once(name => onPaths(paths.get(name), createTextProjection));
  return {
    project: (name, reply) => operation(name)?.(reply),
    projectText: (name, reply) => text(name)?.(reply),
    projectCommand: (command, reply) => commands.get(command)?.(reply),
  };
}

const onPaths = <T>(paths: readonly ReadPath[] | undefined, make: (paths: readonly ReadPath[]) => T): T | undefined =>
  paths && make(paths);

/** Remembers what was made for each name; callers ask only for operations that they have. */
function once<T>(make: (name: string) => T | undefined): (name: string) => T | undefined {
  const made = new Map<string, T | undefined>();
  return name => {
    if (!made.has(name)) made.set(name, make(name));
    return made.get(name);
  };
}
