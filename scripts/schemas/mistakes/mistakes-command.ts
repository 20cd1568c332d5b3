import { parseArgs } from 'node:util';
import { commandDeclarations } from '../../../server/commands/index.ts';
import { createLoader } from '../../../server/layouts/load/load.ts';
import { defaultFolder, type SchemasCommand } from '../command.ts';
import { checkMutations, drawMutations, mistakeKinds, printReport } from './check-mutations.ts';

/** Prints which share of mistakes the check tells by their cause; the exit code is 1 where it is less than 97 %. */
export const mistakesCommand: SchemasCommand = {
  usage: [
    [
      'mistakes -- --count 500 --seed 1',
      'make every mistake of a kind in turn (a letter, a level, a kind of value, a root of a path, a duplicate, the path of another list), or so many of each, and print the share that a message names at its line',
    ],
  ],
  async run(args) {
    const { values } = parseArgs({
      args: [...args],
      options: { count: { type: 'string' }, kind: { type: 'string' }, seed: { type: 'string', default: '1' } },
    });
    const { sources } = createLoader(defaultFolder())();
    const count = values.count === undefined ? undefined : Number(values.count);
    const kinds = values.kind === undefined ? undefined : mistakeKinds.filter(kind => kind === values.kind);
    const mutations = drawMutations(sources, Number(values.seed), count, kinds);
    const report = await checkMutations(sources, mutations, commandDeclarations);
    console.log(printReport(report));
    return report.missed.length <= mutations.length * 0.03 ? 0 : 1;
  },
};
