import { rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from 'pino';
import { type EmbeddedEngine, isDeadEngine, openEngine } from '../database/embedded-engine.ts';
import { PortalError } from '../errors.ts';
import { LockError, takeLock } from './lock.ts';

/** The embedded database of one folder, which one process at a time may use. */
export type Embedded = {
  connect(): Promise<pg.PoolClient>;
  /** Fails at once what waits for an engine that died, since that would wait for ever. */
  guard<T>(work: () => Promise<T>): Promise<T>;
  /** Is told of every query that ended with its error where it failed, also of one whose work will never hear of it. */
  note(error: unknown): void;
  figures(): { readonly isUp: boolean; readonly connections: number; readonly waiting: number };
  /** False where there is no room for a write. */
  hasRoom(): Promise<boolean>;
  close(): Promise<void>;
};

const pause = 1000;
/** Milliseconds; an engine that cannot write may never say so. */
const longestOpening = 60_000;

/** Like `openEngine`, but no longer than `longestOpening`. */
function openInTime(folder: string): Promise<EmbeddedEngine> {
  return new Promise((resolve, reject) => {
    const late = () => reject(new PortalError('STORE_DOWN', { detail: 'opening takes too long' }));
    const timer = setTimeout(late, longestOpening);
    timer.unref();
    void openEngine(folder)
      .then(resolve, reject)
      .finally(() => clearTimeout(timer));
  });
}

/** Bytes of the file by which room is looked for, and milliseconds for which what was found counts. */
const room = 64 * 1024;
const roomCounts = 1000;

/** Finds out whether a file can be written, at most once a second however often it is asked. */
function createRoomCheck(file: string): () => Promise<boolean> {
  let last: { readonly at: number; readonly found: Promise<boolean> } | undefined;
  const look = async (): Promise<boolean> => {
    try {
      await writeFile(file, Buffer.alloc(room));
      return true;
    } catch {
      return false;
    } finally {
      await rm(file, { force: true }).catch(() => undefined);
    }
  };
  return () => {
    if (!last || performance.now() - last.at > roomCounts) last = { at: performance.now(), found: look() };
    return last.found;
  };
}

/** Why the engine did not open, in one line: its own words may be those of a machine. */
async function explain(dataDir: string, { message }: Error): Promise<string> {
  const { bavail, bsize } = await statfs(dataDir);
  const [reason = ''] = message.split('\n');
  const free = Math.floor((bavail * bsize) / 2 ** 20);
  return `DATA_DIR ${dataDir}: the embedded database cannot be opened (${reason}). There are ${free} MB free on its disk.`;
}

/**
 * Opens the embedded database in `<dataDir>/portal`. If its engine dies, as on a full disk, it is opened anew until it
 * works; until then all queries fail. Throws LockError when another process uses the folder.
 */
export async function openEmbedded(dataDir: string, log: Logger): Promise<Embedded> {
  const lock = await takeLock(dataDir);
  const folder = join(dataDir, 'portal');
  let engine: EmbeddedEngine | undefined;
  /** Fails the work that is under way. */
  const waiting = new Set<(error: PortalError) => void>();
  let closed = false;

  const revive = async (): Promise<void> => {
    while (!engine && !closed) {
      await sleep(pause, undefined, { ref: false });
      try {
        engine = await openInTime(folder);
        log.info('the embedded database is there again');
      } catch (error) {
        log.error({ reason: (error as Error).message }, 'the embedded database cannot be opened');
      }
    }
  };
  const bury = (cause: unknown): void => {
    if (!engine) return;
    engine = undefined;
    log.error({ err: cause }, 'the embedded database stopped and is opened anew');
    for (const fail of waiting) fail(new PortalError('STORE_DOWN', { cause }));
    waiting.clear();
    void revive();
  };

  try {
    engine = await openEngine(folder);
  } catch (error) {
    await lock.release();
    throw new LockError(await explain(dataDir, error as Error));
  }
  const looksForRoom = createRoomCheck(join(dataDir, 'portal.room'));
  return {
    async connect() {
      if (!engine) throw new PortalError('STORE_DOWN', { detail: 'the embedded database stopped' });
      return engine.pool.connect();
    },
    guard: work =>
      new Promise((resolve, reject) => {
        waiting.add(reject);
        void work()
          .then(resolve, reject)
          .finally(() => waiting.delete(reject));
      }),
    note(error) {
      if (error !== undefined && isDeadEngine(error)) bury(error);
    },
    figures: () => ({
      isUp: engine !== undefined,
      connections: engine ? 1 : 0,
      waiting: engine?.pool.waitingCount ?? 0,
    }),
    hasRoom: looksForRoom,
    async close() {
      closed = true;
      await engine?.pool.end();
      await engine?.close();
      await lock.release();
    },
  };
}
