import type { Logger } from 'pino';
import type { Socket } from 'socket.io';
import type { ServerEvents } from '../../shared/contract/realtime.ts';
import { readTimeZone } from '../../shared/rules/time-zone.ts';
import { isJumped, type Principal } from '../access/principal.ts';
import type { Accounts } from '../cloud/accounts.ts';
import type { Access, Layouts } from '../layouts/index.ts';
import type { Session } from '../session/session-cache.ts';
import type { Sessions } from '../session/sessions.ts';
import type { Store } from '../store/store.ts';
import type { Admitted, HandshakeParts } from './handshake.ts';
import { type Hint, type HubLine, openHub } from './hub.ts';

export type PortalSocket = Socket<Record<string, never>, ServerEvents>;

/** An open socket, and the hash of the boot that its page has or was told of. */
type Line = { readonly socket: PortalSocket; boot: string };

/** The open sockets of one session on this process, and the line to the cloud's hub that they share. */
type SessionLines = {
  readonly identifier: string;
  /** As used from where its newest socket comes from. */
  session: Session;
  readonly lines: Set<Line>;
  readonly hub: HubLine;
  /** When an event was last published: a page that was just opening is told again. */
  readonly published: Map<string, number>;
  /** Events that were told just now; true where they have happened again since. */
  readonly pace: Map<string, boolean>;
  closing: NodeJS.Timeout | undefined;
};

export type Lines = {
  add(socket: PortalSocket, admitted: Admitted): void;
  close(): void;
};

export type LineParts = Pick<HandshakeParts, 'addressOf'> & {
  readonly sessions: Sessions;
  readonly accounts: Accounts;
  readonly layouts: Layouts;
  /** Hears what processes tell each other. */
  readonly listen: Store['listen'];
  readonly log: Logger;
  readonly cloudUrl: URL;
  /** Hash of the boot that a page of this caller would be given now. */
  readonly bootHash: (caller: { readonly access: Access; readonly principal: Principal }) => string;
};

const events: Readonly<Record<Hint, string>> = {
  notification: 'notifications',
  'service-changed': 'services',
  'permissions-changed': 'permissions',
  'payments-changed': 'payments',
  'psa-synchronised': 'psa-synchronised',
  'integrations-changed': 'integrations',
  'tickets-changed': 'tickets',
  'network-changed': 'network',
};
/** Milliseconds. Sessions with open sockets are looked at so often: time-outs, and rights that the cloud changed. */
const lookEvery = 15_000;
/** A page hears the same event so often at most: a thousand changes in a row are read a few times, not a thousand. */
const tellEvery = 1000;
/** The hub's line stays while a page is exchanged for the next. */
const lineGrace = 10_000;
/** Milliseconds in which the sockets of a process that stops come back: a moment, and more where there are many. */
const comeBackWithin = (sockets: number): number => Math.min(1000 + 5 * sockets, 30_000);
/** From the reading of a page's first data until its socket is open. */
const opening = 30_000;

/**
 * Creates what tells the sockets of each session of the cloud's hints, of changed layouts and rights, and of the
 * session's end.
 */
export function createLines(parts: LineParts): Lines {
  const { sessions, accounts, layouts, listen, log, cloudUrl, bootHash, addressOf } = parts;
  const groups = new Map<string, SessionLines>();

  const publish = (group: SessionLines, ...names: string[]): void => {
    for (const name of names) group.published.set(name, Date.now());
    for (const { socket } of group.lines) socket.emit('publish', names);
  };

  /** Tells at once what has not happened just now, else a moment later: the last of many is never missed. */
  const publishPaced = (group: SessionLines, name: string): void => {
    if (group.pace.has(name)) return void group.pace.set(name, true);
    group.pace.set(name, false);
    publish(group, name);
    setTimeout(() => {
      const isAgain = group.pace.get(name);
      group.pace.delete(name);
      if (isAgain) publishPaced(group, name);
    }, tellEvery).unref();
  };

  const hear = async (key: string, hint: Hint): Promise<void> => {
    const group = groups.get(key);
    if (!group) return;
    try {
      if (hint === 'permissions-changed') {
        await sessions.reread(group.identifier);
        // Its pages may come from other addresses than the one that was asked about.
        void look(key);
      }
      publishPaced(group, events[hint]);
    } catch (error) {
      log.warn({ reason: (error as Error).message }, 'rights could not be read again');
    }
  };

  /** The browser is in another time zone than before: mails go by it, and pages by the browser itself. */
  const noteTimeZone = async ({ identifier, session }: Admitted, said: unknown): Promise<void> => {
    const zone = readTimeZone(said);
    const { principal, credentials } = session;
    if (zone === undefined || zone === principal.browserTimeZone || isJumped(principal)) return;
    await accounts.noteTimeZone(credentials, zone);
    // So that the next page has nothing to tell.
    await sessions.reread(identifier).catch(() => undefined);
  };

  const createGroup = ({ identifier, session }: Admitted): SessionLines => {
    const { key } = session;
    const group: SessionLines = {
      identifier,
      session,
      lines: new Set(),
      published: new Map(),
      pace: new Map(),
      closing: undefined,
      hub: openHub({
        accounts,
        credentials: () => (groups.get(key)?.session ?? session).credentials,
        cloudUrl,
        log,
        onHint: hint => void hear(key, hint),
        onOpen: () => publish(group, 'notifications', 'services'),
      }),
    };
    groups.set(key, group);
    return group;
  };

  const drop = (key: string): void => {
    const group = groups.get(key);
    groups.delete(key);
    clearTimeout(group?.closing);
    group?.hub.close();
  };

  const end = (key: string): void => {
    const lines = groups.get(key)?.lines ?? [];
    drop(key);
    for (const { socket } of lines) {
      socket.emit('session-ended');
      socket.disconnect(true);
    }
  };

  /** Another session takes its place in the browser: its pages come back by themselves and hear who they are now. */
  const cut = (key: string): void => {
    const lines = groups.get(key)?.lines ?? [];
    drop(key);
    for (const { socket } of lines) socket.conn.close();
  };

  /** Hash of the boot by which a request of this browser is answered now. */
  const bootOf = ({ request }: PortalSocket, session: Session): string => {
    const version = layouts.current();
    const principal = version.speakTo(session.principal, request.headers['accept-language']);
    return bootHash({ principal, access: version.access(principal) });
  };

  const renew = (line: Line, session: Session): void => {
    const boot = bootOf(line.socket, session);
    if (boot === line.boot) return;
    line.boot = boot;
    line.socket.emit('boot', boot);
  };

  /** Looks whether a session still stands and what it may see now. A database that is away ends nothing. */
  const look = async (key: string): Promise<void> => {
    const group = groups.get(key);
    if (!group) return;
    try {
      for (const line of group.lines) {
        const session = await sessions.find(group.identifier, false, addressOf(line.socket.request));
        if (!session) return end(key);
        renew(line, session);
      }
    } catch (error) {
      log.debug({ reason: (error as Error).message }, 'a session with sockets could not be looked at');
    }
  };
  const lookAtAll = (): void => {
    for (const key of groups.keys()) void look(key);
  };

  const stopSessions = sessions.onChange(change => {
    if (change.kind === 'ended') end(change.key);
    else if (change.kind === 'replaced') cut(change.key);
    else if (change.kind === 'missed') lookAtAll();
    else void look(change.key);
  });
  const stopFiles = listen(notice => {
    const group = notice.kind === 'exports' && groups.get(notice.session);
    if (group) publishPaced(group, 'exports');
  });
  const stopLayouts = layouts.onChange(lookAtAll);
  const timer = setInterval(lookAtAll, lookEvery);
  timer.unref();

  return {
    add(socket, admitted) {
      const { session } = admitted;
      const group = groups.get(session.key) ?? createGroup(admitted);
      group.session = session;
      clearTimeout(group.closing);
      const { boot, zone } = socket.handshake.auth;
      void noteTimeZone(admitted, zone);
      const line: Line = { socket, boot: typeof boot === 'string' ? boot : bootOf(socket, session) };
      group.lines.add(line);
      const recent = [...group.published].filter(([, at]) => Date.now() - at < opening).map(([name]) => name);
      if (recent.length > 0) socket.emit('publish', recent);
      // What changed while the page was on its way, or its line was down.
      renew(line, session);
      socket.on('disconnect', () => {
        group.lines.delete(line);
        if (group.lines.size > 0 || groups.get(session.key) !== group) return;
        group.closing = setTimeout(() => drop(session.key), lineGrace);
        group.closing.unref();
      });
      // It may have ended while its socket was being opened.
      void look(session.key);
    },
    close() {
      clearInterval(timer);
      stopSessions();
      stopFiles();
      stopLayouts();
      const sockets = [...groups.values()].flatMap(({ lines }) => [...lines]);
      for (const { socket } of sockets) socket.emit('restarting', comeBackWithin(sockets.length));
      for (const key of [...groups.keys()]) drop(key);
    },
  };
}
