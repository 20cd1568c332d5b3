import { neededParameters } from '../../../server/layouts/check/call.ts';
import { documentName } from '../../../server/layouts/expand/names.ts';
import type { Compiled } from '../../../server/layouts/names/pass.ts';
import { suggest } from '../../../server/layouts/names/problem.ts';
import type { Source } from '../../../server/layouts/names/source.ts';
import { documentSchemas } from '../../../shared/language/documents.ts';
import type { Operation } from '../../../shared/language/types.ts';
import { type ShownList, shownList } from './shown-list.ts';

export type Answers = { operation: string; route: string; title: string; requires: string };

/** The documents among which the new one comes. */
export type Surroundings = { readonly compiled: Compiled; readonly sources: readonly Source[] };

export type Question = {
  readonly name: keyof Answers;
  readonly text: string;
  /** What can be answered, where it is one of a few names. */
  offered?(around: Surroundings): readonly string[];
  /** What an empty answer stands for. */
  usual?(given: Partial<Answers>, around: Surroundings): string | undefined;
  /** What is wrong with an answer, given those before it. */
  refuse(answer: string, given: Partial<Answers>, around: Surroundings): string | undefined;
};

/** Lists the names of the parameters in a route, `{…}`, in their order. */
export const parametersOf = (route: string): string[] =>
  [...route.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name as string);

/** Derives the id, area and file of a new screen document from the parts of its route that are no parameters. */
export function namesOf(route: string): { readonly id: string; readonly area: string; readonly file: string } {
  const words = route
    .split('/')
    .filter(part => part !== '' && !part.includes('{'))
    .map(part => part.toLowerCase().replace(/[^a-z0-9]+/g, '-'));
  const [area = ''] = words;
  return { id: words.join('-'), area, file: `${area}/${words.join('-')}.json` };
}

const listsOf = ({ compiled }: Surroundings): string[] =>
  [...compiled.names.operations].flatMap(([name, operation]) => (shownList(operation) ? [name] : []));

/**
 * Gives an operation by its name, with the list in its reply. Both must exist; the question before has checked that.
 */
export function listOf(name: string, { compiled }: Surroundings): { operation: Operation; list: ShownList } {
  const operation = compiled.names.operations.get(name) as Operation;
  return { operation, list: shownList(operation) as ShownList };
}

const { pattern, maxLength } = documentSchemas.screen.properties.route;
const longestTitle = 200;

/** Asked in this order: each answer is checked with those before it. */
export const questions: readonly Question[] = [
  {
    name: 'operation',
    text: 'Which operation gives the list that the screen shows?',
    offered: listsOf,
    refuse(answer, _, around) {
      const lists = listsOf(around);
      if (lists.includes(answer)) return undefined;
      const known = around.compiled.names.operations;
      return known.has(answer)
        ? `"${answer}" does not read a list of objects, which a table shows.${suggest(answer, lists)}`
        : `There is no operation "${answer}".${suggest(answer, lists)}`;
    },
  },
  {
    name: 'route',
    text: 'At which address does it stand, such as /reports/spend or /customers/{customerId}/spend?',
    refuse(answer, { operation: name = '' }, around) {
      if (!new RegExp(pattern).test(answer) || answer.length > maxLength)
        return `"${answer}" is no address of a screen: it begins with "/" and has letters, digits, "_", ".", "+", "-" and {parameter} parts.`;
      const { id, file } = namesOf(answer);
      if (!/^[a-z][a-z0-9-]*$/.test(id) || id.length > 60)
        return `The document is called as its address, and "${id}" is no name: begin the address with a word, such as /reports.`;
      const { operation } = listOf(name, around);
      const parameters = parametersOf(answer);
      const known = Object.keys(operation.with ?? {});
      const unknown = parameters.find(parameter => !known.includes(parameter));
      if (unknown !== undefined)
        return `"${name}" has no parameter "${unknown}".${suggest(unknown, known)}${known.length === 0 ? ' It has none.' : ''}`;
      const missing = neededParameters(operation).find(needed => !parameters.includes(needed));
      if (missing !== undefined) return `"${name}" needs "${missing}": write {${missing}} in the address.`;
      return refuseTaken(answer, id, file, around);
    },
  },
  {
    name: 'title',
    text: 'What is its title?',
    refuse(answer) {
      if (answer.trim() === '') return 'A screen has a title.';
      if (answer.length > longestTitle) return `A title has ${longestTitle} characters at most.`;
      return /\{\{|\}\}/.test(answer)
        ? 'A title of this command has no {{values}}: write them into the text later.'
        : undefined;
    },
  },
  {
    name: 'requires',
    text: 'Who may open it: which requirement of access.json?',
    offered: ({ compiled }) => [...compiled.names.requirements.meanings.keys()],
    usual({ operation = '' }, around) {
      const { requires } = (around.sources
        .filter(({ kind }) => kind === 'operations')
        .map(({ json }) => (json.operations as Record<string, { requires?: unknown }>)[operation])
        .find(found => found !== undefined) ?? {}) as { requires?: unknown };
      return typeof requires === 'string' ? requires : undefined;
    },
    refuse(answer, _, { compiled }) {
      const known = [...compiled.names.requirements.meanings.keys()];
      if (known.includes(answer)) return undefined;
      return `access.json has no requirement "${answer}".${suggest(answer, known)} They are: ${known.join(', ')}.`;
    },
  },
];

/** Nothing that is there is written over. */
function refuseTaken(route: string, id: string, file: string, { sources }: Surroundings): string | undefined {
  const plain = (address: string): string => address.replace(/\{[^}]*\}/g, '{}');
  for (const source of sources) {
    const {
      route: own,
      aliases = [],
      also = [],
    } = source.json as {
      route?: string;
      aliases?: readonly string[];
      also?: readonly { id: string; route?: string }[];
    };
    const addresses = source.kind === 'screen' ? [own, ...aliases, ...also.map(other => other.route)] : [];
    if (addresses.some(address => address !== undefined && plain(address) === plain(route)))
      return `${source.file} stands at ${route} already.`;
    if (source.file === file) return `${file} is there already, and is not written over.`;
    const ids = [source.json.id ?? documentName(source), ...also.map(other => other.id)];
    if (source.kind === 'screen' && ids.includes(id)) return `${source.file} is called "${id}" already.`;
  }
  return undefined;
}
