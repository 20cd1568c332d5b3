import pg from 'pg';

/** A database connection of its own that listens on a channel of PostgreSQL; it reconnects whenever it breaks. */
export type Listening = {
  /** Connects and keeps reconnecting; resolves after the first try, whether or not that succeeded. */
  start(): Promise<void>;
  /** False while notices may be missed. */
  isListening(): boolean;
  close(): Promise<void>;
};

type Options = {
  readonly config: pg.ClientConfig;
  readonly channel: string;
  /** Called with the payload of every notification on the channel. */
  readonly onNotification: (payload: string) => void;
  /** Called whenever the database answered. */
  readonly onReply?: () => void;
  /** Called when the connection listens, the first time too: earlier notifications are lost. */
  readonly onConnected?: () => void;
  /** Called when a try to connect failed. */
  readonly onFailure?: (error: Error) => void;
};

/** Milliseconds between two queries that check the connection; a connection that is down is tried four times as often. */
const checkInterval = 1000;

/**
 * Makes a listener of a channel of PostgreSQL. It connects when `start` of the result is called, reconnects whenever
 * the connection breaks, and listens until its `close`. It queries the connection every second, so that it notices a
 * silently cut one.
 */
export function listenOn({ config, channel, onNotification, onReply, onConnected, onFailure }: Options): Listening {
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
    next.on('notification', ({ payload }) => onNotification(payload ?? ''));
    try {
      await next.connect();
      await next.query(`listen ${channel}`);
      listening = client === next;
      onReply?.();
      if (listening) onConnected?.();
    } catch (error) {
      drop(next);
      onFailure?.(error as Error);
    }
  };

  const watch = async (): Promise<void> => {
    const current = client;
    if (!current) await connect();
    else if (listening) await current.query('select 1').then(onReply, () => drop(current));
    if (closed) return;
    timer = setTimeout(() => void watch(), listening ? checkInterval : checkInterval / 4);
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
