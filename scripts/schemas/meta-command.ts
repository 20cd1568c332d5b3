import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { metaSchemas } from '../../shared/language/meta.ts';
import type { SchemasCommand } from './command.ts';

const folder = 'schemas/meta';

/** Writes the JSON Schemas by which editors complete and explain documents. */
export const metaCommand: SchemasCommand = {
  usage: [['meta', 'write the JSON Schemas that editors use']],
  async run() {
    await mkdir(folder, { recursive: true });
    for (const [kind, schema] of Object.entries(metaSchemas()))
      await writeFile(path.join(folder, `${kind}.schema.json`), `${JSON.stringify(schema, null, 2)}\n`);
    return 0;
  },
};
