import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** The embedded database has no lock of its own: two processes on one folder would lose rows in silence. */
export type FolderLock = { release(): Promise<void> };

/** The folder cannot be had: a living process has it (`owner`), or it cannot be written (`code`). */
export class FolderLockError extends Error {
  readonly file: string;
  readonly owner: number | undefined;
  readonly code: string | undefined;
  constructor(file: string, { owner, code, cause }: { owner?: number; code?: string; cause?: unknown }) {
    super(owner === undefined ? `${file} cannot be written (${code})` : `${file} is in use by process ${owner}`, {
      cause,
    });
    this.file = file;
    this.owner = owner;
    this.code = code;
  }
}

/** `start`: when the process began, since the id of a killed one is soon another's. Absent in locks of older versions. */
type Owner = {
  readonly host: string;
  readonly pid: number;
  readonly start?: number | undefined;
  readonly token: string;
};

/** Milliseconds between two signs of life. */
const beat = 3000;
/** An owner on another host counts as gone after this many milliseconds without a sign of life. */
const silence = 15_000;
/** How often, and with which pause in milliseconds, a lock is tried whose dead owner others clear away too. */
const rounds = 100;
const pause = 20;
/** Locks of this process. */
const held = new Set<string>();

/** When a living process began, in clock ticks since the machine did (Linux; 0 elsewhere); undefined for a dead one. */
function startOf(pid: number): number | undefined {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return undefined;
  }
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the command in parentheses and may hold spaces; the start is the twentieth after it.
    return Number(fields.slice(fields.lastIndexOf(')') + 2).split(' ')[19]);
  } catch {
    return 0;
  }
}

async function isStale(file: string, owner: Owner | undefined): Promise<boolean> {
  if (held.has(file)) return false;
  if (owner?.host !== hostname()) return (await ageOf(file)) > silence;
  if (owner.pid === process.pid) return true;
  const start = startOf(owner.pid);
  return start === undefined || (owner.start !== undefined && owner.start !== start);
}

/**
 * Milliseconds since the last sign of life; none for a file that is gone: whoever would clear that away would remove the
 * file of the next owner, who writes it meanwhile.
 */
const ageOf = (file: string): Promise<number> =>
  stat(file).then(
    ({ mtimeMs }) => Date.now() - mtimeMs,
    () => 0,
  );

async function readOwner(file: string): Promise<Owner | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Owner;
  } catch {
    return undefined;
  }
}

/** Writes a file that is not there yet; false where it is. */
async function create(file: string, text: string): Promise<boolean> {
  try {
    await writeFile(file, text, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Removes the file of a dead owner. One process at a time does so: a second that has read the dead owner's file, and
 * comes late, would remove that of the next owner.
 */
async function clear(file: string): Promise<void> {
  const clearing = `${file}.clearing`;
  if (!(await create(clearing, ''))) {
    if ((await ageOf(clearing)) > silence) await rm(clearing, { force: true });
    return;
  }
  try {
    if (await isStale(file, await readOwner(file))) await rm(file, { force: true });
  } finally {
    await rm(clearing, { force: true });
  }
}

/** Not mkdir's own `recursive`: in a folder that takes nothing in (/proc) it never ends. */
async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && (await stat(folder)).isDirectory()) return;
    if (code !== 'ENOENT' || dirname(folder) === folder) throw error;
    await makeFolder(dirname(folder));
    await mkdir(folder);
  }
}

/**
 * Takes `<folder>/<name>.lock` for this process, creating the folder. Throws FolderLockError when a living process has
 * it or the folder cannot be written.
 */
export async function lockFolder(folder: string, name: string): Promise<FolderLock> {
  const file = join(folder, `${name}.lock`);
  const own: Owner = { host: hostname(), pid: process.pid, start: startOf(process.pid), token: randomUUID() };
  let owner: Owner | undefined;
  try {
    await makeFolder(folder);
    for (let round = 0; round < rounds; round++) {
      if (await create(file, JSON.stringify(own))) return hold(file, own);
      owner = await readOwner(file);
      if (await isStale(file, owner)) await clear(file);
      // Without an owner it is being written.
      else if (owner) break;
      await sleep(pause);
    }
  } catch (error) {
    throw new FolderLockError(file, { code: (error as NodeJS.ErrnoException).code ?? String(error), cause: error });
  }
  throw new FolderLockError(file, { owner: owner?.pid ?? 0 });
}

function hold(file: string, own: Owner): FolderLock {
  held.add(file);
  const timer = setInterval(() => void utimes(file, new Date(), new Date()).catch(() => undefined), beat);
  timer.unref();
  return {
    async release() {
      clearInterval(timer);
      held.delete(file);
      if ((await readOwner(file))?.token === own.token) await rm(file, { force: true });
    },
  };
}
