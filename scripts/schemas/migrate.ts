import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Documents, Migration } from './migrations/migration.ts';
import { nameRequirements } from './migrations/requirements.ts';

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
