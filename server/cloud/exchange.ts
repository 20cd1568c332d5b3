import type { Dispatcher, Pool } from 'undici';
import { type ErrorCode, PortalError } from '../errors.ts';
import type { OutboundHeaders } from './headers.ts';

export type HttpRequest = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path and query, already encoded. */
  readonly path: string;
  readonly headers: OutboundHeaders;
  readonly body?: string | undefined;
  /** Milliseconds until the whole reply must be there. */
  readonly timeout: number;
  readonly signal?: AbortSignal | undefined;
};

export type HttpReply = { readonly status: number; readonly contentType: string; readonly text: string };

/** Bytes of a reply that are held in memory at most. */
export const largestReply = 8 * 1024 * 1024;

/** undici hands header names over in lower case. */
const one = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value);

function codeOf(error: Error & { code?: string }, started: boolean): ErrorCode {
  const code = error.code ?? '';
  if (/TIMEOUT/.test(code) && code !== 'UND_ERR_CONNECT_TIMEOUT') return 'UPSTREAM_TIMEOUT';
  return started || code.startsWith('HPE_') || code === 'UND_ERR_HEADERS_OVERFLOW'
    ? 'UPSTREAM_GARBLED'
    : 'UPSTREAM_UNREACHABLE';
}

/**
 * One HTTP exchange: follows no redirect, keeps no cookie, holds at most 8 MiB, and is over when its time is, however
 * slowly the other side drips. Throws a PortalError of the UPSTREAM_ kind.
 */
export function exchange(pool: Pool, request: HttpRequest): Promise<HttpReply> {
  const { method, path, headers, body, timeout, signal } = request;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    let status = 0;
    let contentType = '';
    let controller: Dispatcher.DispatchController | undefined;
    let failure: PortalError | undefined;

    const finish = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
    };
    const fail = (error: PortalError): void => {
      if (failure) return;
      failure = error;
      finish();
      controller?.abort(error);
      reject(error);
    };
    const giveUp = (): void =>
      fail(
        new PortalError('UPSTREAM_TIMEOUT', { detail: `no whole reply of ${method} ${path.split('?')[0]} in time` }),
      );
    const timer = setTimeout(giveUp, timeout);
    signal?.addEventListener('abort', giveUp);
    if (signal?.aborted) return giveUp();

    pool.dispatch(
      // Its own timeouts are off: each is for a part, and the timer above is for the whole.
      { method, path, headers, body: body ?? null, headersTimeout: 0, bodyTimeout: 0 },
      {
        onRequestStart(started) {
          controller = started;
          if (failure) started.abort(failure);
        },
        onResponseStart(_, statusCode, replyHeaders) {
          status = statusCode;
          contentType = one(replyHeaders['content-type']) ?? '';
          if (Number(one(replyHeaders['content-length']) ?? 0) > largestReply)
            fail(new PortalError('UPSTREAM_TOO_LARGE'));
        },
        onResponseData(_, chunk) {
          size += chunk.length;
          if (size > largestReply) fail(new PortalError('UPSTREAM_TOO_LARGE'));
          else chunks.push(chunk);
        },
        onResponseEnd() {
          if (failure) return;
          finish();
          resolve({
            status,
            contentType,
            text: (chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)).toString('utf8'),
          });
        },
        onResponseError(_, error) {
          fail(
            new PortalError(codeOf(error, status !== 0), { cause: error, detail: `${method} ${path.split('?')[0]}` }),
          );
        },
      },
    );
  });
}
