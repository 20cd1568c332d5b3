import path from 'node:path';
import { parseArgs } from 'node:util';
import { commandDeclarations } from '../../server/commands/index.ts';
import { checkFolder } from '../../server/layouts/index.ts';
import { createLoader } from '../../server/layouts/load/load.ts';
import { defaultFolder, printProblems, type SchemasCommand } from './command.ts';
import { missingTexts } from './missing-texts.ts';

/** Prints the problems of a folder; the exit code is 1 when there is an error. */
export const checkCommand: SchemasCommand = {
  usage: [
    ['check [folder]', 'find what is wrong in the documents'],
    ['check [folder] -- --texts de', 'list the texts that a language lacks'],
  ],
  async run(args) {
    const { positionals, values } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { texts: { type: 'string' } },
    });
    const [folder = defaultFolder()] = positionals;
    if (values.texts !== undefined) {
      const missing = missingTexts(createLoader(path.resolve(folder))().sources, values.texts);
      for (const key of missing) console.log(key);
      console.log(`"${values.texts}" lacks ${missing.length} texts`);
      return 0;
    }
    const problems = await checkFolder(path.resolve(folder), commandDeclarations);
    printProblems(folder, problems);
    const errors = problems.filter(problem => problem.severity === 'error').length;
    console.log(
      errors === 0
        ? `${folder}: no errors, ${problems.length} warnings`
        : `${folder}: ${errors} errors, ${problems.length - errors} warnings`,
    );
    return errors === 0 ? 0 : 1;
  },
};
