import * as primitives from '../../shared/language/primitives.ts';
import type { Short } from '../../shared/language/short.ts';
import { describeDefault } from './short-defaults.ts';

export type Json = Readonly<Record<string, unknown>>;

export type Shape = {
  readonly title?: string;
  readonly description?: string;
  readonly type?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly items?: Shape;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly additionalProperties?: Shape | boolean;
  readonly anyOf?: readonly Shape[];
  readonly oneOf?: readonly Shape[];
  readonly short?: Short;
};

/** A row of the table of a topic: a property, or a name of what the topic lists. */
export type Property = {
  readonly name: string;
  readonly kind: string;
  readonly needed: boolean;
  readonly says: string;
  /** The value that stands for it where a document in short form leaves it out. */
  readonly otherwise?: string;
};

/** The parts of the reference in their order, by the group of their topics. */
export const groups = {
  documents: 'Documents',
  short: 'Short forms',
  'two-ways': 'Two ways to say a thing',
  common: 'Common properties',
  nodes: 'Node types',
  effects: 'Effects',
  conditions: 'Conditions',
  formats: 'Formats',
  values: 'Values of properties',
  paths: 'Paths',
  requirements: 'Requirements',
  operations: 'Operations',
  kinds: 'Kinds of values in replies',
  events: 'Events',
  commands: 'Commands',
  tools: 'Tools',
} as const;
export type TopicGroup = keyof typeof groups;

/** One entry of the reference, such as a node type. */
export type Topic = {
  readonly group: TopicGroup;
  readonly name: string;
  readonly says: string;
  readonly properties: readonly Property[];
  /** Nodes that show it, where it can be seen. */
  readonly children?: readonly Json[];
  /** Its example, where it has one: in short form, as documents are written. */
  readonly example?: unknown;
  /** The same in its long form, where that is another one and not that of `children`. */
  readonly long?: unknown;
  /** The file that the example is. */
  readonly file?: string;
};

/** Names the kind of value that a JSON Schema allows, as the reference's tables show it ("list of Name"). */
export function kindOf(shape: Shape): string {
  if (shape.title && !shape.enum) return shape.title;
  if (shape.const !== undefined) return JSON.stringify(shape.const);
  if (shape.enum)
    return shape.enum.length > (shape.title ? 12 : 20) ? (shape.title ?? 'a name') : shape.enum.join(' | ');
  if (shape.items) return `list of ${kindOf(shape.items)}`;
  const choices = shape.anyOf ?? shape.oneOf;
  if (choices) return choices.map(kindOf).join(' | ');
  if (shape.properties) return `{ ${Object.keys(shape.properties).join(', ')} }`;
  return Array.isArray(shape.type) ? shape.type.join(' | ') : String(shape.type ?? 'any');
}

/** What is said of a kind of value wherever it stands says nothing of the property. */
const general: ReadonlySet<unknown> = new Set(
  Object.values(primitives).map(shape => ('description' in shape ? shape.description : undefined)),
);
const saysOf = ({ description = '' }: Shape): string => (general.has(description) ? '' : description);

/** What every node may have. */
export const commonNames = ['type', 'do', 'requires', 'when', 'testId', 'values'];

/** True for a property that must be written: the language needs it, and nothing else says it. */
function isNeeded(name: string, required: readonly string[], short: Short | undefined): boolean {
  return required.includes(name) && short?.defaults?.[name] === undefined && short?.unlessOptional !== name;
}

/** Describes a property that is left out, or that is the main value of a node. */
function otherwiseOf(name: string, { defaults, unlessOptional, ifOptional }: Short = {}): Pick<Property, 'otherwise'> {
  const rule = defaults?.[name];
  if (rule) return { otherwise: describeDefault(rule) };
  if (name === unlessOptional) return { otherwise: 'true, without "?" behind the name' };
  return ifOptional?.gives === name ? { otherwise: `${ifOptional.is}, with "?" behind \`${ifOptional.of}\`` } : {};
}

/** The type of a node or effect, which in short form is written before its main value. */
const headOf = ({ type, do: effect }: Readonly<Record<string, Shape>>): string =>
  `\`"${String((type ?? effect)?.const)}"\``;

/** Lists the properties of an object's JSON Schema as rows of the reference's table, nested ones below their object. */
export function propertiesOf(
  { properties = {}, required = [], short }: Shape,
  leaveOut: readonly string[],
  before = '',
): Property[] {
  return Object.entries(properties)
    .filter(([name]) => !leaveOut.includes(name))
    .flatMap(([name, shape]) => [
      {
        ...{ name: before + name, kind: kindOf(shape), says: saysOf(shape), needed: isNeeded(name, required, short) },
        ...(name === short?.head ? { otherwise: `the value of ${headOf(properties)}` } : otherwiseOf(name, short)),
      },
      ...propertiesOf(shape, commonNames, `${before}${name}.`),
      ...propertiesOf(shape.items ?? {}, commonNames, `${before}${name}[].`),
      ...(typeof shape.additionalProperties === 'object'
        ? propertiesOf(shape.additionalProperties, commonNames, `${before}${name}.<name>.`)
        : []),
    ]);
}

/** Makes a row of the reference's table for each name of a record of names and descriptions. */
export const rowsOf = (names: Readonly<Record<string, string>>, kind = ''): Property[] =>
  Object.entries(names).map(([name, says]) => ({ name, kind, needed: false, says }));
