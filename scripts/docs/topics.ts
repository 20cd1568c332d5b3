import { effectSchemas } from '../../shared/language/effects.ts';
import common from '../../shared/language/examples/common.json' with { type: 'json' };
import conditions from '../../shared/language/examples/conditions.json' with { type: 'json' };
import effects from '../../shared/language/examples/effects.json' with { type: 'json' };
import writtenOperations from '../../shared/language/examples/operations.json' with { type: 'json' };
import paths from '../../shared/language/examples/paths.json' with { type: 'json' };
import { nodeKinds, nodeSchemas } from '../../shared/language/nodes.ts';
import { operation } from '../../shared/language/operation.ts';
import { formFacts, pathRoots, principalFacts } from '../../shared/language/path-roots.ts';
import * as primitives from '../../shared/language/primitives.ts';
import { replyShape } from '../../shared/language/reply.ts';
import { conditionShape } from '../../shared/language/requirement.ts';
import { shortTopics } from './short-topics.ts';
import {
  commandTopics,
  documentTopics,
  eventTopics,
  kindTopics,
  requirementTopic,
  toolTopics,
  valueTopic,
} from './tables.ts';
import {
  commonNames,
  type Json,
  type Property,
  propertiesOf,
  rowsOf,
  type Shape,
  type Topic,
  type TopicGroup,
} from './topic.ts';

const nodeExamples = Object.fromEntries(Object.entries(nodeKinds).map(([type, { example }]) => [type, example]));

const nodesOf = (list: object, name: string): readonly Json[] =>
  (list as Readonly<Record<string, readonly Json[]>>)[name] ?? [];

/** A topic that is shown by nodes. */
function shownTopic(
  group: TopicGroup,
  name: string,
  says: string,
  properties: readonly Property[],
  children: readonly Json[],
): Topic {
  const [only] = children;
  return { group, name, says, properties, children, example: children.length === 1 ? only : children };
}

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

/** What is known of the caller and of a form, below these roots of paths. */
const facts: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  principal: principalFacts,
  form: formFacts,
};

/** Lists every topic of the language's reference; `operations` are those of the schemas, by name, for the examples. */
export function topicsOf(operations: Readonly<Record<string, Json>>): Topic[] {
  const shaped = (group: TopicGroup, schemas: Readonly<Record<string, Shape>>, examples: object): Topic[] =>
    Object.entries(schemas).map(([name, shape]) =>
      shownTopic(group, name, shape.description ?? '', propertiesOf(shape, commonNames), nodesOf(examples, name)),
    );
  const tests = conditionShape.properties as Readonly<Record<string, Shape>>;
  return [
    ...documentTopics(),
    ...shortTopics(),
    ...shaped('common', primitives.common, common),
    ...shaped('nodes', nodeSchemas as Readonly<Record<string, Shape>>, nodeExamples),
    ...shaped('effects', effectSchemas, effects),
    ...shaped('conditions', tests, conditions).filter(({ name }) => name !== 'path'),
    ...primitives.format.enum.map(name =>
      shownTopic('formats', name, '', [], [{ type: 'text', path: `data.values.Result.${name}`, format: name }]),
    ),
    valueTopic(),
    ...Object.entries(pathRoots).map(([name, says]) =>
      shownTopic('paths', name, says, rowsOf(facts[name] ?? {}), nodesOf(paths, name)),
    ),
    requirementTopic(),
    ...Object.entries(operation.properties as Readonly<Record<string, Shape>>).map(
      ([name, shape]): Topic => ({
        group: 'operations',
        name,
        says:
          name === 'reply' ? `${replyShape.description} What is not declared never passes.` : (shape.description ?? ''),
        properties: propertiesOf(shape, []),
        // The replies of the product are plainer than the notation.
        example:
          name === 'reply' ? { 'delivery.cost': writtenOperations['delivery.cost'] } : exampleWith(operations, name),
      }),
    ),
    ...kindTopics(),
    ...eventTopics(),
    ...commandTopics(),
    ...toolTopics(),
  ];
}
