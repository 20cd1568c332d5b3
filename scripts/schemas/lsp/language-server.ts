import { realpathSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import {
  type CompletionItem,
  CompletionItemKind,
  type Connection,
  type Hover,
  type Location,
  type TextDocumentPositionParams,
  TextDocumentSyncKind,
  TextDocuments,
} from 'vscode-languageserver';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { type Completion, completionsAt } from '../../../server/editing/complete.ts';
import type { Declaration } from '../../../server/editing/declarations.ts';
import { describeName } from '../../../server/editing/describe-name.ts';
import type { EditedFolder } from '../../../server/editing/folder.ts';
import { findDeclarations, findReferences, type NameAt, nameAt } from '../../../server/editing/name-at.ts';
import { readTree, type Token, tokenAt, tokensOf } from '../../../server/editing/tokens.ts';
import { writtenPlace } from '../../../server/editing/written-place.ts';
import type { Problem } from '../../../server/layouts/index.ts';
import { watchFolder } from '../../../server/layouts/load/watch.ts';
import type { CommandDeclaration } from '../../../server/layouts/names/command-declaration.ts';
import type { LongDocument } from '../../../server/layouts/names/source.ts';
import { type EditedDocuments, openDocuments } from './edited-documents.ts';
import { createPropertyHelp } from './property-help.ts';
import { createPublisher } from './publish-problems.ts';
import { renameIn, whatToRename } from './rename-edit.ts';

/** For how long nothing must be typed before documents are checked, and before it is looked for what nobody reaches. */
export type Quiet = { readonly checkMs: number; readonly reachMs: number };

/** A name as no property has it, which is the first of a pair wherever one may stand. */
const anyPair = 'any.pair';

/** A word of an open document, and what is known of the document. */
type Asked = {
  readonly file: string;
  readonly text: TextDocument;
  readonly offset: number;
  readonly token: Token | undefined;
  readonly document: LongDocument | undefined;
};

/**
 * Answers an editor over a connection: tells the problems of all documents of a folder whenever one changes, in the editor
 * or on disk, and what stands at a place. Gives the function that stops it.
 */
export async function serveLanguage(
  connection: Connection,
  folder: string,
  commands: readonly CommandDeclaration[],
  quiet: Quiet = { checkMs: 150, reachMs: 1000 },
): Promise<() => Promise<void>> {
  const dir = realpathSync(folder);
  const edited = openDocuments(dir, commands);
  const help = createPropertyHelp();
  const open = new TextDocuments(TextDocument);
  const addresses = createAddresses(dir, folder);
  const publish = createPublisher(
    (file, told) => void connection.sendDiagnostics({ uri: addresses.of(file), ...told }),
    edited.textOf,
  );
  /** The further problems of the last time, and the files that have changed since. */
  let reach: readonly Problem[] = [];
  const changed = new Set<string>();
  const check = async (hasReach: boolean): Promise<void> => {
    const versions = new Map(
      open.all().flatMap(({ uri, version }) => {
        const file = addresses.fileOf(uri);
        return file === undefined ? [] : [[file, version] as const];
      }),
    );
    const problems = await edited.check();
    if (hasReach) {
      changed.clear();
      reach = edited.checkReach();
    }
    publish([...problems, ...reach.filter(({ file }) => !changed.has(file))], versions);
  };
  const checks = createChecks(quiet, check);

  const ask = ({ textDocument, position }: TextDocumentPositionParams): Asked | undefined => {
    const text = open.get(textDocument.uri);
    const file = addresses.fileOf(textDocument.uri);
    if (!text || file === undefined) return undefined;
    const offset = text.offsetAt(position);
    const token = tokenAt(readTree(text.getText()), offset);
    return { file, text, offset, token, document: edited.documentOf(file) };
  };
  const named = (asked: Asked | undefined): (NameAt & { readonly document: LongDocument }) | undefined => {
    const { token, document, offset = 0 } = asked ?? {};
    const found = token && document && nameAt(document, token, offset);
    return found && { ...found, document: document as LongDocument };
  };
  /** The names that may begin a pair at a name that is no property: texts, operations, paths. */
  const pairsAt = (known: EditedFolder, { file, token }: Asked): readonly Completion[] | undefined => {
    if (!token?.isName) return undefined;
    const document = edited.documentOf(file, anyPair, token);
    const at = [...token.at.slice(0, -1), anyPair];
    return document && completionsAt(known, document, { ...token, at });
  };
  const locate = (declarations: readonly (Declaration & { readonly isName?: boolean })[]): Location[] =>
    declarations.flatMap(one => locationOf(edited, addresses.of(one.file), one));

  connection.onInitialize(() => ({
    capabilities: {
      textDocumentSync: TextDocumentSyncKind.Incremental,
      completionProvider: { triggerCharacters: ['"', '.', ':', ' '] },
      ...{ hoverProvider: true, definitionProvider: true, referencesProvider: true },
      renameProvider: { prepareProvider: true },
    },
  }));
  connection.onInitialized(() => checks.soon());
  open.onDidChangeContent(({ document }) => {
    const file = addresses.fileOf(document.uri);
    if (file === undefined) return;
    edited.edit(file, document.getText());
    changed.add(file);
    checks.soon();
  });
  open.onDidClose(({ document }) => {
    const file = addresses.fileOf(document.uri);
    if (file !== undefined) edited.edit(file, undefined);
    checks.soon();
  });

  connection.onCompletion(async (params): Promise<CompletionItem[]> => {
    const asked = ask(params);
    if (!asked) return [];
    const { text, token, document, offset } = asked;
    const known = edited.folder();
    const found = (token && document && completionsAt(known, document, token)) ?? pairsAt(known, asked);
    const properties = found && !token?.isName ? [] : await help.complete(text, offset, known);
    if (!token || !found) return [...properties];
    const range = { start: text.positionAt(token.start), end: text.positionAt(token.end) };
    const words = found.map(({ word, says }) => ({
      ...{ label: word, kind: CompletionItemKind.Value, filterText: word },
      textEdit: { range, newText: word },
      ...(says !== '' && { detail: says }),
    }));
    return [...words, ...properties];
  });

  connection.onHover(async (params): Promise<Hover | undefined> => {
    const asked = ask(params);
    const found = named(asked);
    if (!asked) return undefined;
    const known = edited.folder();
    const says = found && describeName(known, found);
    if (!found || !says || says.length === 0) return help.hover(asked.text, asked.offset, known);
    const range = { start: asked.text.positionAt(found.span.start), end: asked.text.positionAt(found.span.end) };
    return { range, contents: { kind: 'plaintext', value: says.join('\n') } };
  });

  connection.onDefinition(params => {
    const found = named(ask(params));
    return found ? locate(findDeclarations(edited.folder(), found.document, found)) : [];
  });

  connection.onReferences(params => {
    const found = named(ask(params));
    if (!found) return [];
    const known = edited.folder();
    const declared = params.context.includeDeclaration ? findDeclarations(known, found.document, found) : [];
    const uses = findReferences(known, found.document, found).map(({ source, reference }) => {
      // A thing with a name is found at the word that says the name.
      const place = writtenPlace(source, reference);
      const at = place?.at ?? source.written?.at(reference.at) ?? reference.at;
      return { file: source.file, at, isName: place?.isName === true };
    });
    return locate([...declared, ...uses]);
  });

  connection.onPrepareRename(params => {
    const asked = ask(params);
    const found = named(asked);
    if (!asked || !found) return null;
    const { start, end } = found.span;
    const range = { start: asked.text.positionAt(start), end: asked.text.positionAt(end) };
    return { range, placeholder: whatToRename(found) };
  });
  connection.onRenameRequest(async params => {
    const found = named(ask(params));
    return found ? renameIn(edited, addresses.of, commands, found, params.newName) : null;
  });

  open.listen(connection);
  connection.listen();
  const unwatch = await watchFolder(dir, async () => checks.soon());
  return async () => {
    await checks.stop();
    await unwatch();
    connection.dispose();
  };
}

/** The addresses of documents in an editor: those of the folder as it was named, also where that is a link. */
function createAddresses(dir: string, folder: string) {
  const base = path.resolve(folder);
  return {
    of: (file: string): string => pathToFileURL(path.join(base, file)).href,
    fileOf(address: string): string | undefined {
      if (!address.startsWith('file:')) return undefined;
      const full = fileURLToPath(address);
      const inside = [base, dir].map(one => path.relative(one, full)).find(one => !one.startsWith('..'));
      const file = inside?.split(path.sep).join('/');
      return file?.endsWith('.json') && !/^meta\/|(^|\/)\./.test(file) ? file : undefined;
    },
  };
}

/**
 * Runs checks one after the other: soon after the last call, and with what takes longer once it stays quiet. One that is
 * asked for while another runs follows it.
 */
function createChecks({ checkMs, reachMs }: Quiet, check: (hasReach: boolean) => Promise<void>) {
  const timers: NodeJS.Timeout[] = [];
  let running = Promise.resolve();
  const after = (ms: number, hasReach: boolean): void => {
    const run = (): void => {
      running = running.then(() => check(hasReach)).catch((error: Error) => console.error(error.message));
    };
    timers.push(setTimeout(run, ms));
  };
  const clear = (): void => {
    for (const timer of timers.splice(0)) clearTimeout(timer);
  };
  return {
    soon(): void {
      clear();
      if (reachMs > 0) after(checkMs, false);
      after(checkMs + reachMs, true);
    },
    stop(): Promise<void> {
      clear();
      return running;
    },
  };
}

function locationOf(
  edited: EditedDocuments,
  uri: string,
  { file, at, isName }: Declaration & { readonly isName?: boolean },
): Location[] {
  const text = edited.textOf(file);
  if (text === undefined) return [];
  const document = TextDocument.create(uri, 'json', 0, text);
  const { name, value } = tokensOf(readTree(text), at);
  const { start, end } = (isName === false ? (value ?? name) : (name ?? value)) ?? { start: 0, end: 0 };
  return [{ uri, range: { start: document.positionAt(start), end: document.positionAt(end) } }];
}
