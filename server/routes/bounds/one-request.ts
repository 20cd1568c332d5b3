import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Ends a connection on which a request comes while another is unfinished, before the second is dispatched. Node parses
 * all that has arrived at once, and one connection could have a thousand requests dispatched in one go; no browser and
 * no balancer sends requests so (RFC 9112, section 9.3.2, lets a server close). Call it when the server has its handlers.
 */
export function allowOneRequest(server: Server): void {
  const busy = new WeakSet<Socket>();
  const guarded =
    (listeners: readonly Listener[]): Listener =>
    (request, response) => {
      const { socket } = request;
      if (busy.has(socket)) socket.destroy();
      if (socket.destroyed) return;
      busy.add(socket);
      response.once('close', () => busy.delete(socket));
      for (const listener of listeners) listener.call(server, request, response);
    };
  for (const event of ['request', 'checkExpectation']) {
    const listeners = server.listeners(event) as Listener[];
    server.removeAllListeners(event).on(event, guarded(listeners));
  }
  server.prependListener('upgrade', ({ socket }: IncomingMessage) => {
    if (busy.has(socket)) socket.destroy();
  });
}
