import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const sources = [
  'client',
  'server',
  'shared',
  'scripts/build',
  'scripts/build.ts',
  'package-lock.json',
  'tsconfig.json',
];

/** A hash over the names and contents of everything that the build reads, so that an unchanged tree is not built again. */
export async function hashSources(root: string): Promise<string> {
  const hash = createHash('sha256').update(process.version);
  for (const source of sources) {
    for (const file of await filesOf(root, source)) {
      hash.update(`\0${file}\0`).update(await readFile(join(root, file)).catch(() => ''));
    }
  }
  return hash.digest('hex');
}

async function filesOf(root: string, source: string): Promise<string[]> {
  const entries = await readdir(join(root, source), { recursive: true, withFileTypes: true }).catch(() => undefined);
  if (!entries) return [source];
  return entries
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort();
}
