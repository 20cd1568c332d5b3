import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import type { FastifyReply } from 'fastify';

const compress = promisify(brotliCompress);

/** Below this many bytes compressing costs more than it saves. */
export const worthwhile = 4 * 1024;
const { BROTLI_PARAM_QUALITY: quality, BROTLI_PARAM_SIZE_HINT: size } = constants;

/** True when the browser accepts brotli, the only compression used: browsers offer it on every trusted connection. */
export function takesBrotli({ request }: FastifyReply): boolean {
  const offered = request.headers['accept-encoding'];
  return (
    typeof offered === 'string' &&
    /(?:^|[\s,])br(?:$|[\s,;])/.test(offered) &&
    !/br\s*;\s*q=0(?:\.0*)?(?:$|[\s,])/.test(offered)
  );
}

const kept = new WeakMap<Buffer, Promise<Buffer>>();

/** Compresses bytes that are sent often; keeps the result. */
export function compressOnce(bytes: Buffer): Promise<Buffer> {
  let compressed = kept.get(bytes);
  if (!compressed) {
    compressed = compress(bytes, { params: { [quality]: 9, [size]: bytes.length } });
    kept.set(bytes, compressed);
  }
  return compressed;
}

const encoded = { 'content-encoding': 'br', vary: 'accept-encoding, cookie' };

/** Sends a text, compressed when it is long enough and the browser accepts it. */
export async function sendText(reply: FastifyReply, text: string): Promise<FastifyReply> {
  if (text.length < worthwhile || !takesBrotli(reply)) return reply.send(text);
  const bytes = Buffer.from(text);
  const compressed = await compress(bytes, { params: { [quality]: 5, [size]: bytes.length } });
  return reply.headers(encoded).send(compressed);
}
