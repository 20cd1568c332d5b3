import {
  ErrorCodes,
  type RenameFile,
  ResponseError,
  type TextDocumentEdit,
  type WorkspaceEdit,
} from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Named } from '../../../server/editing/declarations.ts';
import { RenameError, rename } from '../../../server/editing/rename.ts';
import type { CommandDeclaration } from '../../../server/layouts/names/command-declaration.ts';
import type { EditedDocuments } from './edited-documents.ts';

const renamed: ReadonlySet<string> = new Set(['text', 'operation', 'part', 'field']);

const lastOf = (name: string): string => name.slice(name.lastIndexOf('.') + 1);

const refuse = (message: string): ResponseError<void> => new ResponseError(ErrorCodes.InvalidRequest, message);

/** Gives the name that is to be changed: of a field its own, of others the whole. Throws for what is not renamed. */
export function whatToRename({ what, name }: Named): string {
  if (!renamed.has(what)) throw refuse('Texts, operations, parts and fields of replies are renamed.');
  return what === 'field' ? lastOf(name) : name;
}

/** Makes the edit that renames a text, operation, part or field everywhere; throws what keeps it from being whole. */
export async function renameIn(
  edited: EditedDocuments,
  addressOf: (file: string) => string,
  commands: readonly CommandDeclaration[],
  named: Named,
  newName: string,
): Promise<WorkspaceEdit> {
  whatToRename(named);
  const { what, name } = named;
  const to = what === 'field' && !newName.includes('.') ? name.slice(0, -lastOf(name).length) + newName : newName;
  const { sources } = edited.folder();
  try {
    const files = await rename(sources, commands, name, to);
    const known = new Set(sources.map(({ file }) => file));
    const gone = files.find(({ text }) => text === undefined)?.file;
    return {
      documentChanges: files.flatMap(({ file, text }): (RenameFile | TextDocumentEdit)[] => {
        if (text === undefined) return [];
        const uri = addressOf(file);
        const isMoved = gone !== undefined && !known.has(file);
        const before = edited.textOf(isMoved ? gone : file) ?? '';
        const document = TextDocument.create(uri, 'json', 0, before);
        const range = { start: document.positionAt(0), end: document.positionAt(before.length) };
        const edit = { textDocument: { uri, version: null }, edits: [{ range, newText: text }] };
        return isMoved ? [{ kind: 'rename', oldUri: addressOf(gone), newUri: uri }, edit] : [edit];
      }),
    };
  } catch (error) {
    if (error instanceof RenameError) throw refuse(`Nothing was renamed. ${error.message}`);
    throw error;
  }
}
