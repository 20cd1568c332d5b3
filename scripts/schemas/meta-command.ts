import { existsSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { createLoader } from '../../server/layouts/load/load.ts';
import { watchFolder } from '../../server/layouts/load/watch.ts';
import { defaultFolder, type SchemasCommand } from './command.ts';
import { describeNames, editorSchemas, namesFile } from './names/editor-schemas.ts';
import { readNamedFolder } from './names/name-lists.ts';
import { describeReplies, replyTypesFile } from './reply-types.ts';

const metaOf = (folder: string): string => path.join(folder, 'meta');

/** Editors read the file at any time: it is replaced in one step. */
async function writeNames(folder: string): Promise<void> {
  const names = describeNames(await readNamedFolder(path.resolve(folder)));
  const file = path.join(metaOf(folder), namesFile);
  await writeFile(`${file}.new`, `${JSON.stringify(names, null, 1)}\n`);
  await rename(`${file}.new`, file);
}

/**
 * Writes the JSON Schemas by which editors complete and explain documents, and the names of the folder for them; of the
 * product's own documents also the types of what operations answer.
 */
export const metaCommand: SchemasCommand = {
  usage: [
    [
      'meta [folder]',
      'write the JSON Schemas that editors use, the names of the folder for them, and the types by which commands read replies',
    ],
  ],
  async run([folder = defaultFolder()]) {
    await mkdir(metaOf(folder), { recursive: true });
    for (const [kind, schema] of Object.entries(editorSchemas()))
      await writeFile(path.join(metaOf(folder), `${kind}.schema.json`), `${JSON.stringify(schema, null, 2)}\n`);
    await writeNames(folder);
    if (path.resolve(folder) === path.resolve('schemas'))
      await writeFile(replyTypesFile, describeReplies(createLoader(folder)().sources));
    return 0;
  },
};

/** Writes only what differs from folder to folder; a folder without schemas for editors needs none of it. */
export const namesCommand: SchemasCommand = {
  usage: [
    [
      'names [folder]',
      'write only the names of the folder, as npm ci, npm start and npm run dev do; with -- --watch again after every save',
    ],
  ],
  async run(args) {
    const { positionals, values } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { watch: { type: 'boolean', default: false } },
    });
    const [folder = defaultFolder()] = positionals;
    if (!existsSync(metaOf(folder))) return 0;
    await writeNames(folder);
    if (!values.watch) return 0;
    await watchFolder(path.resolve(folder), () => writeNames(folder));
    return new Promise(() => undefined);
  },
};
