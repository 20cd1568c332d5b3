import { effectSchemas } from '../../shared/language/effects.ts';
import conditions from '../../shared/language/examples/conditions.json' with { type: 'json' };
import effects from '../../shared/language/examples/effects.json' with { type: 'json' };
import nodes from '../../shared/language/examples/nodes.json' with { type: 'json' };
import writtenOperations from '../../shared/language/examples/operations.json' with { type: 'json' };
import { nodeSchemas } from '../../shared/language/nodes.ts';
import { operation } from '../../shared/language/operation.ts';
import * as primitives from '../../shared/language/primitives.ts';
import { models, replyShape, valueKinds } from '../../shared/language/reply.ts';
import { conditionShape } from '../../shared/language/requirement.ts';

type Json = Readonly<Record<string, unknown>>;
type Shape = {
  readonly title?: string;
  readonly description?: string;
  readonly type?: unknown;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly items?: Shape;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly anyOf?: readonly Shape[];
  readonly oneOf?: readonly Shape[];
};

export type Property = {
  readonly name: string;
  readonly kind: string;
  readonly needed: boolean;
  readonly says: string;
};

/** One entry of the reference: a node type, an effect, a test of a condition, a format or a property of operations. */
export type Topic = {
  readonly group: TopicGroup;
  readonly name: string;
  readonly says: string;
  readonly properties: readonly Property[];
  /** Nodes that show it; absent for properties of operations. */
  readonly children?: readonly Json[];
  /** What is shown as its example. */
  readonly example: unknown;
};

export const groups = {
  nodes: 'Node types',
  effects: 'Effects',
  conditions: 'Conditions',
  formats: 'Formats',
  operations: 'Operations',
} as const;
export type TopicGroup = keyof typeof groups;

/** What a value may be, in one word where it has a name. */
function kindOf(shape: Shape): string {
  if (shape.title && !shape.enum) return shape.title;
  if (shape.const !== undefined) return JSON.stringify(shape.const);
  if (shape.enum) return shape.enum.length > 12 ? (shape.title ?? 'a name') : shape.enum.join(' | ');
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
const common = ['type', 'do', 'requires', 'when', 'testId', 'values'];

/** The properties of an object, and below them those of the objects that they hold. */
function propertiesOf({ properties = {}, required = [] }: Shape, leaveOut: readonly string[], before = ''): Property[] {
  return Object.entries(properties)
    .filter(([name]) => !leaveOut.includes(name))
    .flatMap(([name, shape]) => [
      { name: before + name, kind: kindOf(shape), needed: required.includes(name), says: saysOf(shape) },
      ...propertiesOf(shape, common, `${before}${name}.`),
      ...propertiesOf(shape.items ?? {}, common, `${before}${name}[].`),
    ]);
}

/** The kinds of values, as the properties of a reply. */
const kindsOfReply: readonly Property[] = [
  ...Object.entries(valueKinds).map(([name, { classes, description }]) => ({
    ...{ name, kind: classes.join(' | '), needed: false, says: description },
  })),
  ...Object.entries(models).map(([name, says]) => ({ name, kind: 'model', needed: false, says })),
];

const example = (list: object, name: string): readonly Json[] =>
  (list as Readonly<Record<string, readonly Json[]>>)[name] ?? [];

/** Of all operations the shortest that has a property. */
function shortestWith(operations: Readonly<Record<string, Json>>, property: string): Json {
  const having = Object.entries(operations).filter(([, declared]) => Object.hasOwn(declared, property));
  const length = ([name, declared]: [string, Json]) => name.length + JSON.stringify(declared).length;
  const [first] = having.sort((a, b) => length(a) - length(b));
  return first ? { [first[0]]: first[1] } : {};
}

/** An example from the product, or one that is written for what the product does not use. */
function exampleWith(operations: Readonly<Record<string, Json>>, property: string): Json {
  const used = shortestWith(operations, property);
  return Object.keys(used).length > 0 ? used : shortestWith(writtenOperations, property);
}

/** Every entry of the reference, from the language itself; `operations` are those of the schemas, by name. */
export function topicsOf(operations: Readonly<Record<string, Json>>): Topic[] {
  const shaped = (group: TopicGroup, schemas: Readonly<Record<string, Shape>>, examples: object): Topic[] =>
    Object.entries(schemas).map(([name, shape]) => {
      const children = example(examples, name);
      const [only] = children;
      return {
        group,
        name,
        says: shape.description ?? '',
        properties: propertiesOf(shape, common),
        children,
        example: children.length === 1 ? only : children,
      };
    });
  const tests = conditionShape.properties as Readonly<Record<string, Shape>>;
  return [
    ...shaped('nodes', nodeSchemas, nodes),
    ...shaped('effects', effectSchemas, effects),
    ...shaped('conditions', tests, conditions).filter(({ name }) => name !== 'path'),
    ...primitives.format.enum.map((name): Topic => {
      const node = { type: 'text', path: `data.values.Result.${name}`, format: name };
      return { group: 'formats', name, says: '', properties: [], children: [node], example: node };
    }),
    ...Object.entries(operation.properties as Readonly<Record<string, Shape>>).map(
      ([name, shape]): Topic => ({
        group: 'operations',
        name,
        says:
          name === 'reply' ? `${replyShape.description} What is not declared never passes.` : (shape.description ?? ''),
        properties: name === 'reply' ? kindsOfReply : propertiesOf(shape, []),
        // The replies of the product are plainer than the notation.
        example:
          name === 'reply' ? { 'delivery.cost': writtenOperations['delivery.cost'] } : exampleWith(operations, name),
      }),
    ),
  ];
}
