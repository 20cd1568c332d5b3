import path from 'node:path';
import { commandDeclarations } from '../../server/commands/index.ts';
import { findUses, type Use, usesInCode } from '../../server/editing/find-uses.ts';
import { expandDocuments } from '../../server/layouts/expand/expand.ts';
import { createLoader } from '../../server/layouts/load/load.ts';
import { suggest } from '../../server/layouts/names/problem.ts';
import { defaultFolder, type SchemasCommand } from './command.ts';

/** Writes a use as a line: where it is written, and what is named there. */
function describeUse(folder: string, { source, reference, what, name }: Use): string {
  const { file, line, column } = source.problem(reference.at, '');
  const written = source.written?.at(reference.at) ?? reference.at;
  const isDefault = what === 'text' && written.at(-1) !== reference.at.at(-1) && !reference.isName;
  return `${path.join(folder, file)}:${line}:${column}: ${what} ${name}${isDefault ? ', by its name' : ''}`;
}

/** Prints every place that reads a text, operation, part, field or anything else of a name. */
export const usesCommand: SchemasCommand = {
  usage: [
    [
      'uses NAME',
      'every place that reads a text, operation, part, popup, requirement or field (customers.list.Items.Name)',
    ],
  ],
  async run([name, folder = defaultFolder()]) {
    if (name === undefined) return undefined;
    const { sources } = createLoader(path.resolve(folder))();
    const all = findUses(expandDocuments(sources, commandDeclarations));
    const found = all.filter(use => use.name === name);
    for (const use of found) console.log(describeUse(folder, use));
    const inCode = usesInCode(name, commandDeclarations);
    for (const one of inCode) console.log(`asked by ${one}`);
    const count = found.length + inCode.length;
    const near = count === 0 ? suggest(name, new Set(all.map(use => use.name))) : '';
    console.log(count === 0 ? `Nothing uses "${name}".${near}` : `${count} uses of "${name}"`);
    return count === 0 ? 1 : 0;
  },
};
