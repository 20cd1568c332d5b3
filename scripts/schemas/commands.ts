import { explainCommand, listCommand } from './caller-commands.ts';
import { checkCommand } from './check-command.ts';
import { contractCommand, importCommand } from './cloud-commands.ts';
import type { SchemasCommand } from './command.ts';
import { countCommand } from './count-command.ts';
import { diffCommand } from './diff-command.ts';
import { expandCommand } from './expand-command.ts';
import { formatCommand } from './format-command.ts';
import { lspCommand } from './lsp/lsp-command.ts';
import { metaCommand, typesCommand } from './meta-command.ts';
import { mistakesCommand } from './mistakes/mistakes-command.ts';
import { newCommand } from './new-command.ts';
import { operationsCommand } from './operations-command.ts';
import { renameCommand } from './rename-command.ts';
import { usesCommand } from './uses-command.ts';

/** The commands of `npm run schemas`, in the order of the usage. */
export const schemasCommands: Readonly<Record<string, SchemasCommand>> = {
  check: checkCommand,
  list: listCommand,
  explain: explainCommand,
  expand: expandCommand,
  operations: operationsCommand,
  uses: usesCommand,
  rename: renameCommand,
  lsp: lspCommand,
  diff: diffCommand,
  new: newCommand,
  format: formatCommand,
  count: countCommand,
  mistakes: mistakesCommand,
  contract: contractCommand,
  import: importCommand,
  meta: metaCommand,
  types: typesCommand,
};
