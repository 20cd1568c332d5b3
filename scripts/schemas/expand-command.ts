import path from 'node:path';
import { commandDeclarations } from '../../server/commands/index.ts';
import { explainExpansion } from '../../server/layouts/expand/expand.ts';
import { createLoader } from '../../server/layouts/load/load.ts';
import { suggest } from '../../server/layouts/names/problem.ts';
import type { Source } from '../../server/layouts/names/source.ts';
import { defaultFolder, printProblems, type SchemasCommand } from './command.ts';

type WhyAt = (object: object, name: string) => string | undefined;

const isContainer = (value: unknown): value is object => value !== null && typeof value === 'object';

/** A document in its long form, one value a line, with the reason behind each that is written nowhere. */
function describe(value: object, whyAt: WhyAt, indent = ''): string[] {
  const isList = Array.isArray(value);
  const entries = Object.entries(value);
  const inside = entries.flatMap(([name, item], index) => {
    const start = `${indent}  ${isList ? '' : `${JSON.stringify(name)}: `}`;
    const comma = index === entries.length - 1 ? '' : ',';
    const why = whyAt(value, name) ?? '';
    const note = why === '' ? '' : `  // ${why}`;
    const isPlain = !isContainer(item) || (Array.isArray(item) && !item.some(isContainer));
    if (isPlain) return [`${start}${JSON.stringify(item)}${comma}${note}`];
    const [open, ...others] = describe(item, whyAt, `${indent}  `);
    return [`${start}${open}${note}`, ...others.slice(0, -1), `${others.at(-1)}${comma}`];
  });
  return [isList ? '[' : '{', ...inside, `${indent}${isList ? ']' : '}'}`];
}

/** The document of a file, which may be named from the folder of the documents or from here. */
function find(file: string, folder: string, sources: readonly Source[]): Source {
  const names = [file, path.relative(path.resolve(folder), path.resolve(file))];
  const found = sources.find(source => names.includes(source.file));
  if (found) return found;
  throw new Error(
    `There is no document "${file}" in ${folder}.${suggest(
      file,
      sources.map(source => source.file),
    )}`,
  );
}

/** Prints a document in its long form. */
export const expandCommand: SchemasCommand = {
  usage: [
    [
      'expand -- customers/customers.json',
      'the long form of a document, and where each value is from that it does not write',
    ],
  ],
  async run([file, folder = defaultFolder()]) {
    if (file === undefined) return undefined;
    const { sources, problems } = createLoader(path.resolve(folder))();
    printProblems(folder, problems);
    const { json, whyAt } = explainExpansion(find(file, folder, sources), sources, commandDeclarations);
    console.log(describe(json, whyAt).join('\n'));
    return 0;
  },
};
