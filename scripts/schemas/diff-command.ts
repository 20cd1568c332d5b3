import { parseArgs } from 'node:util';
import { defaultFolder, type SchemasCommand } from './command.ts';
import { compareFolders } from './diff/compare-folders.ts';
import { describeComparison, isWidening } from './diff/describe-comparison.ts';
import { readVersion } from './diff/read-version.ts';

/** Says per role what two versions of the documents give and take; the exit code is 1 when somebody gains something. */
export const diffCommand: SchemasCommand = {
  usage: [
    [
      'diff -- BEFORE [AFTER]',
      'which nodes, calls and fields appear and vanish for whom, between two folders or git revisions of the schemas folder; AFTER is this folder where it is left out. Exits with 1 when anybody gains something. --all shows what is cut off',
    ],
  ],
  async run(args) {
    const { positionals, values } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { all: { type: 'boolean', default: false } },
    });
    const [nameBefore, nameAfter = defaultFolder()] = positionals;
    if (nameBefore === undefined) return undefined;
    const [before, after] = [await readVersion(nameBefore), await readVersion(nameAfter)];
    if (!before || !after) return 2;
    const comparison = compareFolders(before, after);
    console.log(`From ${nameBefore} to ${nameAfter}`);
    console.log(describeComparison(comparison, before, after, values.all));
    return isWidening(comparison) ? 1 : 0;
  },
};
