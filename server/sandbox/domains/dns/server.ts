import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { type Answer, decode, encode, type Packet, TRUNCATED_RESPONSE } from 'dns-packet';
import type { Database } from '../../tables.ts';
import { answerQuestion, type StoredRecord, stringsOf } from './records.ts';

/** Bounds of the server: it is for this machine, and answers one question a message. */
const mostUnanswered = 200;
const mostConnections = 50;
const largestQuery = 1024;
const idleMilliseconds = 2000;
/** Bytes of an answer by UDP where the question offers no more (RFC 1035, section 4.2.1). */
const plainUdpBytes = 512;
const noError = 0;
const serverFailure = 2;
const noSuchName = 3;

export type DnsServer = {
  /** Starts the server if it does not run yet, at one port of the loopback for UDP and TCP; gives its address. */
  address(): Promise<string>;
  close(): Promise<void>;
};

type Bound = { readonly udp: UdpSocket; readonly tcp: Server; readonly port: number };

/** A DNS server whose records stand in a table: what a resolver would answer about domains that there are not. */
export function createDnsServer(db: Database): DnsServer {
  let bound: Promise<Bound> | undefined;
  let unanswered = 0;
  const sockets = new Set<Socket>();

  /** Gives the answer to a query; undefined for what gets none. */
  async function reply(query: Buffer, isUdp: boolean): Promise<Buffer | undefined> {
    if (query.length > largestQuery || unanswered >= mostUnanswered) return undefined;
    unanswered++;
    try {
      return await answer(db, decode(query), isUdp);
    } catch {
      // Neither gets an answer: bytes that are no query, and a query while the database is closing.
      return undefined;
    } finally {
      unanswered--;
    }
  }

  function takeConnection(socket: Socket): void {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    socket.setTimeout(idleMilliseconds, () => socket.destroy());
    let held = Buffer.alloc(0);
    socket.on('data', async part => {
      held = Buffer.concat([held, part]);
      if (held.length > largestQuery + 2) return void socket.destroy();
      while (held.length >= 2 && held.length >= held.readUInt16BE() + 2) {
        const query = held.subarray(2, held.readUInt16BE() + 2);
        held = held.subarray(query.length + 2);
        const answered = await reply(query, false);
        if (!answered || socket.destroyed) return void socket.destroy();
        const length = Buffer.alloc(2);
        length.writeUInt16BE(answered.length);
        socket.write(Buffer.concat([length, answered]));
      }
    });
  }

  async function bind(): Promise<Bound> {
    for (let tried = 1; ; tried++) {
      const udp = createSocket('udp4');
      const tcp = createServer(takeConnection);
      tcp.maxConnections = mostConnections;
      udp.on('message', async (query, { port, address }) => {
        const answered = await reply(query, true);
        if (answered) udp.send(answered, port, address, () => undefined);
      });
      udp.bind(0, '127.0.0.1');
      await once(udp, 'listening');
      const { port } = udp.address();
      try {
        tcp.listen(port, '127.0.0.1');
        await once(tcp, 'listening');
        udp.on('error', () => undefined);
        return { udp, tcp, port };
      } catch (error) {
        // Another program has the port for TCP.
        udp.close();
        if (tried === 5) throw error;
      }
    }
  }

  return {
    async address() {
      bound ??= bind();
      return `127.0.0.1:${(await bound).port}`;
    },
    async close() {
      const open = await bound;
      for (const socket of sockets) socket.destroy();
      open?.udp.close();
      open?.tcp.close();
    },
  };
}

async function answer(db: Database, query: Packet, isUdp: boolean): Promise<Buffer | undefined> {
  const [question] = query.questions ?? [];
  if (!question) return undefined;
  const found = await answerQuestion(db, question.name, question.type);
  if (found.kind === 'silent') return undefined;
  const rcode = { records: noError, failed: serverFailure, 'no-name': noSuchName }[found.kind];
  const flags = (query.flags ?? 0) & recursionDesired;
  const base: Packet = {
    ...(query.id !== undefined && { id: query.id }),
    type: 'response',
    flags: flags | recursionAvailable | rcode,
    questions: [question],
  };
  if (found.kind !== 'records') return encode(base);
  const whole = encode({ ...base, answers: found.records.map(answerOf) });
  const offered = query.additionals?.find(one => one.type === 'OPT');
  const most = Math.max(plainUdpBytes, offered && 'udpPayloadSize' in offered ? offered.udpPayloadSize : 0);
  if (!isUdp || (!found.isTruncated && whole.length <= most)) return whole;
  return encode({ ...base, flags: (base.flags ?? 0) | TRUNCATED_RESPONSE });
}

const recursionDesired = 1 << 8;
const recursionAvailable = 1 << 7;
const ttl = 60;

function answerOf({ name, type, value }: StoredRecord): Answer {
  if (type === 'MX') {
    const [preference = '0', exchange = ''] = value.split(' ');
    return { name, type, ttl, data: { preference: Number(preference), exchange } };
  }
  if (type === 'TXT') return { name, type, ttl, data: stringsOf(value) };
  return { name, type: 'CNAME', ttl, data: value };
}
