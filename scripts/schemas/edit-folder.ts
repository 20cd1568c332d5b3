import { mkdir, readdir, readFile, rmdir, unlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { applyEdits, type JSONPath, modify } from 'jsonc-parser';
import { formatDocument } from '../../server/editing/format.ts';

export type Document = { readonly file: string; text: string; readonly json: Record<string, unknown> };

/** Reads the documents of a folder, without its JSON Schemas. */
export async function readDocuments(folder: string): Promise<Document[]> {
  const files = (await readdir(folder, { recursive: true })).filter(
    file => file.endsWith('.json') && !file.startsWith('meta'),
  );
  return Promise.all(
    files.sort().map(async file => {
      const text = await readFile(path.join(folder, file), 'utf8');
      return { file, text, json: JSON.parse(text) };
    }),
  );
}

/**
 * Changes `document.text` in place: sets, adds (after the property `behind`) or removes (`value` undefined) the
 * property at the path `at`. Everything else stays as written.
 */
export function setIn(document: Document, at: JSONPath, value: unknown, behind?: string): void {
  const getInsertionIndex = (names: string[]): number => names.indexOf(behind ?? '') + 1 || names.length;
  document.text = applyEdits(document.text, modify(document.text, at, value, { getInsertionIndex }));
}

/** Writes documents, in the project's format. */
export async function writeDocuments(folder: string, documents: readonly Document[]): Promise<void> {
  await Promise.all(
    documents.map(({ file, text }) => writeFile(path.resolve(folder, file), formatDocument(JSON.parse(text)))),
  );
}

/**
 * Reads a folder's documents, calls `change` on them, and writes those that it changed, added or removed. Gives their
 * files.
 */
export async function editDocuments(
  folder: string,
  change: (documents: Document[]) => void,
): Promise<readonly string[]> {
  const documents = await readDocuments(folder);
  const before = new Map(documents.map(({ file, text }) => [file, text]));
  change(documents);
  const changed = documents.filter(({ file, text }) => text !== before.get(file));
  const files = new Set(documents.map(({ file }) => file));
  const gone = [...before.keys()].filter(file => !files.has(file));
  for (const { file } of changed) await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
  await writeDocuments(folder, changed);
  for (const file of gone) {
    await unlink(path.join(folder, file));
    // What else lies in the folder keeps it.
    await rmdir(path.dirname(path.join(folder, file))).catch(() => undefined);
  }
  return [...changed.map(({ file }) => file), ...gone];
}
