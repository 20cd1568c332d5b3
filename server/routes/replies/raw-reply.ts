import type { FastifyReply, FastifyRequest } from 'fastify';
import { compressOnce, sendText, takesBrotli, worthwhile } from './compression.ts';

/** Names and values in turn, as a response takes them without looking at each again. */
type FlatHeaders = readonly string[];

/** An answer that is made once: the head for each form it is sent in. */
type Prepared = {
  readonly tag: string;
  readonly whole: FlatHeaders;
  /** For a browser that has it already. */
  readonly none: FlatHeaders;
};

/** Sends bytes that stay the same; `hash` is that of their content. */
export type SendSame = (request: FastifyRequest, reply: FastifyReply, bytes: Buffer, hash: string) => void;

/** The ways in which the answers that are asked for most are sent; all carry the security headers. */
export type Answers = {
  /** `headers`: what all answers of a route carry besides; they win over the security headers of the same name. */
  createSame(headers: Readonly<Record<string, string>>): SendSame;
  /** Sends a text of JSON that was written for this request. */
  sendJson(reply: FastifyReply, status: number, text: string): FastifyReply | Promise<FastifyReply>;
};

const json = { 'content-type': 'application/json; charset=utf-8' };

const flatten = (headers: Readonly<Record<string, string>>): FlatHeaders => Object.entries(headers).flat();

/**
 * Writes an answer past the reply's own header by header work. Nothing is left for an error handler once the reply is
 * taken over, so that comes last: a head that cannot be written fails like any other request.
 */
function write(reply: FastifyReply, status: number, headers: FlatHeaders, body?: Buffer | string): void {
  const { raw } = reply;
  raw.writeHead(status, headers as string[]);
  reply.hijack();
  // Only texts of one byte a letter come as such; for others Node would set aside three for each.
  if (typeof body === 'string') raw.end(body, 'latin1');
  else raw.end(body);
}

/**
 * Creates the functions that write JSON replies directly to Node's response, past Fastify, which is faster. `security`:
 * the headers that every such reply has (security-headers.ts).
 */
export function createAnswers(security: Readonly<Record<string, string>>): Answers {
  const jsonHead = [...flatten({ ...security, ...json }), 'content-length'];

  const createSame: Answers['createSame'] = headers => {
    const plain = new WeakMap<Buffer, Prepared>();
    const packed = new WeakMap<Buffer, FlatHeaders>();

    const prepare = (bytes: Buffer, hash: string): Prepared => {
      const tag = `"${hash}"`;
      const none = { ...security, ...headers, etag: tag };
      const whole = { ...none, ...json, 'content-length': String(bytes.length) };
      const prepared = { tag, whole: flatten(whole), none: flatten(none) };
      plain.set(bytes, prepared);
      return prepared;
    };

    const sendPacked = async (reply: FastifyReply, { tag }: Prepared, bytes: Buffer): Promise<void> => {
      const compressed = await compressOnce(bytes);
      let head = packed.get(compressed);
      if (!head) {
        const more = { 'content-encoding': 'br', vary: 'accept-encoding, cookie', etag: tag };
        head = flatten({ ...security, ...headers, ...json, ...more, 'content-length': String(compressed.length) });
        packed.set(compressed, head);
      }
      write(reply, 200, head, compressed);
    };

    return (request, reply, bytes, hash) => {
      const prepared = plain.get(bytes) ?? prepare(bytes, hash);
      if (request.headers['if-none-match'] === prepared.tag) write(reply, 304, prepared.none);
      else if (bytes.length < worthwhile || !takesBrotli(reply)) write(reply, 200, prepared.whole, bytes);
      else sendPacked(reply, prepared, bytes).catch((error: Error) => reply.send(error));
    };
  };

  const sendJson: Answers['sendJson'] = (reply, status, text) => {
    if (text.length >= worthwhile && takesBrotli(reply))
      return sendText(reply.code(status).type('application/json'), text);
    const length = Buffer.byteLength(text);
    write(reply, status, [...jsonHead, String(length)], length === text.length ? text : Buffer.from(text));
    return reply;
  };

  return { createSame, sendJson };
}
