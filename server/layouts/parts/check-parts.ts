import { documentSchemas } from '../../../shared/language/documents.ts';
import type { ParameterKind } from '../../../shared/language/part.ts';
import * as primitives from '../../../shared/language/primitives.ts';
import { isObject } from '../names/json.ts';
import type { PartUse } from '../names/part-use.ts';
import { listOf, type Problem, suggest } from '../names/problem.ts';
import { itemSchema, type Schema, schemaOf } from '../names/schema.ts';
import type { LongDocument, Pointer } from '../names/source.ts';
import { type Parameter, type Part, placeholdersIn, usesOf } from './part.ts';

const patterns = {
  path: new RegExp(primitives.path.pattern),
  text: new RegExp(primitives.text.pattern),
  name: new RegExp(primitives.name.pattern),
};

/** What a value of each kind looks like, after "must be". */
const examples: Readonly<Record<ParameterKind, string>> = {
  path: 'a path such as "route.page"',
  value: 'a path such as "route.page", a number, true, false, or { "value": … }',
  text: 'the key of a text',
  name: 'a word, or a name such as "customers.list"',
  nodes: 'a list',
  columns: 'a list',
  list: 'a list',
};

const fits: Readonly<Record<ParameterKind, (value: unknown) => boolean>> = {
  path: value => typeof value === 'string' && (patterns.path.test(value) || value === 'row'),
  value: value =>
    fits.path(value) ||
    ['number', 'boolean'].includes(typeof value) ||
    (isObject(value) && ('value' in value || 'path' in value)),
  text: value => typeof value === 'string' && patterns.text.test(value),
  name: value => typeof value === 'string' && patterns.name.test(value),
  nodes: value => Array.isArray(value),
  columns: value => Array.isArray(value),
  list: value => Array.isArray(value),
};

/** A text of a part as it looks once something is given. */
const sample = (text: string): string => text.replace(/^part\.\w+(?=\.)/, 'row').replace(/\{part\.[^{}]*\}/g, 'x');

/**
 * What is wrong with what a use gives for a parameter, after its name.
 * @param around the parameters of the part that the use stands in
 */
function wrongInValue(
  { kind, isOptional }: Parameter,
  value: unknown,
  around: Part['parameters'] | undefined,
): string | undefined {
  const [first] = typeof value === 'string' && around ? placeholdersIn(value) : [];
  if (first?.as === 'alone') {
    const outer = around?.get(first.name);
    if (!outer) return undefined;
    if (outer.isOptional && !isOptional) return `is needed, and "${first.name}" may be left out`;
    const isSame = outer.kind === kind || (outer.kind === 'path' && kind === 'value');
    return isSame ? undefined : `must be ${examples[kind]}, and "${first.name}" is a ${outer.kind}`;
  }
  const written = first && typeof value === 'string' ? sample(value) : value;
  return fits[kind](written) ? undefined : `must be ${examples[kind]}`;
}

/** What a check of uses must know of the parts of a folder. */
export type PartNames = {
  readonly parts: ReadonlyMap<string, Part>;
  /** Ids of parts whose shape is wrong, which is told already. */
  readonly broken: ReadonlySet<string>;
  /** How the use of one part in another leads back to itself; undefined where it does not. */
  readonly ringOf: (part: string, inside: string) => string | undefined;
};

/**
 * Checks every use of a part in a document (its parameters exist and fit), and in a part how it uses its parameters.
 */
export function checkParts(source: LongDocument, names: PartNames): Problem[] {
  const own = source.kind === 'part' ? names.parts.get(String(source.json.id)) : undefined;
  const uses = usesOf(source).flatMap(({ use, at }) => checkUse(source, use, at, names, own));
  return own ? [...checkDeclared(own), ...uses] : uses;
}

/** A part stands where its nodes or entries may stand. */
function wrongList({ kind, json }: LongDocument, at: Pointer, { id, body }: Part): string | undefined {
  let schema: Schema = documentSchemas[kind] as Schema;
  let value: unknown = json;
  for (const step of at.slice(0, -1)) {
    const own = schemaOf(schema, value);
    schema = Array.isArray(value)
      ? itemSchema(own, value[Number(step)])
      : (own.properties?.[step] ?? (typeof own.additionalProperties === 'object' ? own.additionalProperties : {}));
    value = (value as Record<string | number, unknown>)[step];
  }
  const list = `"${String(at.findLast(step => typeof step === 'string'))}"`;
  if (body === 'children' && (schema.title === 'Units' || schema.title === 'Entries'))
    return `The part "${id}" has nodes, and in ${list} stand none.`;
  if (body === 'entries' && schema.title === 'Nodes')
    return `The part "${id}" has entries of a menu, and in ${list} stand nodes.`;
  return undefined;
}

function checkUse(source: LongDocument, use: PartUse, at: Pointer, names: PartNames, own: Part | undefined): Problem[] {
  const { parts, broken, ringOf } = names;
  if (broken.has(use.part)) return [];
  const part = parts.get(use.part);
  if (!part)
    return [source.problem([...at, 'part'], `Part "${use.part}" not found.${suggest(use.part, parts.keys())}`)];
  const involved = { alsoIn: [part.source.file] };
  const report = (place: Pointer, message: string) => ({ ...source.problem(place, message), ...involved });
  const ring = own && ringOf(part.id, own.id);
  if (ring) return [report([...at, 'part'], `The part "${own.id}" contains itself: ${ring}.`)];
  const misplaced = wrongList(source, at, part);
  if (misplaced !== undefined) return [report([...at, 'part'], misplaced)];
  const given = use.with ?? {};
  const missing = [...part.parameters].flatMap(([name, { isOptional }]) =>
    isOptional || Object.hasOwn(given, name) ? [] : [name],
  );
  return [
    ...(missing.length > 0 ? [report(at, `The part "${part.id}" needs ${listOf(missing)} in "with".`)] : []),
    ...Object.entries(given).flatMap(([name, value]) => {
      const parameter = part.parameters.get(name);
      if (!parameter)
        return report(
          [...at, 'with', name],
          `The part "${part.id}" has no parameter "${name}".${suggest(name, part.parameters.keys())}`,
        );
      const wrong = wrongInValue(parameter, value, own?.parameters);
      return wrong === undefined ? [] : report([...at, 'with', name], `"${name}" ${wrong}.`);
    }),
  ];
}

function checkDeclared({ source, parameters, body }: Part): Problem[] {
  const problems: Problem[] = [];
  const used = new Set<string>();
  const visit = (value: unknown, at: Pointer): void => {
    if (typeof value === 'string')
      for (const { name, as } of placeholdersIn(value)) {
        const wrong = wrongPlaceholder(name, as);
        used.add(name);
        if (wrong !== undefined) problems.push(source.problem(at, wrong));
      }
    else if (Array.isArray(value)) for (const [index, item] of value.entries()) visit(item, [...at, index]);
    else if (isObject(value)) for (const [name, item] of Object.entries(value)) visit(item, [...at, name]);
  };
  const wrongPlaceholder = (name: string, as: string): string | undefined => {
    const parameter = parameters.get(name);
    if (!parameter) return `This part has no parameter "${name}".${suggest(name, parameters.keys())}`;
    if (as === 'alone') return undefined;
    if (parameter.isOptional) return `"${name}" may be left out, so that "part.${name}" stands alone.`;
    if (as === 'below' && parameter.kind !== 'path')
      return `"${name}" is a ${parameter.kind}: nothing stands below it. Below a path there is.`;
    if (as === 'inside' && parameter.kind !== 'path' && parameter.kind !== 'name')
      return `"${name}" is a ${parameter.kind}: in braces stands a path or a name.`;
    return undefined;
  };
  for (const name of ['data', 'state', 'children', 'entries']) visit(source.json[name], [name]);
  if (body === undefined) problems.push(source.problem([], 'A part has "children" or "entries", one of them.'));
  for (const name of parameters.keys())
    if (!used.has(name))
      problems.push(source.problem(['parameters', name], `Nothing in this part uses "${name}".`, 'warning'));
  return problems;
}
