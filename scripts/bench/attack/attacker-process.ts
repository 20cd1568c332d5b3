import { connect, type Socket } from 'node:net';
import { type Attack, type AttackName, attacks, type Loot } from './attacks.ts';

/**
 * One hostile visitor: does one thing at a steady pace until it is ended. Arguments: what to do, the address of the
 * server, and what it has of an account as JSON (`Loot`). Run by `startProcess`.
 */
const [kind, address, loot] = process.argv.slice(2) as [AttackName, string, string];
const { hostname, port } = new URL(address);
const from = '127.0.0.2';

const { perSecond, held = 1000, atOnce = 1, bytes }: Attack = attacks[kind];
const known: Loot = { address: new URL(address), ...(JSON.parse(loot) as Omit<Loot, 'address'>) };
const open = new Set<Socket>();
const tick = 50;

function send(): void {
  if (open.size >= held) return;
  const socket = connect({ host: hostname, port: Number(port), localAddress: from });
  open.add(socket);
  socket.on('error', () => undefined);
  socket.on('close', () => open.delete(socket));
  socket.resume();
  socket.write(bytes(known));
}

let due = 0;
setInterval(() => {
  for (due += (perSecond * tick) / 1000; due >= atOnce; due -= atOnce)
    for (let count = 0; count < atOnce; count++) send();
}, tick);
process.send?.({ port: 0 });
process.once('disconnect', () => process.exit());
