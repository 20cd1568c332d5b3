import { EventEmitter } from 'node:events';
import { sql, type Transaction } from 'kysely';
import type { Logger } from 'pino';
import { listenOn } from '../database/listen.ts';
import type { Tables } from './tables.ts';

/**
 * What one process tells all of them: a session ended, another took its place in the same browser, or its principal
 * changed. `missed` tells this process alone that notices may have passed it by.
 */
export type Notice =
  | { readonly kind: 'ended' | 'replaced' | 'changed'; readonly session: string }
  | { readonly kind: 'missed' };

/** Notices reach this process at once and every other one through the database. */
export type Notices = {
  /** Sends with the commit of `transaction`; what is rolled back is never heard. */
  send(transaction: Transaction<Tables>, notice: Notice): Promise<void>;
  /** Tells this process; called after the commit. */
  tell(notice: Notice): void;
  listen(listener: (notice: Notice) => void): () => void;
  /** False while notices of other processes may be missed: then nothing may be answered from memory. */
  isListening(): boolean;
  /** Begins to hear of other processes. */
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

/** For the embedded database, which one process has to itself. */
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
 * LISTEN and NOTIFY over a connection of its own; while it is down `isListening` is false. Each sign of life of the
 * database is a `beat`.
 */
export function createPostgresNotices(connectionString: string, log: Logger, beat: () => void): Notices {
  const local = createLocal();
  /** Told once, not with every try. */
  let isAway = false;
  const listening = listenOn({
    config: { connectionString },
    channel,
    beat,
    hear(payload) {
      try {
        local.tell(JSON.parse(payload) as Notice);
      } catch {
        log.warn('a notice could not be read');
      }
    },
    heardAgain() {
      if (isAway) log.info('the database answers again');
      isAway = false;
      local.tell({ kind: 'missed' });
    },
    failed({ message }) {
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
