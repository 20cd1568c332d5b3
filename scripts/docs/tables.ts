import { commandDeclarations } from '../../server/commands/index.ts';
import type { CommandDeclaration } from '../../server/layouts/names/command-declaration.ts';
import { documentSchemas, navigationEntry } from '../../shared/language/documents.ts';
import { effectSchemas } from '../../shared/language/effects.ts';
import { pageEvents, serverEvents } from '../../shared/language/events.ts';
import { nodeSchemas } from '../../shared/language/nodes.ts';
import * as primitives from '../../shared/language/primitives.ts';
import { models, replyShape, valueKinds } from '../../shared/language/reply.ts';
import { conditionShape, requirement } from '../../shared/language/requirement.ts';
import { valueTitles } from '../../shared/language/value-titles.ts';
import { schemasCommands } from '../schemas/commands.ts';
import { exampleDocuments, longExampleDocuments } from './example-documents.ts';
import { kindOf, type Property, propertiesOf, rowsOf, type Shape, type Topic } from './topic.ts';

/** Everything that documents can hold, by its schemas. */
const language: readonly unknown[] = [
  documentSchemas,
  nodeSchemas,
  effectSchemas,
  navigationEntry,
  requirement,
  conditionShape,
  replyShape,
];

/** The reference's topics on the kinds of documents, each with a small example; together these make a portal. */
export function documentTopics(): Topic[] {
  const long = longExampleDocuments();
  const examples = new Map(exampleDocuments.map(example => [example.kind, example]));
  return Object.entries(documentSchemas as Readonly<Record<string, Shape>>).map(([name, shape]) => {
    const { json, file } = examples.get(name) ?? {};
    return {
      group: 'documents',
      name,
      says: shape.description ?? '',
      // Parameters of an operation have entries of their own.
      properties: propertiesOf(shape, name === 'operations' ? ['operations'] : []),
      ...{ example: json, long: long.get(name) },
      ...(file !== undefined && { file }),
    };
  });
}

/** The schemas that a title has in the language, the general one first. */
function shapesByTitle(): Map<string, Shape[]> {
  const found = new Map<string, Shape[]>();
  const note = (value: object): void => {
    const { title } = value as Shape;
    if (typeof title === 'string') found.set(title, [...(found.get(title) ?? []), value as Shape]);
  };
  const visit = (value: unknown): void => {
    if (value === null || typeof value !== 'object') return;
    note(value);
    for (const [name, inner] of Object.entries(value)) if (name !== 'enum' && name !== 'const') visit(inner);
  };
  for (const shape of Object.values(primitives)) note(shape);
  visit(language);
  return found;
}

const longestPattern = 60;

/** What a value of some title is, without its name; of values that differ only the type. */
function plainKind(shapes: readonly Shape[]): string {
  const whole = shapes.filter(shape => [shape.type, shape.anyOf, shape.enum].some(part => part !== undefined));
  const kinds = whole.map(({ title: _, ...shape }) => {
    if (shape.enum) return shape.enum.join(' | ');
    const { pattern = '' } = shape;
    return pattern === '' || pattern.length > longestPattern ? kindOf(shape) : `${kindOf(shape)} ${pattern}`;
  });
  const [first = ''] = kinds;
  return kinds.every(kind => kind === first) ? first : String(whole[0]?.type ?? '');
}

/** The reference's topic on the names that tables of properties use for kinds of values. */
export function valueTopic(): Topic {
  const said: Readonly<Record<string, string>> = valueTitles;
  const properties = [...shapesByTitle()].map(([name, shapes]): Property => {
    const described = shapes.find(({ description }) => description !== undefined);
    return { name, kind: plainKind(shapes), needed: false, says: said[name] ?? described?.description ?? '' };
  });
  properties.sort((a, b) => (a.name < b.name ? -1 : 1));
  return { group: 'values', name: 'values', says: 'The names that tables of properties use for values.', properties };
}

/** The reference's topic on requirements (`requires`). */
export const requirementTopic = (): Topic => ({
  group: 'requirements',
  name: 'requires',
  says: `${primitives.requires.description} A requirement stays on the server; in doubt it denies.`,
  properties: propertiesOf(requirement as Shape, []),
  example: { requires: { all: ['seller', { views: ['customers', 'billing'], prices: true }] } },
});

/** The reference's topics on the kinds of values in replies, and their notation. */
export function kindTopics(): Topic[] {
  const kinds = Object.entries(valueKinds).map(([name, { classes, description }]) => ({
    ...{ name, kind: classes.join(' | '), needed: false, says: description },
  }));
  const shapes = (replyShape.anyOf as readonly Shape[]).flatMap(shape => propertiesOf(shape, []));
  const notation = [...new Set(shapes.map(({ name }) => name))].map((name): Property => {
    const same = shapes.filter(shape => shape.name === name);
    const unique = (words: readonly string[]) => [...new Set(words)].filter(word => word !== '');
    const types = unique(same.map(({ kind }) => kind));
    const says = unique(same.map(shape => shape.says)).join(' Or: ');
    return { name, kind: types.length === 1 ? (types[0] as string) : '', needed: false, says };
  });
  const topic = (name: string, says: string, properties: readonly Property[], example: unknown): Topic => ({
    ...{ group: 'kinds', name, says, properties, example },
  });
  return [
    topic('kinds', 'What a single value is.', kinds, { Name: 'text', Status: 'code:status', LastChange: 'time?' }),
    topic('models', 'What is made at run time and checked by the model that it follows.', rowsOf(models, 'model'), {
      Form: { kind: 'model:form', requires: 'anyone' },
    }),
    topic('notation', replyShape.description, notation, {
      Items: [{ Id: 'id', Price: { kind: 'money', requires: 'anyone' }, State: { kind: 'code', of: ['On', 'Off'] } }],
      Counts: { map: 'count' },
      Contact: { optional: true, of: { Email: 'email' } },
    }),
  ];
}

/** The reference's topics on events: those that the server sends, and those that documents may publish for the page. */
export const eventTopics = (): Topic[] => [
  {
    group: 'events',
    name: 'from-the-server',
    says: 'What documents may listen to without publishing it. Any other event must be published by a document.',
    properties: rowsOf(serverEvents),
    example: { data: { services: { 'services.list': {}, refreshOn: ['services'] } } },
    long: { data: { services: { operation: 'services.list', refreshOn: ['services'] } } },
  },
  {
    group: 'events',
    name: 'for-the-page',
    says: 'What documents may publish for the page itself.',
    properties: rowsOf(pageEvents),
    example: { publish: Object.keys(pageEvents)[0] },
    long: { do: 'publish', event: Object.keys(pageEvents)[0] },
  },
];

const writeRequirement = (requires: unknown): string =>
  typeof requires === 'string' ? requires : JSON.stringify(requires);

function commandRow({
  name,
  parameters = [],
  body,
  ownBody,
  requires,
  asks = [],
  opens = [],
}: CommandDeclaration): Property {
  const says = [
    requires !== undefined && `Requires ${writeRequirement(requires)}.`,
    asks.length > 0 && `Asks ${asks.join(', ')}.`,
    opens.length > 0 && `May open ${opens.join(', ')}.`,
  ];
  const takes = [
    ...parameters,
    ...(body === undefined ? [] : [`body: form ${body}`]),
    ...(ownBody ? ['body: a form that is made when it is asked for'] : []),
  ];
  return { name, kind: takes.join(', ') || 'nothing', needed: false, says: says.filter(Boolean).join(' ') };
}

/** The reference's topics on the server's commands by area: what each takes and what it answers. */
export function commandTopics(): Topic[] {
  const areaOf = ({ name }: CommandDeclaration): string => name.split('.')[0] as string;
  const areas = [...new Set(commandDeclarations.map(areaOf))];
  const ofArea = (area: string) => commandDeclarations.filter(command => areaOf(command) === area);
  return areas.map(area => ({
    group: 'commands',
    name: area,
    says: 'What each takes, and below what its Result is, where it has one.',
    properties: ofArea(area).map(commandRow),
    example: Object.fromEntries(
      ofArea(area).flatMap(({ name, reply }) => (reply === undefined ? [] : [[name, reply]])),
    ),
  }));
}

/** The reference's topics on the `npm run schemas` commands, with their usage. */
export const toolTopics = (): Topic[] =>
  Object.entries(schemasCommands).map(([name, { usage }]) => ({
    group: 'tools',
    name,
    says: '',
    properties: usage.map(([written, does]) => ({
      ...{ name: written.startsWith(' ') ? `…${written.trimStart()}` : `npm run schemas ${written}` },
      ...{ kind: '', needed: false, says: does },
    })),
  }));
