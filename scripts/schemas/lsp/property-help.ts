import path from 'node:path';
import languageService, {
  type CompletionItem,
  type Hover,
  type LanguageService,
  type TextDocument,
} from 'vscode-json-languageservice';
import type { NamedFolder } from '../../../server/editing/name-lists.ts';
import { editorSchemas } from '../names/editor-schemas.ts';

/**
 * Gives what the JSON Schemas of the language say at a place of a document: names of properties, kinds of nodes, icons.
 */
export type PropertyHelp = {
  complete(document: TextDocument, offset: number, folder: NamedFolder): Promise<readonly CompletionItem[]>;
  hover(document: TextDocument, offset: number, folder: NamedFolder): Promise<Hover | undefined>;
};

/** The titles of the language's schemas are names for its checker, and tell an author nothing. */
const withoutTitle = (key: string, value: unknown): unknown =>
  key === 'title' && typeof value === 'string' ? undefined : value;

/** Makes the help for properties. Its schemas hold the names of the folder, and are made again when these change. */
export function createPropertyHelp(): PropertyHelp {
  let names: unknown;
  let service: LanguageService | undefined;
  const serviceFor = (folder: NamedFolder): LanguageService => {
    if (service && names === folder.names) return service;
    const schemas = editorSchemas(folder);
    names = folder.names;
    service = languageService.getLanguageService({
      schemaRequestService: async address => JSON.stringify(schemas[path.posix.basename(address)] ?? {}, withoutTitle),
      workspaceContext: { resolveRelativePath: (relative, resource) => new URL(relative, resource).href },
    });
    return service;
  };
  return {
    async complete(document, offset, folder) {
      const own = serviceFor(folder);
      const list = await own.doComplete(document, document.positionAt(offset), own.parseJSONDocument(document));
      return list?.items ?? [];
    },
    async hover(document, offset, folder) {
      const own = serviceFor(folder);
      return (await own.doHover(document, document.positionAt(offset), own.parseJSONDocument(document))) ?? undefined;
    },
  };
}
