import path from 'node:path';
import { parseArgs } from 'node:util';
import { addRefreshes, beginOperation, needsOf, readBegun } from './begin-operation.ts';
import { defaultFolder, type SchemasCommand } from './command.ts';
import { compareWithCloud } from './contract.ts';
import { editDocuments } from './edit-folder.ts';
import { importInto } from './import-folder.ts';
import type { OpenApi } from './open-api-types.ts';
import { readOpenApi } from './read-open-api.ts';

/** Prints what of a cloud's description could not be read. @returns how much that is */
function tellUnread({ unread }: OpenApi): number {
  for (const line of unread) console.error(`not read: ${line}`);
  return unread.size;
}

/** Prints where contracts and a cloud differ; the exit code is 1 where they do. */
export const contractCommand: SchemasCommand = {
  usage: [
    [
      'contract -- openapi.json [folder]',
      'what operations say of their replies that a cloud no longer offers, or otherwise; a file or an address',
    ],
  ],
  async run([source, folder = 'schemas']) {
    if (source === undefined) return undefined;
    const openApi = await readOpenApi(source);
    const found = await compareWithCloud(folder, openApi);
    for (const line of found) console.log(path.join(folder, line));
    console.log(`${folder}: ${found.length} differences`);
    return tellUnread(openApi) + found.length === 0 ? 0 : 1;
  },
};

/**
 * Writes what a cloud says of the replies of operations, and begins operations that are not there yet. The exit code is 1
 * where some of what was asked for could not be read.
 */
export const importCommand: SchemasCommand = {
  usage: [
    [
      'import -- openapi.json [operation…]',
      'write what a cloud says of their replies into operations, of all or of these',
    ],
    [
      'import -- openapi.json orders.list=/api/orders --requires reseller-side',
      'write an operation that is not there yet, with its parameters, reply and form; "orders.place=POST /api/orders" for what is no GET',
    ],
  ],
  async run(args) {
    const { positionals, values } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { requires: { type: 'string' } },
    });
    const [source, ...words] = positionals;
    if (source === undefined) return undefined;
    const openApi = await readOpenApi(source);
    const changed = await editDocuments(defaultFolder(), documents => {
      const begun = words.flatMap(word => readBegun(word) ?? []);
      for (const operation of begun) beginOperation(documents, openApi, operation, values.requires);
      addRefreshes(documents, begun);
      importInto(documents, openApi, [
        ...words.filter(word => readBegun(word) === undefined),
        ...begun.map(({ name }) => name),
      ]);
    });
    for (const word of words) {
      const operation = readBegun(word);
      const needs = operation && needsOf(openApi, operation);
      if (operation && needs !== undefined) console.log(`${operation.name}: ${needs}`);
    }
    console.log(changed.length === 0 ? 'nothing to write' : changed.join('\n'));
    return tellUnread(openApi) === 0 ? 0 : 1;
  },
};
