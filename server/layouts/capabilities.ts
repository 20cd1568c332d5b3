import type { FieldNode } from '../../shared/language/types.ts';
import type { Principal } from '../access/principal.ts';
import type { Compiled } from './compile.ts';
import type { Access, Capability } from './layouts.ts';
import { createProjection, type Projection, type ReadPath } from './project.ts';
import { createTextProjection, type TextProjection } from './project-text.ts';
import type { Trim, Use } from './trim.ts';

type Capabilities = Pick<Access, 'reads' | 'writes' | 'commands'>;

/** What a caller may run, from what its kept nodes use. */
export function createCapabilities(
  compiled: Compiled,
  principal: Principal,
  uses: readonly Use[],
  pass: Trim,
): Capabilities {
  const reads = new Map<string, Capability>();
  const writes = new Map<string, Capability>();
  const commands = new Map<string, Capability>();
  for (const use of uses) {
    if (use.kind === 'source' && !reads.has(use.operation))
      reads.set(use.operation, operationCapability(compiled, principal, use.operation, uses, pass));
    if (use.kind === 'write' && !writes.has(use.operation))
      writes.set(use.operation, operationCapability(compiled, principal, use.operation, uses, pass));
    if (use.kind === 'command' && !commands.has(use.command)) {
      const command = compiled.names.commands.get(use.command);
      commands.set(use.command, {
        parameters: new Set(command?.parameters),
        refused: new Map(),
        own: new Map(),
        ...bodyFields(compiled, command?.body, uses, pass),
      });
    }
  }
  return { reads, writes, commands };
}

function operationCapability(
  compiled: Compiled,
  principal: Principal,
  name: string,
  uses: readonly Use[],
  pass: Trim,
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
  return { parameters, refused, own, ...bodyFields(compiled, operation?.body, uses, pass) };
}

/** Of the form that is taken, the fields that some kept form shows or some kept call fills. */
function bodyFields(
  compiled: Compiled,
  form: string | undefined,
  uses: readonly Use[],
  pass: Trim,
): { fields?: FieldNode[] } {
  if (form === undefined) return {};
  const kept = new Set(uses.flatMap(use => (use.kind === 'field' && use.form === form ? [use.name] : [])));
  const fields = compiled.forms.get(form)?.(pass) ?? [];
  return { fields: fields.filter(field => kept.has(field.propertyName)) };
}

/** What passes of each reply, from the paths that kept nodes read. */
export function createProjections(
  compiled: Compiled,
  uses: readonly Use[],
): Pick<Access, 'project' | 'projectText' | 'projectCommand'> {
  const paths = new Map<string, { path: string; html: boolean }[]>();
  const commands = new Map<string, Projection>();
  for (const use of uses) {
    if (use.kind === 'read')
      paths.set(use.operation, [...(paths.get(use.operation) ?? []), { path: use.path, html: use.html === true }]);
    if ((use.kind === 'write' || use.kind === 'source') && !paths.has(use.operation)) paths.set(use.operation, []);
    if (use.kind === 'command') {
      const fields = compiled.names.commands.get(use.command)?.reply ?? [];
      commands.set(
        use.command,
        createProjection(fields.map(field => ({ path: `Result.${field}`, html: false, whole: true }))),
      );
    }
  }
  const operations = new Map([...paths].map(([operation, list]) => [operation, createProjection(list)]));
  const texts = new Map<string, TextProjection | undefined>();
  return {
    project: (operation, reply) => operations.get(operation)?.(reply),
    projectText(operation, text) {
      // Made when first asked for: most callers read few of the operations that they may.
      if (!texts.has(operation)) texts.set(operation, textProjection(paths.get(operation)));
      return texts.get(operation)?.(text);
    },
    projectCommand: (command, reply) => commands.get(command)?.(reply),
  };
}

const textProjection = (paths: readonly ReadPath[] | undefined): TextProjection | undefined =>
  paths && createTextProjection(paths);
