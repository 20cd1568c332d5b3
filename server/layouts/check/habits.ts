import { documentSchemas } from '../../../shared/language/documents.ts';
import type { Journey, Operation, Requirement } from '../../../shared/language/types.ts';
import { matchRoute } from '../../../shared/rules/route.ts';
import type { Json } from '../names/json.ts';
import type { Compiled } from '../names/pass.ts';
import type { Problem } from '../names/problem.ts';
import { itemSchema, type Schema, schemaOf } from '../names/schema.ts';
import type { LongDocument, Pointer } from '../names/source.ts';
import { restricts } from './contradiction.ts';
import { findEqual } from './duplicates.ts';

/**
 * Finds what is right by the letter and rarely meant: operations that everybody may call, landings that nobody reaches,
 * ends of popups on screens, empty steps, texts with signs of other languages, and lines of `$schema` that lead nowhere. For the command line.
 */
export function checkHabits({ sources, names, documents }: Compiled): Problem[] {
  const walked: Problem[] = [];
  for (const source of sources)
    findEqualEntries(source, documentSchemas[source.kind] as Schema, source.json, [], walked);
  for (const { kind, source } of documents.values())
    if (kind === 'screen') findClosings(source, source.json, [], walked);
  const others = sources.flatMap(source => {
    const own = [...wrongSchemaLine(source)];
    if (source.kind === 'operations') own.push(...openOperations(source));
    if (source.kind === 'texts') own.push(...oddTexts(source));
    if (source.kind === 'journey') own.push(...emptySteps(source));
    if (source.kind === 'navigation') {
      const resolved = [...documents.values()].find(({ kind }) => kind === 'navigation')?.source;
      const screens = [...documents.values()].flatMap(({ kind, source: screen }) =>
        kind === 'screen' ? [screen] : [],
      );
      own.push(...lostLandings(resolved ?? source, names.patterns, screens));
    }
    return own;
  });
  return [...others, ...walked];
}

/**
 * Entries of a list that are the same in everything, such as a fact that is told twice. `at` is where `value` stands: it
 * changes while what is below is visited, since a folder has a million places.
 */
function findEqualEntries(
  source: LongDocument,
  given: Schema,
  value: unknown,
  at: (string | number)[],
  found: Problem[],
): void {
  if (value === null || typeof value !== 'object') return;
  const schema = schemaOf(given, value);
  if (Array.isArray(value)) {
    for (const { index, property = '', name } of schema.title === 'Units' ? findEqual(value) : []) {
      const list = `"${String(at.findLast(step => typeof step === 'string'))}"`;
      found.push(warning(source, [...at, index, property], `${name} stands in ${list} twice.`));
    }
    for (const [index, item] of value.entries()) {
      at.push(index);
      findEqualEntries(source, itemSchema(schema, item), item, at, found);
      at.pop();
    }
    return;
  }
  for (const name of Object.keys(value)) {
    const own = schema.properties?.[name] ?? schema.additionalProperties;
    if (typeof own !== 'object') continue;
    at.push(name);
    findEqualEntries(source, own, (value as Json)[name], at, found);
    at.pop();
  }
}

/** The effect that ends a popup, on a screen: of a part that stands in popups too it may be meant. */
function findClosings(source: LongDocument, value: unknown, at: (string | number)[], found: Problem[]): void {
  if (value === null || typeof value !== 'object') return;
  if ((value as Json).do === 'close-popup')
    return void found.push(warning(source, [...at], 'This is a screen, and no popup that could be closed.'));
  const isList = Array.isArray(value);
  for (const name of Object.keys(value)) {
    at.push(isList ? Number(name) : name);
    findClosings(source, (value as Json)[name], at, found);
    at.pop();
  }
}

const warning = (source: LongDocument, at: Pointer, message: string): Problem => source.problem(at, message, 'warning');

function openOperations(source: LongDocument): Problem[] {
  return Object.entries(source.json.operations as Record<string, Operation>).flatMap(([name, { requires }]) =>
    requires === undefined
      ? [
          warning(
            source,
            ['operations', name],
            `"${name}" asks for nothing: whoever has a document with it may call it, signed in or not. Say "requires", of everybody too where that is meant.`,
          ),
        ]
      : [],
  );
}

const tag = /<\/?[a-z][a-z0-9]*(?:\s[^<>]*)?\/?>/i;
const singleBrace = /(?<!\{)\{([A-Za-z]\w*)\}(?!\})/;

function oddTexts(source: LongDocument): Problem[] {
  return Object.entries(source.json).flatMap(([name, value]) => {
    if (name === '$schema') return [];
    if (value === '') return [warning(source, [name], `"${name}" is empty: nothing is said there.`)];
    const texts =
      typeof value === 'string' ? [value] : (value as readonly { readonly text: string }[]).map(one => one.text);
    return texts.flatMap(text => {
      const [, single] = singleBrace.exec(text) ?? [];
      const [html] = tag.exec(text) ?? [];
      return [
        ...(single === undefined
          ? []
          : [warning(source, [name], `"{${single}}" is shown as it is: a value of a text is written {{${single}}}.`)]),
        ...(html === undefined
          ? []
          : [
              warning(
                source,
                [name],
                `"${html}" is shown as it is: texts are no HTML, of which the node "html" takes some.`,
              ),
            ]),
      ];
    });
  });
}

function emptySteps(source: LongDocument): Problem[] {
  const { steps } = source.json as unknown as Journey;
  return steps.flatMap((step, index) => {
    const { children = [], summary, delivered, resume } = step;
    if (summary && index === 0)
      return [
        warning(
          source,
          ['steps', index, 'summary'],
          'Before the first step nothing is answered that could be summed up.',
        ),
      ];
    const isEmpty = children.length === 0 && !summary && delivered === undefined && !resume;
    return isEmpty ? [warning(source, ['steps', index], `The step "${step.id}" asks and shows nothing.`)] : [];
  });
}

type Landing = { readonly requires: Requirement; readonly to: string };

/** Of the landings those that come after one which everybody takes who could take them. */
function lostLandings(source: LongDocument, patterns: readonly string[], screens: readonly LongDocument[]): Problem[] {
  const landings = source.json.landing as readonly Landing[];
  return landings.flatMap(({ requires, to }, index) => {
    const before = landings.slice(0, index).find(earlier => {
      const pattern = matchRoute(patterns, earlier.to.split(/[?#]/)[0] ?? '')?.pattern;
      const screen = screens.find(({ json }) => json.route === pattern);
      if (!screen) return false;
      return !restricts(requires, earlier.requires) && !restricts(requires, screen.json.requires as Requirement);
    });
    if (!before) return [];
    return [
      warning(
        source,
        ['landing', index],
        `Nobody lands at "${to}": whoever could lands at "${before.to}", which comes first.`,
      ),
    ];
  });
}

/** Editors find the JSON Schema by this line: below the folder it leads to "meta". */
function wrongSchemaLine(source: LongDocument): Problem[] {
  const { $schema } = source.json;
  const up = '../'.repeat(source.file.split('/').length - 1);
  const right = `${up}meta/${source.kind}.schema.json`;
  const isOther =
    typeof $schema !== 'string' || $schema === right || $schema === `./${right}` || /^[a-z]+:/.test($schema);
  return isOther
    ? []
    : [
        warning(
          source,
          ['$schema'],
          `"${$schema}" leads to no JSON Schema, so that an editor completes nothing: write "${right}".`,
        ),
      ];
}
