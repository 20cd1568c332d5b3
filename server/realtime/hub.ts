import { HttpTransportType, type HubConnection, HubConnectionBuilder, LogLevel } from '@microsoft/signalr';
import type { Logger } from 'pino';
import type { Accounts } from '../cloud/accounts.ts';
import type { Credentials } from '../cloud/call.ts';

/** Something changed in the cloud; a hint, never content. */
export type Hint =
  | 'notification'
  | 'service-changed'
  | 'permissions-changed'
  | 'payments-changed'
  | 'psa-synchronised'
  | 'integrations-changed'
  | 'tickets-changed'
  | 'network-changed';

export type HubLine = { close(): void };

const kinds = [
  'notification',
  'service-changed',
  'permissions-changed',
  'payments-changed',
  'psa-synchronised',
  'integrations-changed',
  'tickets-changed',
  'network-changed',
] satisfies Hint[];
const known = new Set<string>(kinds);
const firstPause = 500;
const longestPause = 30_000;

/** The cloud says where its hub is: over TLS, or on the host of the cloud itself. */
function isTrusted(address: string, cloudUrl: URL): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || protocol === 'wss:' || hostname === cloudUrl.hostname;
}

function readHint(message: unknown): Hint | undefined {
  const kind = (message as { kind?: unknown } | null)?.kind;
  return typeof kind === 'string' && known.has(kind) ? (kind as Hint) : undefined;
}

/**
 * Keeps one session connected to the cloud's notification hub (document 1, section 7): negotiates, then opens a
 * WebSocket; reconnects with growing pauses. Calls `onHint` for each hint, and `onOpen` with every new connection, when
 * what was missed must be read again.
 */
export function openHub(parts: {
  readonly accounts: Accounts;
  /** Asked for at each new connection. */
  readonly credentials: () => Credentials;
  readonly cloudUrl: URL;
  readonly log: Logger;
  readonly onHint: (hint: Hint) => void;
  readonly onOpen: () => void;
}): HubLine {
  const { accounts, credentials, cloudUrl, log, onHint, onOpen } = parts;
  let connection: HubConnection | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  let pause = firstPause;

  const later = (): void => {
    if (closed) return;
    clearTimeout(timer);
    timer = setTimeout(() => void connect(), pause);
    timer.unref();
    pause = Math.min(pause * 2, longestPause);
  };

  const dial = ({ url, token }: { readonly url: string; readonly token: string }): HubConnection => {
    const address = new URL(url);
    address.searchParams.set('access_token', token);
    const next = new HubConnectionBuilder()
      .withUrl(address.href.replace(/^ws/, 'http'), { skipNegotiation: true, transport: HttpTransportType.WebSockets })
      .configureLogging(LogLevel.None)
      .build();
    next.on('SendMessage', (message: unknown) => {
      const hint = readHint(message);
      if (hint) onHint(hint);
    });
    next.onclose(later);
    return next;
  };

  async function connect(): Promise<void> {
    const place = await accounts.negotiate(credentials());
    if (closed) return;
    if (!place || !isTrusted(place.url, cloudUrl)) return later();
    try {
      connection = dial(place);
      await connection.start();
    } catch (error) {
      // The address holds a token, and the error may hold the address.
      log.debug({ name: (error as Error).name }, 'the hub of the cloud does not answer');
      return later();
    }
    if (closed) return void connection.stop();
    pause = firstPause;
    onOpen();
  }

  void connect();
  return {
    close() {
      closed = true;
      clearTimeout(timer);
      void connection?.stop().catch(() => undefined);
    },
  };
}
