import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { nameRequirements } from './migrations/requirements.ts';

/** The texts of all documents, by their path in the folder. */
export type Documents = Map<string, string>;

/**
 * Rewrites documents of the first edition of the language. What is of the second edition stays as it is, so that a
 * migration can run again when documents of the first edition have come back. Gives what one should look at.
 */
export type Migration = (documents: Documents) => readonly string[];

/** In the order in which they run. */
const migrations: readonly Migration[] = [nameRequirements];

const root = path.join(import.meta.dirname, '../..');

async function readDocuments(folder: string): Promise<Documents> {
  const entries = await readdir(folder, { recursive: true, encoding: 'utf8' });
  const files = entries.map(file => file.split(path.sep).join('/')).filter(file => file.endsWith('.json'));
  const documents = files.filter(file => !file.startsWith('meta/') && !/(^|\/)\./.test(file)).sort();
  return new Map(
    await Promise.all(documents.map(async file => [file, await readFile(path.join(folder, file), 'utf8')] as const)),
  );
}

/** Rewrites the documents of a folder in place, in the project's format. Gives the files that changed, and notes. */
export async function migrateFolder(folder: string): Promise<{ files: readonly string[]; notes: readonly string[] }> {
  const before = await readDocuments(folder);
  const documents = new Map(before);
  const notes = migrations.flatMap(migrate => migrate(documents));
  const files = [...documents].filter(([file, text]) => before.get(file) !== text).map(([file]) => file);
  const paths = files.map(file => path.resolve(folder, file));
  for (const [index, file] of files.entries()) await writeFile(paths[index] as string, documents.get(file) as string);
  if (paths.length > 0)
    await promisify(execFile)(path.join(root, 'node_modules/.bin/biome'), ['format', '--write', ...paths], {
      cwd: root,
    });
  return { files, notes };
}
