import { parseArgs } from 'node:util';
import { commandDeclarations } from '../../server/commands/index.ts';
import { createLoader } from '../../server/layouts/load/load.ts';
import { defaultFolder, type SchemasCommand } from './command.ts';
import { checkMutations, drawMutations, printReport } from './mutations.ts';

/** Prints the share of mistakes of one letter that the check catches; the exit code is 1 where one is missed. */
export const mistakesCommand: SchemasCommand = {
  usage: [
    [
      'mistakes -- --count 500 --seed 1',
      'change one letter in every name that stands for something elsewhere, or in so many of them, and print the share that the check catches',
    ],
  ],
  async run(args) {
    const { values } = parseArgs({
      args: [...args],
      options: { count: { type: 'string' }, seed: { type: 'string', default: '1' } },
    });
    const { sources } = createLoader(defaultFolder())();
    const count = values.count === undefined ? undefined : Number(values.count);
    const report = checkMutations(sources, drawMutations(sources, Number(values.seed), count), commandDeclarations);
    console.log(printReport(report));
    return report.missed.length === 0 ? 0 : 1;
  },
};
