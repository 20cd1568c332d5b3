import { io, type Socket } from 'socket.io-client';
import { type ServerEvents, socketPath } from '../../../shared/contract/realtime.ts';
import type { Portal } from '../state/portal.ts';
import type { PageHost } from './page-host.ts';

/** Milliseconds, and up to twice as many, until a page that was one too many tries again. */
const slow = 20_000;

/**
 * Makes the WebSocket (Socket.IO) to the server and gives it; it connects on pages with the shell, and reconnects.
 * Calls `hear` with each hint of what to read again (hints carry no data), and `tell` with a message when the server
 * refuses or restarts. Ends the page's session when the server says that it has ended.
 */
export function listenToServer({ portal, hear }: PageHost, tell: (text: string) => void): Socket<ServerEvents> {
  const socket: Socket<ServerEvents> = io({
    path: socketPath,
    transports: ['websocket'],
    autoConnect: false,
    // Where the page is behind, the server answers with `boot`.
    // The time zone is for mails, until the person chooses one.
    auth: give => give({ boot: portal.boot.get().hash, zone: Intl.DateTimeFormat().resolvedOptions().timeZone }),
  });
  let isFirst = true;
  let isRestarting = false;
  let isTold = false;
  socket.on('connect', () => {
    // While the line was down, anything may have happened.
    if (!isFirst) catchUp(portal);
    isFirst = false;
    isTold = false;
    isRestarting = false;
  });
  socket.on('connect_error', () => {
    void readRefusal().then(why => {
      if (socket.connected || !(why || isRestarting)) return;
      if (!isTold) tell(why ?? String(portal.boot.get().words['live.restarting']));
      isTold = true;
      if (!why) return;
      isFirst = false;
      socket.disconnect();
      setTimeout(reopen, slow * (1 + Math.random()));
      document.addEventListener('visibilitychange', reopen);
    });
  });
  /** Windows may have been closed meanwhile, or by the time that this one is looked at again. */
  const reopen = () => {
    if (document.visibilityState !== 'visible') return;
    document.removeEventListener('visibilitychange', reopen);
    socket.connect();
  };
  socket.on('publish', events => {
    for (const event of events) hear(event);
  });
  socket.on('boot', hash => {
    if (hash !== portal.boot.get().hash) void portal.host.readBoot();
  });
  socket.on('document-errors', found => portal.documentErrors.set(found));
  socket.on('restarting', within => {
    isRestarting = true;
    socket.disconnect();
    setTimeout(() => socket.connect(), Math.random() * within);
  });
  socket.on('session-ended', () => {
    socket.disconnect();
    portal.host.sessionEnded();
  });
  const open = () => {
    const layout = portal.screen.get()?.document.layout.get().layout;
    if (layout?.kind === 'screen' && layout.shell === 'gate') return;
    leave();
    socket.connect();
  };
  const leave = portal.screen.subscribe(open);
  open();
  return socket;
}

/** Reads every source that listens to events once more: some may have been missed. The palette opens by a press alone. */
function catchUp({ listeners }: Portal): void {
  for (const [event, those] of listeners) if (event !== 'palette') for (const listener of [...those]) listener();
}

/**
 * Reads the portal's message when the account has as many sockets as it may have (429), so that trying again is of no
 * use; undefined otherwise. Browsers hide how a handshake was answered, so it asks by HTTP.
 */
async function readRefusal(): Promise<string | undefined> {
  const reply = await fetch(socketPath, { headers: { 'x-portal-poll': '1' } }).catch(() => undefined);
  return reply?.status === 429 ? (await reply.json()).Error : undefined;
}
