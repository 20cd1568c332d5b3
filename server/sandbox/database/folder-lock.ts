import { readFileSync } from 'node:fs';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A process, and when it began: after a restart the id of a killed one is soon somebody else's. */
type Mark = { readonly pid: number; readonly start: number };

/** How long the elder of two that start together waits for the other to give up. */
const patienceMilliseconds = 10_000;

/** Folders of this process. */
const held = new Set<string>();

/**
 * Holds a folder for this process, since the embedded database has no lock of its own and a second process would lose
 * rows in silence. Everyone first leaves a file with its mark and then looks for those of others: of two, the later
 * to write sees the earlier, so never do both go on. The files of the dead are removed.
 * @returns what gives the folder back
 * @throws {Error} with one line for the operator when a living process holds the folder
 */
export async function lockFolder(path: string): Promise<() => Promise<void>> {
  const folder = resolve(path);
  const own: Mark = { pid: process.pid, start: startOf(process.pid) ?? 0 };
  if (held.has(folder)) throw refusal(folder, own);
  const file = join(folder, `lock-${own.pid}-${own.start}`);
  await writeFile(file, '');
  held.add(folder);
  const unlock = async () => {
    held.delete(folder);
    await rm(file, { force: true });
  };
  for (const began = Date.now(); ; await sleep(20)) {
    const other = await findLivingOther(folder, own);
    if (other === undefined) return unlock;
    // The elder may meet one that is about to give up; one that does not is the holder.
    if (isElder(other, own) || Date.now() - began > patienceMilliseconds) {
      await unlock();
      throw refusal(folder, other);
    }
  }
}

async function findLivingOther(folder: string, own: Mark): Promise<Mark | undefined> {
  let eldest: Mark | undefined;
  for (const name of await readdir(folder)) {
    const [, pid, start] = /^lock-(\d+)-(\d+)$/.exec(name) ?? [];
    const mark: Mark = { pid: Number(pid), start: Number(start) };
    if (pid === undefined || (mark.pid === own.pid && mark.start === own.start)) continue;
    if (startOf(mark.pid) !== mark.start) await rm(join(folder, name), { force: true });
    else if (eldest === undefined || isElder(mark, eldest)) eldest = mark;
  }
  return eldest;
}

function isElder(one: Mark, other: Mark): boolean {
  return one.start === other.start ? one.pid < other.pid : one.start < other.start;
}

/** When a living process began, in clock ticks since the machine did (Linux; 0 elsewhere). */
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

function refusal(folder: string, { pid }: Mark): Error {
  return new Error(`The data folder ${folder} is in use by process ${pid}. Stop it first or set another DATA_DIR.`);
}
