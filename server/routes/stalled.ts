import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Milliseconds in which someone must take some of an answer that waits for them. */
const patience = 60_000;

/**
 * Lets go of whoever does not read the answer that they asked for, as each holds memory and one of the requests that are
 * worked on at once. One look at all connections now and then: a timeout of the server's would be set anew, for every
 * connection, with every request. Gives the function that ends it.
 */
export function dropStalled(server: Server, waitFor = patience): () => void {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const looking = setInterval(() => {
    // The server ends what times out, and begins with none again once the answer is out.
    for (const socket of sockets) if (socket.writableLength > 0 && !socket.timeout) socket.setTimeout(waitFor);
  }, waitFor / 2);
  looking.unref();
  return () => clearInterval(looking);
}
