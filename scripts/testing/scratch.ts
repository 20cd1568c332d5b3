import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

/** Bytes; what a run leaves lying about until its end is a quarter of it. */
const room = 4 * 2 ** 30;
const memory = '/dev/shm';

/**
 * Makes one folder for the temporary files of this process and of those that it starts from now on, and deletes it when
 * this process ends. The folder is in memory where there is room, since embedded databases are copied all the time and
 * write through to the disk.
 */
export function openScratch(): void {
  const folder = mkdtempSync(join(hasRoom() ? memory : tmpdir(), 'portal-tests-'));
  // PostgreSQL may run as another user.
  chmodSync(folder, 0o711);
  process.env.TMPDIR = folder;
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
}

function hasRoom(): boolean {
  if (!existsSync(memory) || freemem() < 2 * room) return false;
  const { bavail, bsize } = statfsSync(memory);
  return bavail * bsize >= room;
}
