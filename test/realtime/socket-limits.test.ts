import assert from 'node:assert/strict';
import { test } from 'node:test';
import { io, type Socket } from 'socket.io-client';
import { WebSocket } from 'ws';
import { withEditedSchemas } from '../fixtures/edited-schemas.ts';
import { type Client, withClient, withPortal } from '../fixtures/portal.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { inTime, nextEvent, untilConnected } from '../fixtures/wait.ts';

const minute = 60_000;
let passed = 0;

const schemas = withEditedSchemas();
const sandbox = withSandbox({ now: () => new Date(Date.now() + passed) });
const portal = withPortal(sandbox, () => ({ schemasDir: schemas.folder, now: () => Date.now() + passed }));
const client = withClient(portal, 'reseller@northwind.test');

const headersOf = (browser: Client) => ({ cookie: browser.cookie, origin: portal.url });

/** A WebSocket that has been let in and speaks by hand what Socket.IO would. */
async function speak(): Promise<{ line: WebSocket; closed: Promise<number> }> {
  const address = `${portal.url.replace('http', 'ws')}/ui/socket/?EIO=4&transport=websocket`;
  const line = new WebSocket(address, { headers: headersOf(client) });
  const closed = nextEvent(line, 'close').then(([code]) => code as number);
  closed.catch(() => undefined);
  const heard = (start: string) =>
    inTime(
      `A frame that starts with ${start}`,
      new Promise<void>(resolve => line.on('message', data => String(data).startsWith(start) && resolve())),
    );
  await heard('0');
  const connected = heard('40');
  line.send('40');
  await connected;
  return { line, closed };
}

/** Opens a socket as the browser of `browser` would. */
async function listen(browser: Client): Promise<Socket> {
  const socket = io(portal.url, {
    path: '/ui/socket',
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
    extraHeaders: headersOf(browser),
  });
  await untilConnected(socket);
  return socket;
}

const gone = (socket: Socket) => nextEvent(socket, 'disconnect');

test('a socket that says anything is cut, whatever it asks for', async () => {
  const talks: ((socket: Socket) => void)[] = [
    socket => socket.emit('hello', 1),
    socket => socket.emit('bytes', Buffer.alloc(10)),
    socket => socket.emit('publish', ['notifications']),
    socket => socket.emit('join', 'user:engineer@northwind.test'),
  ];
  for (const talk of talks) {
    const socket = await listen(client);
    const cut = gone(socket);
    talk(socket);
    const [reason] = await cut;
    // By the server: its message or its end, whichever came first.
    assert.notEqual(reason, 'io client disconnect');
  }
});

test('a frame above 64 KiB is refused unread, as too large', async () => {
  const { line, closed } = await speak();
  line.send(`3${'x'.repeat(64 * 1024)}`);
  assert.equal(await closed, 1009);
});

test('a frame of bytes cuts the socket', async () => {
  const { line, closed } = await speak();
  line.send(Buffer.alloc(10));
  assert.ok((await closed) > 0);
});

test('signs of life are taken, a flood of them cuts the socket', async () => {
  const { line, closed } = await speak();
  for (let count = 0; count < 10; count++) line.send('3');
  const still = await listen(client);
  assert.equal(line.readyState, WebSocket.OPEN);
  still.disconnect();
  for (let count = 0; count < 50; count++) line.send('3');
  assert.ok((await closed) > 0);
});

test('an open socket does not keep its session alive', async () => {
  const browser = await portal.signIn('engineer@northwind.test');
  const socket = await listen(browser);
  const ended = nextEvent(socket, 'session-ended');
  const cut = gone(socket);
  const told = () => nextEvent(socket, 'boot');
  passed += 29 * minute;
  // Every changed document makes the portal look at the sessions of its sockets.
  const heard = told();
  await schemas.editLive(portal, 'customers/customers.json', text => text.replace('"low"', '"normal"'));
  await heard;
  passed += 2 * minute;
  await schemas.editLive(portal, 'customers/customers.json', text => text.replace('"normal"', '"low"'));
  await ended;
  await cut;
  assert.equal((await browser.get('/ui/data/customers.list')).status, 401);
});
