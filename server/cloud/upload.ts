import type { Readable } from 'node:stream';
import type { Pool } from 'undici';
import { PortalError } from '../errors.ts';
import { codeOf, firstValue, type HttpReply, type HttpRequest, largestReply } from './exchange.ts';
import { limited, type SendStreamed, wholeTime } from './file.ts';
import { outcomeUnknown } from './unknown.ts';

/** A file of a browser on its way to the cloud. */
export type UploadedFile = {
  /** Its media type. */
  readonly type: string;
  /** How many bytes it has; undefined where the browser does not say. */
  readonly length: number | undefined;
  /** Ends in an error when the browser breaks its bounds or leaves (routes/bounded-body.ts). */
  readonly bytes: Readable;
};

/**
 * Streams a file to the cloud as the body of a request, and gives the reply; `timeout` counts from the file's last byte
 * on. Throws what interrupts the file's bytes, a PortalError of the UPSTREAM_ kind, or OUTCOME_UNKNOWN where the cloud
 * has all of it and may have used it.
 */
export async function sendFile(
  send: SendStreamed,
  pool: Pool,
  request: HttpRequest,
  { bytes }: UploadedFile,
): Promise<HttpReply> {
  const { method, path, timeout, signal, acts } = request;
  const stop = new AbortController();
  const giveUp = (): void => stop.abort();
  signal?.addEventListener('abort', giveUp);
  if (signal?.aborted) giveUp();
  const timers = [setTimeout(giveUp, timeout * wholeTime)];
  bytes.once('end', () => timers.push(setTimeout(giveUp, timeout)));
  try {
    const { status, headers, body } = await send(pool, { ...request, signal: stop.signal });
    const chunks: Buffer[] = [];
    for await (const chunk of limited(body, largestReply)) chunks.push(chunk);
    return { status, contentType: firstValue(headers['content-type']), text: Buffer.concat(chunks).toString('utf8') };
  } catch (error) {
    // What is wrong with the bytes is the browser's fault, and the cloud had no whole file.
    if (bytes.errored instanceof PortalError) throw bytes.errored;
    const detail = `${method} ${path.split('?')[0]}`;
    const failure = stop.signal.aborted
      ? new PortalError('UPSTREAM_TIMEOUT', { detail })
      : error instanceof PortalError
        ? error
        : new PortalError(codeOf((error as { code?: string }).code ?? '', false), { cause: error, detail });
    throw acts && bytes.readableEnded ? outcomeUnknown(failure) : failure;
  } finally {
    for (const timer of timers) clearTimeout(timer);
    signal?.removeEventListener('abort', giveUp);
  }
}
