import { realpathSync } from 'node:fs';
import path from 'node:path';
import chokidar, { type FSWatcher } from 'chokidar';
import { listFiles } from './list-files.ts';

/** Editors save by writing elsewhere and renaming, in several writes: wait until the folder is quiet for this long. */
const quietMs = 60;
/** A checkout writes many files and may pause between them: with each file that has changed the wait grows. */
const quietPerFileMs = 20;
const longestQuietMs = 500;

/** Gives how long a folder must be quiet, in milliseconds, after so many of its files have changed. */
export const quietAfter = (changed: number): number =>
  Math.min(longestQuietMs, quietMs + quietPerFileMs * Math.max(0, changed - 1));

/** No file system tells that a link above or in the folder leads elsewhere now: it is looked at so often. */
const linksMs = 1000;

/**
 * Calls `onChange` after edits in a folder, one call at a time; an edit during a call leads to another call. Links are
 * followed, also when they are changed to lead elsewhere. Gives the function that stops watching.
 */
export async function watchFolder(dir: string, onChange: () => Promise<void>): Promise<() => Promise<void>> {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let again = false;
  const changed = new Set<string>();
  /** Watches anew where a link leads elsewhere now. */
  const follow = (): void => {
    const now = targetsOf(dir, targets);
    if (now === targets) return;
    targets = now;
    const before = watcher;
    watcher = watch(dir, later);
    void before.close();
    later();
  };
  const run = (): void => {
    if (running) {
      again = true;
      return;
    }
    changed.clear();
    follow();
    targets = targetsOf(dir);
    running = onChange().finally(() => {
      running = undefined;
      if (again) {
        again = false;
        run();
      }
    });
    running.catch(() => {});
  };
  const later = (file?: unknown): void => {
    if (typeof file === 'string') changed.add(file);
    clearTimeout(timer);
    timer = setTimeout(run, quietAfter(changed.size));
  };
  let watcher = watch(dir, later);
  await ready(watcher);
  let targets = targetsOf(dir);
  const links = setInterval(follow, linksMs).unref();
  return async () => {
    clearInterval(links);
    clearTimeout(timer);
    await watcher.close();
    await running?.catch(() => {});
  };
}

function watch(dir: string, later: (file?: unknown) => void): FSWatcher {
  const watcher = chokidar.watch(dir, {
    ignoreInitial: true,
    ignored: path => /(^|[/\\])\.[^/\\]+$|^[/\\]?meta$/.test(path.slice(dir.length)),
  });
  watcher.on('all', (_, file) => later(file));
  // A watch that the system refuses is no reason to stop; what can be read is read once more.
  watcher.on('error', () => later());
  return watcher;
}

const ready = (watcher: FSWatcher): Promise<void> => new Promise(resolve => watcher.once('ready', () => resolve()));

/** Link → where it leads; the folder itself is ''. */
type Targets = ReadonlyMap<string, string>;

/** Reads where the folder and its links lead; `before` itself where nothing has changed. New links are told as edits. */
function targetsOf(dir: string, before?: Targets): Targets {
  const names = before ? [...before.keys()] : ['', ...linksIn(dir)];
  const now = new Map(names.map(name => [name, targetOf(path.join(dir, name))]));
  if (!before) return now;
  if (names.every(name => now.get(name) === before.get(name))) return before;
  return new Map(['', ...linksIn(dir)].map(name => [name, targetOf(path.join(dir, name))]));
}

function targetOf(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return '';
  }
}

function linksIn(dir: string): readonly string[] {
  try {
    return listFiles(dir).links;
  } catch {
    return [];
  }
}
