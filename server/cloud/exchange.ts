import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher, Pool } from 'undici';
import { type ErrorCode, PortalError } from '../errors.ts';
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

/** The first value of a header; '' where it is absent. */
export const firstValue = (value: string | string[] | undefined): string => [value ?? ''].flat()[0] ?? '';

/**
 * Gives the code of the portal's error for the code of a connection error, such as ECONNRESET: UPSTREAM_TIMEOUT,
 * UPSTREAM_UNREACHABLE or UPSTREAM_GARBLED. `started` is true once a reply has begun.
 */
export function codeOf(code: string, started: boolean): ErrorCode {
  if (/TIMEOUT/.test(code) && code !== 'UND_ERR_CONNECT_TIMEOUT') return 'UPSTREAM_TIMEOUT';
  return started || code.startsWith('HPE_') || code === 'UND_ERR_HEADERS_OVERFLOW'
    ? 'UPSTREAM_GARBLED'
    : 'UPSTREAM_UNREACHABLE';
}

/** A kept connection that the other side closed at the moment of use. */
const stale = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

/**
 * Makes one HTTP request to the cloud: no redirects, no cookies, at most 8 MiB, and within its time. A GET is repeated
 * once when a kept connection was closed before anything was read. Throws a PortalError of the UPSTREAM_ kind, or
 * OUTCOME_UNKNOWN when the request may have been carried out.
 */
export function exchange(pool: Pool, request: HttpRequest): Promise<HttpReply> {
  return new Promise((resolve, reject) => new Exchange(pool, request, resolve, reject).start());
}

/**
 * One request and its retry. A handler of undici, and not `pool.request`: that one neither settles an aborted request
 * which still waits for a connection, nor tells whether a request was sent.
 */
class Exchange implements Dispatcher.DispatchHandler {
  private readonly pool: Pool;
  private readonly request: HttpRequest;
  private readonly resolve: (reply: HttpReply) => void;
  private readonly reject: (error: PortalError) => void;
  private readonly giveUp = (): void =>
    this.fail(new PortalError('UPSTREAM_TIMEOUT', { detail: `no whole reply of ${this.name()} in time` }));
  private readonly timer: NodeJS.Timeout;
  private readonly chunks: Buffer[] = [];
  private size = 0;
  private status = 0;
  private contentType = '';
  /** Set once the request has a connection, which is when it is sent. */
  private controller: Dispatcher.DispatchController | undefined;
  private failure: PortalError | undefined;
  private isRetry = false;

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
    this.timer = setTimeout(this.giveUp, request.timeout).unref();
  }

  start(): void {
    const { signal } = this.request;
    signal?.addEventListener('abort', this.giveUp);
    if (signal?.aborted) this.giveUp();
    else this.dispatch();
  }

  private dispatch(): void {
    const { method, path, headers, body = null } = this.request;
    // undici's own timeouts are off: each is for a part of the reply, and ours is for the whole.
    this.pool.dispatch({ method, path, headers, body, headersTimeout: 0, bodyTimeout: 0 }, this);
  }

  private name(): string {
    const { method, path } = this.request;
    return `${method} ${path.split('?')[0]}`;
  }

  private finish(): void {
    clearTimeout(this.timer);
    this.request.signal?.removeEventListener('abort', this.giveUp);
  }

  private fail(error: PortalError): void {
    if (this.failure) return;
    this.failure = this.request.acts && this.controller ? outcomeUnknown(error) : error;
    this.finish();
    this.controller?.abort(this.failure);
    this.reject(this.failure);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.failure) controller.abort(this.failure);
  }

  /** Also called for an interim reply (1xx), which the final one follows. */
  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    this.status = status;
    this.contentType = firstValue(headers['content-type']);
    if (Number(firstValue(headers['content-length'])) > largestReply) this.fail(new PortalError('UPSTREAM_TOO_LARGE'));
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.size += chunk.length;
    if (this.size > largestReply) this.fail(new PortalError('UPSTREAM_TOO_LARGE'));
    else this.chunks.push(chunk);
  }

  onResponseEnd(): void {
    if (this.failure) return;
    this.finish();
    const { status, contentType, chunks } = this;
    // Most replies come in one piece, which needs no copy.
    const whole = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
    this.resolve({ status, contentType, text: whole.toString('utf8') });
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error & { code?: string }): void {
    const { code = '' } = error;
    if (!this.failure && !this.isRetry && this.status === 0 && this.request.method === 'GET' && stale.has(code)) {
      this.isRetry = true;
      this.dispatch();
    } else this.fail(new PortalError(codeOf(code, this.status !== 0), { cause: error, detail: this.name() }));
  }
}
