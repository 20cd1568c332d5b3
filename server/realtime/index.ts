import { createServer, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { Server } from 'socket.io';
import { type ServerEvents, socketPath } from '../../shared/contract/realtime.ts';
import { type Admitted, type HandshakeParts, judgeHandshake, refuseUpgrade } from './handshake.ts';
import { createLines, type LineParts, type PortalSocket } from './lines.ts';

export type RealtimeParts = LineParts & Pick<HandshakeParts, 'isOwnOrigin' | 'cookieOf'>;

/** Answers the upgrades of an HTTP server. */
export type Realtime = {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  close(): Promise<void>;
};

/** Bytes of one frame, sockets of one account on one process, and packets of one socket in ten seconds. */
const largestFrame = 64 * 1024;
const mostSockets = 20;
const mostPackets = 50;
const packetWindow = 10_000;

/** The browser has nothing to say but "I am here": whoever says more, says it in bytes or says it too often, is cut. */
function limitTalk(socket: PortalSocket): void {
  let packets = 0;
  let ends = 0;
  socket.conn.on('packet', ({ type, data }: { type: string; data?: unknown }) => {
    const now = Date.now();
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
 * Socket.IO over WebSocket alone. Every process hears of ended sessions from the database, of changed layouts from the
 * files, and of hints from the cloud for its own sockets; so none has anything to tell another, and no balancer needs
 * to send a browser to the same one.
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

  io.on('connection', socket => {
    const who = admitted.get(socket.request);
    if (!who) return void socket.disconnect(true);
    limitTalk(socket);
    lines.add(socket, who);
  });

  const handshake: HandshakeParts = { ...parts, hasRoom: account => lines.count(account) < mostSockets };
  return {
    upgrade(request, socket, head) {
      const ignore = (): void => undefined;
      socket.on('error', ignore);
      void judgeHandshake(handshake, request).then(judged => {
        if (typeof judged === 'number') return refuseUpgrade(socket, judged);
        socket.off('error', ignore);
        admitted.set(request, judged);
        carrier.emit('upgrade', request, socket, head);
      });
    },
    async close() {
      lines.close();
      await io.close();
    },
  };
}
