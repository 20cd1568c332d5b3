import { type Dirent, readdirSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { type Problem, problemOfFile } from '../names/problem.ts';

type Listed = {
  /** Relative to the folder, with "/" between names, sorted. */
  readonly files: readonly string[];
  /** Links, relative to the folder: what they lead to may change without a word of the file system. */
  readonly links: readonly string[];
  /** Files that look like documents and are none. */
  readonly problems: readonly Problem[];
};

/**
 * Lists every `.json` below a folder, without hidden files and the folder `meta` at its top. Links to files and folders
 * are followed; one that leads nowhere, or back to a folder that it stands in, is a problem. Throws the file system's
 * error where the folder itself cannot be read.
 */
export function listFiles(dir: string): Listed {
  const files: string[] = [];
  const links: string[] = [];
  const problems: Problem[] = [];
  const visit = (folder: string, above: readonly string[]): void => {
    for (const entry of readdirSync(path.join(dir, folder), { withFileTypes: true })) {
      const file = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.name.startsWith('.') || file === 'meta') continue;
      if (entry.isSymbolicLink()) links.push(file);
      const kind = kindOf(entry, path.join(dir, file));
      if (kind === 'lost') problems.push(problemOfFile(file, 'This link leads nowhere.'));
      else if (kind === 'file') {
        if (file.endsWith('.json')) files.push(file);
        else if (/\.jsonc$|\.json5$/i.test(file)) problems.push(notRead(file));
      } else if (kind === 'folder') {
        const real = realpathSync(path.join(dir, file));
        if (above.includes(real))
          problems.push(problemOfFile(file, 'This link leads back to a folder that it stands in.'));
        else visit(file, [...above, real]);
      }
    }
  };
  visit('', [realpathSync(dir)]);
  return { files: files.sort(), links, problems };
}

const notRead = (file: string): Problem => ({
  ...problemOfFile(file, 'This is not read: the name of a document ends in ".json", and it has no comments.'),
  severity: 'warning',
});

function kindOf(entry: Dirent, full: string): 'file' | 'folder' | 'lost' | undefined {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'folder';
  if (!entry.isSymbolicLink()) return undefined;
  try {
    const info = statSync(full);
    return info.isFile() ? 'file' : info.isDirectory() ? 'folder' : undefined;
  } catch {
    return 'lost';
  }
}
