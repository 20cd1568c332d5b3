import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Milliseconds in which something must come or go on a connection whose request is not answered to its end. */
const patience = 60_000;

/**
 * Lets go of whoever does not read the answer that they asked for, and of what is never answered, as each holds memory
 * and one of the requests that are worked on at once. One look at all connections now and then: a timeout of the
 * server's would be set anew, for every connection, with every request. Gives the function that ends it.
 */
export function dropStalled(server: Server, waitFor = patience): () => void {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  // A WebSocket looks after itself.
  server.on('upgrade', ({ socket }) => sockets.delete(socket));
  const looking = setInterval(() => {
    // The server ends what times out, and sets another time once the answer is out.
    for (const socket of sockets) if (!socket.timeout) socket.setTimeout(waitFor);
  }, waitFor / 2);
  looking.unref();
  return () => clearInterval(looking);
}
