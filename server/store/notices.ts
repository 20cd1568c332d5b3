import { EventEmitter } from 'node:events';
import { sql, type Transaction } from 'kysely';
import pg from 'pg';
import type { Logger } from 'pino';
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
const signOfLife = 1000;

/**
 * LISTEN and NOTIFY over a connection of its own. The connection is asked for a sign of life every second, so that a
 * silently cut one is noticed; while it is down `isListening` is false, and it is made anew until it holds. Each sign of
 * life is a `beat`.
 */
export function createPostgresNotices(connectionString: string, log: Logger, beat: () => void): Notices {
  const local = createLocal();
  let client: pg.Client | undefined;
  let listening = false;
  /** Told once, not with every try. */
  let isAway = false;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;

  const drop = (broken: pg.Client): void => {
    if (client !== broken) return;
    client = undefined;
    listening = false;
    void broken.end().catch(() => undefined);
  };

  const connect = async (): Promise<void> => {
    const next = new pg.Client({
      connectionString,
      connectionTimeoutMillis: 2000,
      query_timeout: 2000,
      keepAlive: true,
    });
    client = next;
    next.on('error', () => drop(next));
    next.on('end', () => drop(next));
    next.on('notification', message => receive(message.payload));
    try {
      await next.connect();
      await next.query(`listen ${channel}`);
      listening = client === next;
      beat();
      if (isAway) log.info('the database answers again');
      isAway = false;
      if (listening) local.tell({ kind: 'missed' });
    } catch (error) {
      drop(next);
      if (!isAway)
        log.warn({ reason: (error as Error).message }, 'the database does not answer; sessions are read per request');
      isAway = true;
    }
  };

  const receive = (payload: string | undefined): void => {
    try {
      local.tell(JSON.parse(payload ?? '') as Notice);
    } catch {
      log.warn('a notice could not be read');
    }
  };

  const watch = async (): Promise<void> => {
    const current = client;
    if (!current) await connect();
    else if (listening) await current.query('select 1').then(beat, () => drop(current));
    if (closed) return;
    timer = setTimeout(() => void watch(), listening ? signOfLife : signOfLife / 4);
    timer.unref();
  };
  let started: Promise<void> | undefined;

  return {
    ...local,
    async send(transaction, notice) {
      await sql`select pg_notify(${channel}, ${JSON.stringify(notice)})`.execute(transaction);
    },
    isListening: () => listening,
    start() {
      started = watch();
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await started;
      const current = client;
      client = undefined;
      listening = false;
      await current?.end().catch(() => undefined);
    },
  };
}
