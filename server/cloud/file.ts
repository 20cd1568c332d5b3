import { Readable } from 'node:stream';
import type { Pool } from 'undici';
import { PortalError } from '../errors.ts';
import { codeOf, firstValue, type HttpReply, type HttpRequest, largestReply } from './exchange.ts';

/** A file of an upstream on its way. */
export type CloudFile = {
  readonly status: 200;
  /** As the upstream has it, unchecked; '' where it says none. */
  readonly name: string;
  /** Ends in an error when it gets larger than `largestFile`, or does not end in time. */
  readonly bytes: Readable;
};

/** Bytes of one file at most. */
export const largestFile = 32 * 1024 * 1024;

async function* limited(body: AsyncIterable<Buffer>, most: number): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > most) throw new PortalError('UPSTREAM_TOO_LARGE');
    yield chunk;
  }
}

/** The name in a Content-Disposition (RFC 6266): the one in UTF-8, else the plain one. */
function nameIn(disposition: string): string {
  const [, encoded] = /filename\*=UTF-8''([^;]+)/i.exec(disposition) ?? [];
  try {
    if (encoded !== undefined) return decodeURIComponent(encoded);
  } catch {
    // The plain name is there for whoever cannot read the other.
  }
  return /filename="([^"]*)"/i.exec(disposition)?.[1] ?? '';
}

/**
 * Asks for a file of one media type: gives its bytes as they arrive, or the reply that came instead. Throws a PortalError
 * of the UPSTREAM_ kind.
 */
export async function openFile(
  pool: Pool,
  { method, path, headers, timeout, signal }: HttpRequest,
  type: string,
): Promise<CloudFile | HttpReply> {
  const deadline = AbortSignal.timeout(timeout);
  try {
    const reply = await pool.request({
      method,
      path,
      headers,
      signal: signal ? AbortSignal.any([deadline, signal]) : deadline,
      headersTimeout: 0,
      bodyTimeout: 0,
    });
    const contentType = firstValue(reply.headers['content-type']);
    if (reply.statusCode === 200 && contentType.split(';')[0]?.trim().toLowerCase() === type) {
      if (Number(firstValue(reply.headers['content-length'])) > largestFile) {
        reply.body.destroy();
        throw new PortalError('UPSTREAM_TOO_LARGE');
      }
      const name = nameIn(firstValue(reply.headers['content-disposition']));
      return { status: 200, name, bytes: Readable.from(limited(reply.body, largestFile), { objectMode: false }) };
    }
    const chunks: Buffer[] = [];
    for await (const chunk of limited(reply.body, largestReply)) chunks.push(chunk);
    return { status: reply.statusCode, contentType, text: Buffer.concat(chunks).toString('utf8') };
  } catch (error) {
    if (error instanceof PortalError) throw error;
    const detail = `${method} ${path.split('?')[0]}`;
    if (deadline.aborted || signal?.aborted) throw new PortalError('UPSTREAM_TIMEOUT', { detail });
    throw new PortalError(codeOf((error as { code?: string }).code ?? '', false), { cause: error, detail });
  }
}
