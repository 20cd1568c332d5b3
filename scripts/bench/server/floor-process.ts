import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import cookie from '@fastify/cookie';
import proxy from '@fastify/http-proxy';
import fastify from 'fastify';

/**
 * What the portal is held against: a route that reads a cookie, finds the session in a Map and sends a buffer, and a
 * bare proxy. Arguments: the file of the buffer, its entity tag, the address of the cloud. Run by `startProcess`.
 */
const [file, tag, cloud] = process.argv.slice(2);
const body = readFileSync(file!);
const sessions = new Map([['bench', { name: 'Bench' }]]);

const app = fastify();
await app.register(cookie);
app.get('/same', (request, reply) => {
  if (!sessions.has(request.cookies.session ?? '')) return reply.code(401).send();
  reply.header('etag', tag).header('cache-control', 'private, no-cache');
  if (request.headers['if-none-match'] === tag) return reply.code(304).send();
  return reply.type('application/json').send(body);
});
await app.register(proxy, { upstream: cloud!, prefix: '/proxy' });
await app.listen({ port: 0, host: '127.0.0.1' });
process.send?.({ port: (app.server.address() as AddressInfo).port });
process.once('disconnect', () => process.exit());
