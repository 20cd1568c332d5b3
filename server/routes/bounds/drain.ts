import { type OutgoingHttpHeaders, type Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as afterThisRound, setTimeout as sleep } from 'node:timers/promises';

/** How a portal leaves without failing anybody (ADR 019). */
export type Drain = {
  readonly isStopping: () => boolean;
  /** From now on `/ready` is 503, every answer is the last of its connection, and no socket is opened. */
  begin(): void;
  /** What the server answers with, so that also a request that came before is the last of its connection. */
  readonly ServerResponse: typeof ServerResponse;
  /** Remembers the connections of a server from its start on. */
  follow(server: Server): void;
  /** Accepts no more connections, and gives when the last one is over: after `longestAnswer` at the latest. */
  close(server: Server): Promise<void>;
};

/** Milliseconds that a request may still take; then its connection is cut. */
const longestAnswer = 5000;
/** A connection on which nothing has come by then is one that a browser opened to have it at hand. */
const firstBytes = 1000;
const look = 20;

/**
 * Creates the orderly shutdown of a process: it stops listening, and answers what has been asked before connections
 * close.
 */
export function createDrain(): Drain {
  let stopping = false;
  const connections = new Set<Socket>();

  class LastResponse extends ServerResponse {
    override writeHead(status: number, ...rest: unknown[]): this {
      if (stopping) this.shouldKeepAlive = false;
      return super.writeHead(status, ...(rest as [string, OutgoingHttpHeaders?]));
    }
  }

  return {
    isStopping: () => stopping,
    begin() {
      stopping = true;
    },
    ServerResponse: LastResponse as typeof ServerResponse,
    follow(server) {
      server.on('connection', socket => {
        connections.add(socket);
        socket.once('close', () => connections.delete(socket));
      });
    },
    async close(server) {
      stopping = true;
      // Whoever has connected is accepted before; whom the system keeps waiting when listening ends is reset by it.
      await afterThisRound();
      let isClosed = false;
      server.close(() => {
        isClosed = true;
      });
      for (const began = performance.now(); !isClosed; await sleep(look)) {
        const passed = performance.now() - began;
        server.closeIdleConnections();
        for (const socket of connections)
          if (passed > longestAnswer || (passed > firstBytes && socket.bytesRead === 0)) socket.destroy();
      }
    },
  };
}
