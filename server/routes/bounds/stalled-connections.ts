import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Milliseconds in which something must come or go on a connection. */
const patience = 60_000;

/**
 * Closes connections on which nothing has moved for one to one and a half times `waitFor` milliseconds (idle, or a
 * browser that does not read its answer), since each holds memory. One sweep over all takes the place of a timer per
 * request. Gives the function that stops the sweeps.
 */
export function dropStalled(server: Server, waitFor = patience): () => void {
  server.keepAliveTimeout = 0;
  /** What had come and gone on each at the last look, in bytes. */
  const moved = new Map<Socket, number>();
  server.on('connection', (socket: Socket) => {
    moved.set(socket, -1);
    socket.once('close', () => moved.delete(socket));
  });
  // A WebSocket looks after itself.
  server.on('upgrade', ({ socket }) => {
    moved.delete(socket);
    socket.setTimeout(0);
  });
  const looking = setInterval(() => {
    for (const [socket, before] of moved) {
      const bytes = socket.bytesRead + socket.bytesWritten;
      moved.set(socket, bytes);
      // A socket's own timer sees what none of these numbers tell: a long answer that is being read bit by bit.
      if (bytes !== before) socket.setTimeout(0);
      else if (!socket.timeout) socket.setTimeout(waitFor / 2);
    }
  }, waitFor / 2);
  looking.unref();
  return () => clearInterval(looking);
}
