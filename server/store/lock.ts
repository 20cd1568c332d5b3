import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';

/** The embedded database has no lock of its own: two processes on one folder would lose rows in silence. */
export type Lock = { release(): Promise<void> };

/** Somebody else uses the folder, or it cannot be written; the message is fit to be the only line printed. */
export class LockError extends Error {}

type Owner = { readonly host: string; readonly pid: number; readonly token: string };

const beat = 3000;
/** An owner on another host counts as gone after this many milliseconds without a sign of life. */
const silence = 15_000;
const held = new Set<string>();

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function isStale(file: string, owner: Owner | undefined): Promise<boolean> {
  if (held.has(file)) return false;
  if (owner?.host === hostname()) return owner.pid === process.pid || !isAlive(owner.pid);
  const age = Date.now() - (await stat(file)).mtimeMs;
  return age > silence;
}

async function readOwner(file: string): Promise<Owner | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Owner;
  } catch {
    return undefined;
  }
}

/** Moves a dead owner's file aside; gives false when another process was quicker and owns it now. */
async function clear(file: string, stale: Owner | undefined): Promise<boolean> {
  const aside = `${file}.${randomUUID()}`;
  try {
    await rename(file, aside);
  } catch {
    return true;
  }
  const moved = await readOwner(aside);
  if (moved?.token === stale?.token) {
    await rm(aside, { force: true });
    return true;
  }
  await rename(aside, file);
  return false;
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
 * Takes `<folder>/portal.lock` for this process, creating the folder. Throws LockError when a living process has it
 * or the folder cannot be written.
 */
export async function takeLock(folder: string): Promise<Lock> {
  const file = join(folder, 'portal.lock');
  const own: Owner = { host: hostname(), pid: process.pid, token: randomUUID() };
  const unwritable = (error: unknown) =>
    new LockError(`DATA_DIR ${folder} cannot be written (${(error as NodeJS.ErrnoException).code ?? String(error)}).`);
  await makeFolder(folder).catch(error => {
    throw unwritable(error);
  });
  for (let round = 0; round < 3; round++) {
    try {
      await writeFile(file, JSON.stringify(own), { flag: 'wx', mode: 0o600 });
      return hold(file, own);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw unwritable(error);
    }
    const owner = await readOwner(file);
    const stale = await isStale(file, owner).catch(() => true);
    if (!stale || !(await clear(file, owner))) break;
  }
  throw new LockError(`DATA_DIR ${folder} is in use by another portal process (${file}).`);
}

function hold(file: string, own: Owner): Lock {
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
