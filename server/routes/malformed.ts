import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import { type ErrorCode, failingEnvelope, PortalError } from '../errors.ts';
import { createReference } from './failures.ts';

const byCode: Readonly<Record<string, readonly [status: number, code: ErrorCode]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'BAD_REQUEST'],
  HPE_HEADER_OVERFLOW: [431, 'TOO_LARGE'],
};

/**
 * What Node cannot read as a request never reaches a route. It is answered like every other failure, with the headers
 * of every other response; the socket is raw, so this is HTTP by hand.
 */
export function answerMalformed(headers: Readonly<Record<string, string>>, log: FastifyBaseLogger) {
  const lines = Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
  return (error: Error & { readonly code?: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || socket.destroyed) return;
    const [status, code] = byCode[error.code ?? ''] ?? [400, 'BAD_REQUEST'];
    const reference = createReference();
    log.info({ reference, code, detail: error.code ?? error.message }, 'request refused');
    const body = JSON.stringify(failingEnvelope(new PortalError(code), reference));
    if (socket.writable)
      socket.write(
        `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines}connection: close\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      );
    socket.destroySoon();
  };
}
