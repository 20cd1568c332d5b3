import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { Pool } from 'undici';
import { largestFile } from '../../shared/language/file-types.ts';
import { PortalError } from '../errors.ts';
import { codeOf, firstValue, type HttpReply, type HttpRequest, largestReply } from './exchange.ts';

/** A reply as it begins: its body is still to be read. */
export type StreamedReply = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readable;
};

/** Sends a request by the connections of a pool; an aborted signal ends it, body included (routes/cloud-proxy.ts). */
export type SendStreamed = (pool: Pool, request: HttpRequest) => Promise<StreamedReply>;

/** A file of an upstream on its way. */
export type CloudFile = {
  readonly status: 200;
  /** As the upstream has it, unchecked; '' where it says none. */
  readonly name: string;
  /** As the upstream says; undefined where it does not. */
  readonly length: number | undefined;
  /** Ends in an error when it breaks off, gets larger than `largestFile` or takes too long. */
  readonly bytes: Readable;
};

/** How many times as long as until it begins, or between two of its parts, a whole file may take. */
export const wholeTime = 10;

/** Passes on a stream's bytes, and throws UPSTREAM_TOO_LARGE once there are more than `most`. */
export async function* limited(body: AsyncIterable<Buffer>, most: number): AsyncGenerator<Buffer> {
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

/** A file of the type, whose bytes are its own: nobody asked for a coding of them, and the browser would not hear of it. */
function isFile({ status, headers }: StreamedReply, type: string): boolean {
  const [found = ''] = firstValue(headers['content-type']).split(';');
  return status === 200 && found.trim().toLowerCase() === type && headers['content-encoding'] === undefined;
}

/**
 * Asks for a file of one media type: gives its bytes as they arrive, or the reply that came instead. Throws a PortalError
 * of the UPSTREAM_ kind.
 */
export async function openFile(
  send: SendStreamed,
  pool: Pool,
  request: HttpRequest,
  type: string,
): Promise<CloudFile | HttpReply> {
  const { method, path, timeout, signal } = request;
  const stop = new AbortController();
  const giveUp = (): void => stop.abort();
  signal?.addEventListener('abort', giveUp);
  if (signal?.aborted) giveUp();
  const begins = setTimeout(giveUp, timeout);
  try {
    const reply = await send(pool, { ...request, signal: stop.signal });
    const { status, headers, body } = reply;
    if (!isFile(reply, type)) {
      const chunks: Buffer[] = [];
      for await (const chunk of limited(body, largestReply)) chunks.push(chunk);
      return { status, contentType: firstValue(headers['content-type']), text: Buffer.concat(chunks).toString('utf8') };
    }
    const length = headers['content-length'] === undefined ? undefined : Number(headers['content-length']);
    if (length !== undefined && length > largestFile) {
      giveUp();
      throw new PortalError('UPSTREAM_TOO_LARGE');
    }
    const name = nameIn(firstValue(headers['content-disposition']));
    const bytes = Readable.from(limited(body, largestFile), { objectMode: false });
    const ends = setTimeout(giveUp, timeout * wholeTime);
    bytes.once('close', () => clearTimeout(ends));
    return { status: 200, name, length, bytes };
  } catch (error) {
    if (error instanceof PortalError) throw error;
    const detail = `${method} ${path.split('?')[0]}`;
    if (stop.signal.aborted) throw new PortalError('UPSTREAM_TIMEOUT', { detail });
    throw new PortalError(codeOf((error as { code?: string }).code ?? '', false), { cause: error, detail });
  } finally {
    clearTimeout(begins);
  }
}
