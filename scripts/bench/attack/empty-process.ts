import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that reads what it is sent and does nothing: attacking it costs the machine what an attack itself costs. */
const server = createServer((request, response) => {
  request.resume();
  response.writeHead(204).end();
});
server.on('upgrade', (_, socket) => socket.destroy());
server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () =>
  process.send?.({ port: (server.address() as AddressInfo).port }),
);
process.once('disconnect', () => process.exit());
