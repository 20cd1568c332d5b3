import chokidar from 'chokidar';

/** Editors save by writing elsewhere and renaming, in several writes: wait until the folder is quiet for this long. */
const quietMs = 60;

/**
 * Calls `onChange` after edits in a folder, one call at a time; an edit during a call leads to another call.
 * Gives the function that stops watching.
 */
export async function watchFolder(dir: string, onChange: () => Promise<void>): Promise<() => Promise<void>> {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let again = false;
  const run = (): void => {
    if (running) {
      again = true;
      return;
    }
    running = onChange().finally(() => {
      running = undefined;
      if (again) {
        again = false;
        run();
      }
    });
    running.catch(() => {});
  };
  const watcher = chokidar.watch(dir, {
    ignoreInitial: true,
    ignored: path => /(^|[/\\])\.[^/\\]+$|^[/\\]?meta$/.test(path.slice(dir.length)),
  });
  const later = (): void => {
    clearTimeout(timer);
    timer = setTimeout(run, quietMs);
  };
  watcher.on('all', later);
  // A watch that the system refuses is no reason to stop; what can be read is read once more.
  watcher.on('error', later);
  await new Promise<void>(resolve => watcher.once('ready', resolve));
  return async () => {
    clearTimeout(timer);
    await watcher.close();
    await running?.catch(() => {});
  };
}
