import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { createLoader } from '../../server/layouts/load/load.ts';
import { watchFolder } from '../../server/layouts/load/watch.ts';
import { defaultFolder, type SchemasCommand } from './command.ts';
import { editorSchemas } from './names/editor-schemas.ts';
import { readNamedFolder } from './names/read-named-folder.ts';
import { describeReplies, replyTypesFile } from './reply-types.ts';

async function writeSchemas(folder: string): Promise<void> {
  const meta = path.join(folder, 'meta');
  await mkdir(meta, { recursive: true });
  for (const [name, schema] of Object.entries(editorSchemas(await readNamedFolder(path.resolve(folder))))) {
    const file = path.join(meta, name);
    // Editors read the file at any time: it is replaced in one step.
    await writeFile(`${file}.new`, `${JSON.stringify(schema)}\n`);
    await rename(`${file}.new`, file);
  }
}

/** Writes the JSON Schemas by which editors complete and explain the documents of a folder. */
export const metaCommand: SchemasCommand = {
  usage: [
    [
      'meta [folder]',
      'write the JSON Schemas that editors use, as npm ci, npm start and npm run dev do; with -- --watch again after every save',
    ],
  ],
  async run(args) {
    const { positionals, values } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { watch: { type: 'boolean', default: false } },
    });
    const [folder = defaultFolder()] = positionals;
    await writeSchemas(folder);
    if (!values.watch) return 0;
    await watchFolder(path.resolve(folder), () => writeSchemas(folder));
    return new Promise(() => undefined);
  },
};

/** Writes the types of what the operations of the product's own documents answer. */
export const typesCommand: SchemasCommand = {
  usage: [['types', 'write the types by which commands read the replies of operations']],
  async run() {
    await writeFile(replyTypesFile, describeReplies(createLoader('schemas')().sources));
    return 0;
  },
};
