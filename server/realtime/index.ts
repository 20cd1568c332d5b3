import { createServer, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { Server } from 'socket.io';
import { type ServerEvents, socketPath } from '../../shared/contract/realtime.ts';
import { networkOf } from '../../shared/rules/ip-address.ts';
import { createCounts } from '../session/count-by-key.ts';
import { documentErrors } from './document-errors.ts';
import { type Admitted, authoriseHandshake, type HandshakeParts, refuseUpgrade } from './handshake.ts';
import { createLines, type LineParts, type PortalSocket } from './lines.ts';

export type RealtimeParts = LineParts &
  HandshakeParts & {
    /** True where pages are told what is wrong with the documents as they are saved. */
    readonly showDocumentErrors: boolean;
  };

/** Answers the upgrades of an HTTP server. */
export type Realtime = {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Whether an account may have one more socket on this process. */
  hasRoom(account: string): boolean;
  /** How many sockets are open. */
  count(): number;
  close(): Promise<void>;
};

/** Bytes of one frame, sockets of one account on one process, and packets of one socket in ten seconds. */
const largestFrame = 64 * 1024;
const mostSockets = 20;
const mostPackets = 50;
const packetWindow = 10_000;
/** Handshakes of one network that are authorised at once: each may read the database. */
const mostHandshakes = 50;
/** Milliseconds in which whoever was let in says that it is a page of the portal; its own code does so at once. */
const silence = 10_000;

/** The browser has nothing to say but "I am here": whoever says more, says it in bytes or says it too often, is cut. */
function limitTalk(socket: PortalSocket): void {
  let packets = 0;
  let ends = 0;
  socket.conn.on('packet', ({ type, data }: { type: string; data?: unknown }) => {
    const now = performance.now();
    if (now > ends) {
      packets = 0;
      ends = now + packetWindow;
    }
    packets += 1;
    if (packets > mostPackets || (type === 'message' && typeof data !== 'string')) socket.conn.close();
  });
  socket.onAny(() => socket.disconnect(true));
}

/**
 * Creates the Socket.IO server for browsers, over WebSocket alone. Each process hears of ended sessions from the
 * database, of layouts from the files and of hints from the cloud, so processes tell each other nothing and need no
 * sticky sessions.
 */
export function createRealtime(parts: RealtimeParts): Realtime {
  // Socket.IO would take over the whole HTTP server; it gets one of its own, which is only handed what was admitted.
  const carrier = createServer();
  const io = new Server<Record<string, never>, ServerEvents>(carrier, {
    path: socketPath,
    transports: ['websocket'],
    serveClient: false,
    allowUpgrades: false,
    perMessageDeflate: false,
    maxHttpBufferSize: largestFrame,
    destroyUpgrade: false,
  });
  const lines = createLines(parts);
  const admitted = new WeakMap<IncomingMessage, Admitted>();

  /** Ends the waiting for the first word of a socket. */
  const waiting = new WeakMap<IncomingMessage, NodeJS.Timeout>();

  io.on('connection', socket => {
    const who = admitted.get(socket.request);
    clearTimeout(waiting.get(socket.request));
    if (!who) return void socket.disconnect(true);
    limitTalk(socket);
    lines.add(socket, who);
    // Told also when nothing is wrong: the page may show what another process said.
    if (parts.showDocumentErrors) socket.emit('document-errors', documentErrors(parts.layouts));
  });

  const stopErrors = parts.showDocumentErrors
    ? parts.layouts.onProblems(() => io.emit('document-errors', documentErrors(parts.layouts)))
    : undefined;

  const open = createCounts();
  const handshakes = createCounts();

  /** Counts a socket from its handshake to its end: what it says in between, or that it says nothing, is no matter. */
  const letIn = (request: IncomingMessage, socket: Duplex, head: Buffer, who: Admitted): void => {
    const { account } = who.session;
    socket.once('close', () => {
      open.drop(account);
      clearTimeout(waiting.get(request));
    });
    if (open.add(account) > mostSockets) refuseUpgrade(socket, 429);
    else {
      admitted.set(request, who);
      // Cut at once: whoever said nothing so far would not answer a farewell either.
      waiting.set(request, setTimeout(() => socket.destroy(), silence).unref());
      carrier.emit('upgrade', request, socket, head);
    }
  };

  return {
    upgrade(request, socket, head) {
      const ignore = (): void => undefined;
      socket.on('error', ignore);
      const network = networkOf(parts.addressOf(request));
      const isTooMany = handshakes.add(network) > mostHandshakes;
      const authorised = isTooMany ? Promise.resolve(429) : authoriseHandshake(parts, request);
      void authorised
        .then(outcome => {
          if (socket.destroyed) return;
          if (typeof outcome === 'number') return refuseUpgrade(socket, outcome);
          socket.off('error', ignore);
          letIn(request, socket, head, outcome);
        })
        .finally(() => handshakes.drop(network));
    },
    hasRoom: account => open.of(account) < mostSockets,
    count: () => io.sockets.sockets.size,
    async close() {
      stopErrors?.();
      lines.close();
      await io.close();
    },
  };
}
