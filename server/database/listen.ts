import pg from 'pg';

/** A connection of its own that hears a channel of PostgreSQL, made anew whenever it breaks. */
export type Listening = {
  /** Tries to connect once, and goes on trying; resolves after the first try, whatever came of it. */
  start(): Promise<void>;
  /** False while notices may be missed. */
  isListening(): boolean;
  close(): Promise<void>;
};

type Options = {
  readonly config: pg.ClientConfig;
  readonly channel: string;
  /** A committed `pg_notify` on the channel. */
  readonly hear: (payload: string) => void;
  /** The database answered. */
  readonly beat?: () => void;
  /** It is heard again, or for the first time: what was notified before is lost. */
  readonly heardAgain?: () => void;
  /** A try failed. */
  readonly failed?: (error: Error) => void;
};

/** Milliseconds between two signs of life; a connection that is down is tried four times as often. */
const signOfLife = 1000;

/**
 * Listens on a channel until it is closed. The connection is asked for a sign of life every second, so that a silently
 * cut one is noticed.
 */
export function listenOn({ config, channel, hear, beat, heardAgain, failed }: Options): Listening {
  let client: pg.Client | undefined;
  let listening = false;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;

  const drop = (broken: pg.Client): void => {
    if (client !== broken) return;
    client = undefined;
    listening = false;
    void broken.end().catch(() => undefined);
  };

  const connect = async (): Promise<void> => {
    const next = new pg.Client({ ...config, connectionTimeoutMillis: 2000, query_timeout: 2000, keepAlive: true });
    client = next;
    next.on('error', () => drop(next));
    next.on('end', () => drop(next));
    next.on('notification', ({ payload }) => hear(payload ?? ''));
    try {
      await next.connect();
      await next.query(`listen ${channel}`);
      listening = client === next;
      beat?.();
      if (listening) heardAgain?.();
    } catch (error) {
      drop(next);
      failed?.(error as Error);
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
    start() {
      started = watch();
      return started;
    },
    isListening: () => listening,
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
