import { commandDeclarations } from '../../../server/commands/index.ts';
import type { NamedFolder } from '../../../server/editing/name-lists.ts';
import { createLoader } from '../../../server/layouts/load/load.ts';
import { createCompiler } from '../../../server/layouts/pipeline.ts';

/**
 * Reads a folder of documents and gives the names in it (operations, texts, popups, and so on), whether right or wrong.
 */
export async function readNamedFolder(folder: string): Promise<NamedFolder> {
  const { sources } = createLoader(folder)();
  const { names, texts } = createCompiler().compile(sources, commandDeclarations).compiled;
  return { names, texts };
}
