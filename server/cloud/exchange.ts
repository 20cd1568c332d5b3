import type { Dispatcher, Pool } from 'undici';
import { type ErrorCode, PortalError } from '../errors.ts';
import { Deadlines, type Timed } from './deadlines.ts';
import type { OutboundHeaders } from './headers.ts';
import { outcomeUnknown } from './unknown.ts';

export type HttpRequest = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path and query, already encoded. */
  readonly path: string;
  readonly headers: OutboundHeaders;
  readonly body?: string | undefined;
  /** Milliseconds until the whole reply must be there. */
  readonly timeout: number;
  readonly signal?: AbortSignal | undefined;
  /** True where the other side does something that a second request would do again. */
  readonly acts?: boolean | undefined;
};

export type HttpReply = { readonly status: number; readonly contentType: string; readonly text: string };

/** Bytes of a reply that are held in memory at most. */
export const largestReply = 8 * 1024 * 1024;

const deadlines = new Deadlines();

/** True for the bytes of a wanted name, whatever the case of its letters; header names have but few other signs. */
function isNamed(bytes: Buffer, wanted: string): boolean {
  if (bytes.length !== wanted.length) return false;
  for (let index = 0; index < wanted.length; index++)
    if (((bytes[index] as number) | 0x20) !== wanted.charCodeAt(index)) return false;
  return true;
}

/** The first of a name, looked for in names and values in turn as they came. */
function headerOf(headers: readonly Buffer[], wanted: string): string | undefined {
  for (let index = 0; index < headers.length; index += 2)
    if (isNamed(headers[index] as Buffer, wanted)) return headers[index + 1]?.toString('latin1');
  return undefined;
}

/** Which error of the upstream an error of a connection is; `started` once a reply has begun. */
export function codeOf(code: string, started: boolean): ErrorCode {
  if (/TIMEOUT/.test(code) && code !== 'UND_ERR_CONNECT_TIMEOUT') return 'UPSTREAM_TIMEOUT';
  return started || code.startsWith('HPE_') || code === 'UND_ERR_HEADERS_OVERFLOW'
    ? 'UPSTREAM_GARBLED'
    : 'UPSTREAM_UNREACHABLE';
}

/** A kept connection that the other side closed at the moment of use. */
const stale = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

/**
 * One HTTP exchange: follows no redirect, keeps no cookie, holds at most 8 MiB, and is over when its time is, however
 * slowly the other side drips. A GET is sent once more when a kept connection was closed before anything was read.
 * Throws a PortalError of the UPSTREAM_ kind, or OUTCOME_UNKNOWN where it acts and may have been done all the same.
 */
export function exchange(pool: Pool, request: HttpRequest): Promise<HttpReply> {
  return new Promise((resolve, reject) => new Exchange(pool, request, resolve, reject).start());
}

/** What undici tells on the way; the names are its own. It hands headers over as they came, and few are looked at. */
class Exchange implements Dispatcher.DispatchHandler, Timed {
  readonly due: number;
  place = -1;
  private readonly pool: Pool;
  private readonly request: HttpRequest;
  private readonly resolve: (reply: HttpReply) => void;
  private readonly reject: (error: PortalError) => void;
  private first: Buffer | undefined;
  private more: Buffer[] | undefined;
  private size = 0;
  private status = 0;
  private contentType = '';
  private abort: ((error?: Error) => void) | undefined;
  private failure: PortalError | undefined;
  private isAgain = false;

  constructor(
    pool: Pool,
    request: HttpRequest,
    resolve: (reply: HttpReply) => void,
    reject: (error: PortalError) => void,
  ) {
    this.pool = pool;
    this.request = request;
    this.resolve = resolve;
    this.reject = reject;
    this.due = performance.now() + request.timeout;
  }

  start(): void {
    const { signal } = this.request;
    signal?.addEventListener('abort', this);
    deadlines.watch(this);
    if (signal?.aborted) this.giveUp();
    else this.dispatch();
  }

  private dispatch(): void {
    const { method, path, headers, body = null } = this.request;
    // Its own timeouts are off: each is for a part, and the deadline is for the whole.
    this.pool.dispatch({ method, path, headers, body, headersTimeout: 0, bodyTimeout: 0 }, this);
  }

  /** The signal says that nobody waits any more. */
  handleEvent(): void {
    this.giveUp();
  }

  giveUp(): void {
    this.fail(new PortalError('UPSTREAM_TIMEOUT', { detail: `no whole reply of ${this.name()} in time` }));
  }

  private name(): string {
    const { method, path } = this.request;
    return `${method} ${path.split('?')[0]}`;
  }

  private finish(): void {
    deadlines.release(this);
    this.request.signal?.removeEventListener('abort', this);
  }

  private fail(error: PortalError): void {
    if (this.failure) return;
    // Without a connection nothing was sent.
    this.failure = this.request.acts && this.abort ? outcomeUnknown(error) : error;
    this.finish();
    this.abort?.(this.failure);
    this.reject(this.failure);
  }

  onConnect(abort: (error?: Error) => void): void {
    this.abort = abort;
    if (this.failure) abort(this.failure);
  }

  onHeaders(status: number, headers: Buffer[]): boolean {
    // Also of an interim reply, which the whole one follows.
    this.status = status;
    this.contentType = headerOf(headers, 'content-type') ?? '';
    if (Number(headerOf(headers, 'content-length') ?? 0) > largestReply)
      this.fail(new PortalError('UPSTREAM_TOO_LARGE'));
    return true;
  }

  onData(chunk: Buffer): boolean {
    this.size += chunk.length;
    if (this.size > largestReply) this.fail(new PortalError('UPSTREAM_TOO_LARGE'));
    else if (!this.first) this.first = chunk;
    else if (!this.more) this.more = [this.first, chunk];
    else this.more.push(chunk);
    return true;
  }

  onComplete(): void {
    if (this.failure) return;
    this.finish();
    const bytes = this.more ? Buffer.concat(this.more) : this.first;
    this.resolve({ status: this.status, contentType: this.contentType, text: bytes?.toString('utf8') ?? '' });
  }

  onError(error: Error & { code?: string }): void {
    const { code = '' } = error;
    if (!this.failure && !this.isAgain && this.status === 0 && this.request.method === 'GET' && stale.has(code)) {
      this.isAgain = true;
      this.dispatch();
    } else this.fail(new PortalError(codeOf(code, this.status !== 0), { cause: error, detail: this.name() }));
  }
}
