import { rulesOf } from '../../shared/language/nodes.ts';
import type { FieldNode, Node } from '../../shared/language/types.ts';
import { isMet } from '../../shared/rules/condition.ts';
import { fieldsIn } from '../../shared/rules/fields.ts';
import type { FormatName } from '../../shared/rules/format.ts';
import { readPath, type Scope } from '../../shared/rules/path.ts';
import { readRows, writeRows } from '../../shared/rules/rows.ts';
import { resolveText } from '../../shared/rules/text.ts';

type Values = Readonly<Record<string, unknown>>;
/** Writes a value the caller's way. */
export type Write = (value: unknown, format: FormatName) => string;

/** Answers that are read together: rows that the user adds, items of which each has fields, or delivered fields. */
type Group =
  | { readonly kind: 'rows'; readonly name: string }
  | { readonly kind: 'fields'; readonly name: string; readonly names: readonly string[] }
  | {
      readonly kind: 'items';
      readonly name: string;
      readonly items: readonly { readonly key: Values; readonly fields: Readonly<Record<string, string>> }[];
    };

/** What a step shows and asks, with what is known at run time filled in. */
export type MadeStep = {
  readonly nodes: readonly Node[];
  readonly fields: readonly FieldNode[];
  readonly groups: readonly Group[];
};

type Making = { readonly scope: Scope; readonly write: Write; readonly groups: Group[] };
type Offered = { readonly rows: string; readonly key: string; readonly children: readonly Node[] };

/**
 * True when a step has nodes that are known only at run time, such as fields that the cloud delivers or a row per item.
 */
export const isMadeAtRunTime = (nodes: readonly Node[] | undefined): boolean =>
  nodes?.some(
    node =>
      ('from' in node && node.from !== undefined) ||
      offeredName(node) !== undefined ||
      isMadeAtRunTime((node as { readonly children?: readonly Node[] }).children),
  ) ?? false;

function offeredName(node: Node): string | undefined {
  const { offers } = rulesOf(node.type);
  const name = offers === undefined ? undefined : (node as unknown as Values)[offers];
  return typeof name === 'string' ? name : undefined;
}

/** Makes a step's nodes from its layout and the fetched data: repeats templates, inserts delivered fields. */
export function makeStep(nodes: readonly Node[], scope: Scope, write: Write): MadeStep {
  const groups: Group[] = [];
  const made = makeNodes(nodes, { scope, write, groups });
  return { nodes: made, fields: fieldsIn(made), groups };
}

function makeNodes(nodes: readonly Node[], making: Making): Node[] {
  return nodes.flatMap((node): Node[] => {
    const offered = offeredName(node);
    if (offered !== undefined) return offerRows(node as unknown as Offered, offered, making);
    if (rulesOf(node.type).form === 'rows')
      making.groups.push({ kind: 'rows', name: (node as { readonly propertyName: string }).propertyName });
    if (rulesOf(node.type).form === 'field') return [makeField(node as FieldNode, making)];
    const { children } = node as { readonly children?: readonly Node[] };
    return [children ? ({ ...node, children: makeNodes(children, making) } as Node) : node];
  });
}

/** The fields of each item, under names of their own. */
function offerRows({ rows, key, children }: Offered, name: string, making: Making): Node[] {
  const found = readPath(making.scope, rows);
  const items: { key: Values; fields: Record<string, string> }[] = [];
  const taken = new Set<string>();
  const nodes = (Array.isArray(found) ? found : []).flatMap((row: Values) => {
    const fields: Record<string, string> = {};
    const made = (children as readonly FieldNode[]).map(field => {
      const unique = uniqueName(`${field.propertyName}_${String(row[key]).replace(/[^A-Za-z0-9]/g, '_')}`, taken);
      fields[field.propertyName] = unique;
      return makeField({ ...field, propertyName: unique }, { ...making, scope: { ...making.scope, row } });
    });
    items.push({ key: { [key]: row[key] }, fields });
    return made;
  });
  making.groups.push({ kind: 'items', name, items });
  return nodes;
}

function uniqueName(wanted: string, taken: Set<string>): string {
  let name = wanted.slice(0, 70);
  for (let count = 2; taken.has(name); count++) name = `${wanted.slice(0, 70)}_${count}`;
  taken.add(name);
  return name;
}

function makeField(field: FieldNode, { scope, write }: Making): FieldNode {
  if (!field.from) return field;
  const { from, ...rest } = field;
  const read = (path: string | undefined): unknown => (path === undefined ? undefined : readPath(scope, path));
  const say: Say = (said, inner) => said && resolveText(said.text, said.values, inner, undefined, write);
  const initial = read(from.initialPath);
  const made = {
    label: read(from.labelPath),
    toolTip: read(from.toolTipPath),
    min: read(from.minPath),
    max: read(from.maxPath),
    message: say(from.message, scope),
    options: from.options && makeOptions(from.options, scope, say),
    initial: initial === undefined || initial === null ? undefined : { value: initial },
  };
  const there = Object.entries(made).filter(([, value]) => value !== undefined && value !== null);
  return { ...rest, ...Object.fromEntries(there) } as FieldNode;
}

type From = NonNullable<FieldNode['from']>;
type Say = (said: From['message'], scope: Scope) => string | undefined;

function makeOptions(
  { rows, valuePath, titlePath, hintPath, hints, priced, amount }: NonNullable<From['options']>,
  scope: Scope,
  say: Say,
): FieldNode['options'] {
  const found = readPath(scope, rows);
  return (Array.isArray(found) ? found : []).map(row => {
    const inner = { ...scope, row };
    const lines = hints?.filter(({ when }) => isMet(when, inner)).map(line => say(line, inner));
    const hint = lines?.join('\n') ?? (hintPath === undefined ? undefined : readPath(inner, hintPath));
    const cost = say(amount, inner);
    return {
      value: readPath(inner, valuePath) as string,
      text: say(priced, inner) ?? String(readPath(inner, titlePath) ?? ''),
      ...(typeof hint === 'string' && hint !== '' && { hint }),
      ...(cost && { amount: cost }),
    };
  });
}

/** Renumbers rows that the user added and removed, so that their field names have no gaps. */
export function inOrder({ groups }: MadeStep, values: Values): Values {
  const added = groups.filter(({ kind }) => kind === 'rows');
  if (added.length === 0) return values;
  const isOfGroup = (name: string) => added.some(group => new RegExp(`^${group.name}\\d+`).test(name));
  const alone = Object.entries(values).filter(([name]) => !isOfGroup(name));
  return Object.assign(Object.fromEntries(alone), ...added.map(({ name }) => writeRows(name, readRows(name, values))));
}

const isEntered = (value: unknown): boolean => ![undefined, null, '', 0, false].includes(value as never);

/**
 * Gives a step's answers as bodies of calls read them: rows and items as lists (items only where something was
 * entered), delivered fields as one object where they have a name.
 */
export function readAnswers({ groups, fields }: MadeStep, values: Values): Values {
  const inGroups = new Set<string>();
  const lists = groups.map(group => {
    if (group.kind === 'rows') {
      for (const { propertyName } of fields)
        if (new RegExp(`^${group.name}\\d+`).test(propertyName)) inGroups.add(propertyName);
      return [group.name, readRows(group.name, values)];
    }
    if (group.kind === 'fields') {
      for (const name of group.names) inGroups.add(name);
      const there = group.names.filter(name => values[name] !== undefined);
      return [group.name, Object.fromEntries(there.map(name => [name, values[name]]))];
    }
    const items = group.items.map(({ key, fields: names }) => {
      const own = Object.entries(names).map(([name, unique]) => [name, values[unique]] as const);
      for (const unique of Object.values(names)) inGroups.add(unique);
      return { item: { ...Object.fromEntries(own), ...key }, isThere: own.some(([, value]) => isEntered(value)) };
    });
    return [group.name, items.filter(({ isThere }) => isThere).map(({ item }) => item)];
  });
  const alone = Object.entries(values).filter(([name]) => !inGroups.has(name));
  return { ...Object.fromEntries(alone), ...Object.fromEntries(lists) };
}

/**
 * Gives the name of the field that shows an error of a list: the first field of the first item; for rows the list
 * itself.
 */
export function shownAt({ groups }: MadeStep, name: string): string {
  const group = groups.find(found => found.name === name);
  if (group?.kind !== 'items') return name;
  return Object.values(group.items[0]?.fields ?? {})[0] ?? name;
}
