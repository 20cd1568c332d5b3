import path from 'node:path';
import { createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import { commandDeclarations } from '../../../server/commands/index.ts';
import { defaultFolder, type SchemasCommand } from '../command.ts';
import { serveLanguage } from './language-server.ts';

/** Serves an editor over stdin and stdout until it ends; whatever else is printed goes to stderr. */
export const lspCommand: SchemasCommand = {
  usage: [
    [
      'lsp [folder]',
      'a language server over stdio for editors: problems at their words, completion, hover, definitions, references and renaming (start it as npm run schemas lsp --silent)',
    ],
  ],
  async run([folder = defaultFolder()]) {
    const connection = createConnection(ProposedFeatures.all, process.stdin, process.stdout);
    await serveLanguage(connection, path.resolve(folder), commandDeclarations);
    // The connection ends the process, once the editor says so or is gone.
    return new Promise(() => undefined);
  },
};
