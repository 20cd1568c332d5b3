import path from 'node:path';
import { commandDeclarations } from '../../server/commands/index.ts';
import { checkFolder } from '../../server/layouts/index.ts';
import { defaultFolder, printProblems, type SchemasCommand } from './command.ts';

/** Prints the problems of a folder; the exit code is 1 when there is an error. */
export const checkCommand: SchemasCommand = {
  usage: [['check [folder]', 'find what is wrong in the documents']],
  async run([folder = defaultFolder()]) {
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
