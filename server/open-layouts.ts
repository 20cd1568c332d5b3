import { commandDeclarations } from './commands/index.ts';
import { createLayouts, type Layouts } from './layouts/index.ts';

type Options = Omit<Parameters<typeof createLayouts>[0], 'commands'>;

/** Loads the portal's folder of documents, with the commands that they may name, and follows its edits. */
export const openLayouts = (options: Options): Promise<Layouts> =>
  createLayouts({ ...options, commands: commandDeclarations });
