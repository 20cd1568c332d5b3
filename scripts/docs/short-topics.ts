import { effectSchemas } from '../../shared/language/effects.ts';
import { nodeSchemas } from '../../shared/language/nodes.ts';
import type { Short } from '../../shared/language/short.ts';
import { twoWays } from '../../shared/language/short-forms/two-ways.ts';
import { shortForms } from '../../shared/language/short-forms.ts';
import { describeDefault } from './short-defaults.ts';
import type { Property, Topic } from './topic.ts';

type Shape = {
  readonly short?: Short;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly items?: Shape;
};

const defaultsOf = (shape: Shape): string =>
  Object.entries(shape.short?.defaults ?? {})
    .map(([name, rule]) => `\`${name}\`: ${describeDefault(rule)}`)
    .join('; ');

/** What is known without it of a node or effect, and of the entries of its lists. */
function rowsOf(schemas: object, word: string): Property[] {
  return Object.entries(schemas as Readonly<Record<string, Shape>>).flatMap(([type, shape]): Property[] => {
    if (shape.short?.head === undefined) return [];
    const inner = Object.entries(shape.properties ?? {}).flatMap(([name, property]): Property[] => {
      const part = property.items ?? property;
      const { defaults, bare, pair } = part.short ?? {};
      if (!defaults && !bare && !pair) return [];
      const kind = [
        bare === undefined ? '' : `one value: \`${bare}\``,
        pair === undefined ? '' : `pair: \`${pair[0]}\`, \`${pair[1]}\``,
      ].filter(text => text !== '');
      const many = property.items ? '[]' : '';
      return [{ name: `${type}.${name}${many}`, kind: kind.join('; '), needed: false, says: defaultsOf(part) }];
    });
    const kind = `\`${word}\` and \`${shape.short.head}\``;
    return [{ name: type, kind, needed: false, says: defaultsOf(shape) }, ...inner];
  });
}

/** Every short form with its long form, and of each node and effect its head and what it need not say. */
export const shortTopics = (): Topic[] => [
  ...shortForms.map(
    ({ name, says, short, long }): Topic => ({
      ...{ group: 'short', name: name.replaceAll(' ', '-'), says, properties: [] },
      ...{ example: short, long },
    }),
  ),
  ...twoWays.map(
    ({ name, says, one, other }): Topic => ({
      ...{ group: 'two-ways', name: name.replaceAll(' ', '-').replaceAll('"', ''), says, properties: [] },
      example: [one, other],
    }),
  ),
  {
    ...{ group: 'short', name: 'heads-of-nodes' },
    says: 'What the head of each type of node stands for, and what a node in short form need not say.',
    properties: rowsOf(nodeSchemas, 'type'),
  },
  {
    ...{ group: 'short', name: 'heads-of-effects' },
    says: 'The same of effects.',
    properties: rowsOf(effectSchemas, 'do'),
  },
];
