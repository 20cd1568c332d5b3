import { mkdir, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { commandDeclarations } from '../../server/commands/index.ts';
import { RenameError, rename } from '../../server/editing/rename.ts';
import { createLoader } from '../../server/layouts/load/load.ts';
import { formatProblem } from '../../server/layouts/names/problem.ts';
import { defaultFolder, type SchemasCommand } from './command.ts';

/** Renames a text, operation, part or field of a reply everywhere, or nothing: the documents are checked before. */
export const renameCommand: SchemasCommand = {
  usage: [
    [
      'rename OLD NEW',
      'give a text, an operation, a part or a field of a reply (customers.list.Items.Name) another name everywhere, or nothing where the documents would not be right',
    ],
  ],
  async run([from, to, folder = defaultFolder()]) {
    if (from === undefined || to === undefined) return undefined;
    const { sources, problems } = createLoader(path.resolve(folder))();
    try {
      if (problems.length > 0) throw new RenameError(problems.map(formatProblem).join('\n'));
      const files = await rename(sources, commandDeclarations, from, to);
      for (const { file, text } of files) {
        const full = path.resolve(folder, file);
        if (text === undefined) await unlink(full);
        else {
          await mkdir(path.dirname(full), { recursive: true });
          await writeFile(full, text);
        }
        console.log(`${text === undefined ? 'removed' : 'changed'} ${path.join(folder, file)}`);
      }
      console.log(`"${from}" is "${to}" now, in ${files.length} files`);
      return 0;
    } catch (error) {
      if (!(error instanceof RenameError)) throw error;
      console.error(`Nothing was renamed. ${error.message}`);
      return 1;
    }
  },
};
