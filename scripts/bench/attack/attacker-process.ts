import { randomBytes } from 'node:crypto';
import { connect, type Socket } from 'node:net';

/**
 * One hostile visitor: does one thing at a steady pace until it is ended. Arguments: what to do, the address of the
 * portal. Run by `startProcess`.
 */
const [kind, address] = process.argv.slice(2);
const { hostname, port, host, origin } = new URL(address!);
const from = '127.0.0.2';

const invented = (): string => `__Host-portal=${randomBytes(32).toString('base64url')}`;
const deep = `{"node":"a","layout":"b","body":{"a":${'['.repeat(520_000)}${']'.repeat(520_000)}}}`;

/** What is sent, so many times a second; `held` connections are left open. */
const attacks: Readonly<Record<string, { readonly perSecond: number; readonly held?: number; bytes(): string }>> = {
  'dead cookies': {
    perSecond: 200,
    bytes: () => `GET /ui/boot HTTP/1.1\r\nhost: ${host}\r\ncookie: ${invented()}\r\nconnection: close\r\n\r\n`,
  },
  'silent connections': {
    perSecond: 500,
    held: 2000,
    bytes: () =>
      `POST /auth/login HTTP/1.1\r\nhost: ${host}\r\nx-portal: 1\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{`,
  },
  'hostile bodies': {
    perSecond: 20,
    bytes: () =>
      `POST /auth/login HTTP/1.1\r\nhost: ${host}\r\nx-portal: 1\r\ncontent-type: application/json\r\ncontent-length: ${deep.length}\r\nconnection: close\r\n\r\n${deep}`,
  },
  'refused writes': {
    perSecond: 500,
    bytes: () => `POST /auth/login HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`,
  },
  handshakes: {
    perSecond: 200,
    bytes: () =>
      `GET /ui/socket/?EIO=4&transport=websocket HTTP/1.1\r\nhost: ${host}\r\norigin: ${origin}\r\ncookie: ${invented()}\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: ${randomBytes(16).toString('base64')}\r\n\r\n`,
  },
};

const attack = attacks[kind!];
if (!attack) throw new Error(`There is no attack ${kind}. They are ${Object.keys(attacks).join(', ')}.`);
const open = new Set<Socket>();
const tick = 50;

function send(): void {
  if (open.size >= (attack!.held ?? 1000)) return;
  const socket = connect({ host: hostname, port: Number(port), localAddress: from });
  open.add(socket);
  socket.on('error', () => undefined);
  socket.on('close', () => open.delete(socket));
  socket.resume();
  socket.write(attack!.bytes());
}

let due = 0;
setInterval(() => {
  for (due += (attack.perSecond * tick) / 1000; due >= 1; due -= 1) send();
}, tick);
process.send?.({ port: 0 });
process.once('disconnect', () => process.exit());
