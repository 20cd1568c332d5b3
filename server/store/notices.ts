import { EventEmitter } from 'node:events';
import { sql, type Transaction } from 'kysely';
import type { Logger } from 'pino';
import { listenOn } from '../database/listen.ts';
import type { Tables } from './tables.ts';

/**
 * What one process tells all of them: a session ended, another took its place in the same browser, its principal changed,
 * or a file that is made for it has come on. `missed` tells this process alone that notices may have passed it by.
 */
export type Notice =
  | { readonly kind: 'ended' | 'replaced' | 'changed' | 'exports'; readonly session: string }
  | { readonly kind: 'missed' };

/** Notices reach this process at once and every other one through the database. */
export type Notices = {
  /** Sends a notice to the other processes when `transaction` commits. */
  send(transaction: Transaction<Tables>, notice: Notice): Promise<void>;
  /** Tells this process; called after the commit. */
  tell(notice: Notice): void;
  /** Calls `listener` for every notice; gives the function that ends it. */
  listen(listener: (notice: Notice) => void): () => void;
  /** False while notices of other processes may be missed: then nothing may be answered from memory. */
  isListening(): boolean;
  /** Starts to receive notices of other processes. */
  start(): void;
  close(): Promise<void>;
};

function createLocal(): Pick<Notices, 'tell' | 'listen'> {
  const emitter = new EventEmitter();
  emitter.setMaxListeners(0);
  return {
    tell: notice => void emitter.emit('notice', notice),
    listen(listener) {
      emitter.on('notice', listener);
      return () => void emitter.off('notice', listener);
    },
  };
}

/** Creates the channel for notices to other processes, within this process alone: an embedded database has no other. */
export function createLocalNotices(): Notices {
  return {
    ...createLocal(),
    send: async () => undefined,
    isListening: () => true,
    start: () => undefined,
    close: async () => undefined,
  };
}

const channel = 'portal';

/**
 * Creates the channel for notices between processes, over LISTEN and NOTIFY on a connection of its own; while that is
 * down `isListening` is false. Calls `recordReply` at every answer of the database.
 */
export function createPostgresNotices(connectionString: string, log: Logger, recordReply: () => void): Notices {
  const local = createLocal();
  /** Told once, not with every try. */
  let isAway = false;
  const listening = listenOn({
    config: { connectionString },
    channel,
    onReply: recordReply,
    onNotification(payload) {
      try {
        local.tell(JSON.parse(payload) as Notice);
      } catch {
        log.warn('a notice could not be read');
      }
    },
    onConnected() {
      if (isAway) log.info('the database answers again');
      isAway = false;
      local.tell({ kind: 'missed' });
    },
    onFailure({ message }) {
      if (!isAway) log.warn({ reason: message }, 'the database does not answer; sessions are read per request');
      isAway = true;
    },
  });
  return {
    ...local,
    async send(transaction, notice) {
      await sql`select pg_notify(${channel}, ${JSON.stringify(notice)})`.execute(transaction);
    },
    isListening: listening.isListening,
    start() {
      void listening.start();
    },
    close: listening.close,
  };
}
