import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Caller } from '../auth/caller.ts';
import type { Audience, HubMessage } from './hints.ts';
import { closing, handshakeReply, invocation, parseRecords, ping } from './hub-protocol.ts';

export const hubPath = '/hubs/notifications';

/** A peer that says nothing for two of these is gone; the client's own ping comes every 15 s too. */
const pingMilliseconds = 15_000;

type Connection = { readonly socket: WebSocket; readonly caller: Caller; heard: number; isOpen: boolean };

export type Hub = {
  /** Passes a message on to those of its audience who are connected here, and see the customer that it is about. */
  deliver(message: HubMessage): Promise<void>;
  close(): void;
};

/**
 * Creates the notifications hub: SignalR's JSON hub protocol over WebSockets, without a transport negotiation.
 * @param admit gives the caller that the token of a handshake names; undefined for an invalid one
 * @param seers gives those of some limited accounts that see a customer
 */
export function createHub(
  server: Server,
  admit: (token: string) => Promise<Caller | undefined>,
  seers: (customer: string, accounts: readonly number[]) => Promise<readonly number[]>,
): Hub {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 64 * 1024 });
  const connections = new Set<Connection>();

  async function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on('error', () => socket.destroy());
    const url = new URL(request.url ?? '/', 'http://hub.invalid');
    if (url.pathname !== hubPath) return refuse(socket, '404 Not Found');
    // A browser cannot set headers on a WebSocket, so its token comes in the query; Node's client sets the header.
    const token = url.searchParams.get('access_token') ?? request.headers.authorization?.replace(/^Bearer /i, '') ?? '';
    const caller = await admit(token).catch(() => undefined);
    if (caller === undefined) return refuse(socket, '401 Unauthorized');
    sockets.handleUpgrade(request, socket, head, open => connect(open, caller));
  }

  function connect(socket: WebSocket, caller: Caller): void {
    const connection: Connection = { socket, caller, heard: Date.now(), isOpen: false };
    connections.add(connection);
    socket.on('close', () => connections.delete(connection));
    socket.on('error', () => socket.terminate());
    socket.on('message', (data, isBinary) => {
      connection.heard = Date.now();
      for (const record of isBinary ? [undefined] : parseRecords(String(data))) receive(connection, record);
    });
  }

  function receive(connection: Connection, record: Record<string, unknown> | undefined): void {
    const { socket } = connection;
    if (record === undefined) {
      socket.close(1003);
    } else if (!connection.isOpen) {
      const isJson = record.protocol === 'json' && record.version === 1;
      socket.send(handshakeReply(isJson ? undefined : 'Only the JSON protocol, version 1, is spoken here.'));
      connection.isOpen = isJson;
      if (!isJson) socket.close();
    } else if (record.type === 7) {
      socket.close();
    }
  }

  function send({ socket, isOpen }: Connection, hint: HubMessage['hint']): void {
    if (hint === 'end') {
      socket.send(closing);
      socket.close();
    } else if (isOpen) {
      socket.send(invocation('SendMessage', [hint]));
    }
  }

  const timer = setInterval(() => {
    for (const { socket, heard, isOpen } of connections) {
      if (Date.now() - heard > 2 * pingMilliseconds) socket.terminate();
      else if (isOpen) socket.send(ping);
    }
  }, pingMilliseconds).unref();

  const listener = (request: IncomingMessage, socket: Duplex, head: Buffer) => void upgrade(request, socket, head);
  server.on('upgrade', listener);

  return {
    async deliver({ to, hint }) {
      const audience = [...connections].filter(({ caller }) => isAmong(caller, to));
      const isSure = ({ caller }: Connection) => !caller.isLimited || !('customer' in to) || to.customer === '';
      for (const connection of audience) if (isSure(connection)) send(connection, hint);
      const limited = audience.filter(connection => !isSure(connection));
      if (limited.length === 0 || !('customer' in to)) return;
      const accounts = await seers(to.customer, [...new Set(limited.map(({ caller }) => caller.accountId))]);
      for (const connection of limited) if (accounts.includes(connection.caller.accountId)) send(connection, hint);
    },
    close() {
      clearInterval(timer);
      server.off('upgrade', listener);
      for (const { socket } of connections) socket.terminate();
    },
  };
}

function isAmong(caller: Caller, to: Audience): boolean {
  if ('account' in to) return caller.accountId === to.account;
  if ('grant' in to) return caller.grantId === to.grant;
  if ('everyone' in to) return true;
  return caller.customerId === null ? caller.resellerId === to.reseller : caller.customerId === to.customer;
}

function refuse(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}
