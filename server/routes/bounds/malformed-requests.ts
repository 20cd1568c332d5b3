import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type ErrorCode, failingEnvelope, PortalError } from '../../errors.ts';
import type { Wording } from '../../layouts/index.ts';
import type { FailureLog } from '../records/failure-log.ts';
import { createReference } from '../records/request-id.ts';

const byCode: Readonly<Record<string, readonly [status: number, code: ErrorCode]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'BAD_REQUEST'],
  HPE_HEADER_OVERFLOW: [431, 'TOO_LARGE'],
};

/**
 * Gives the handler for what Node cannot parse as a request: it writes the same failure and headers as any other reply,
 * by hand, since it has only the socket.
 */
export function answerMalformed(headers: Readonly<Record<string, string>>, log: FailureLog, wording: () => Wording) {
  const lines = Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
  return (error: Error & { readonly code?: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || socket.destroyed) return;
    const [status, code] = byCode[error.code ?? ''] ?? [400, 'BAD_REQUEST'];
    const reference = createReference();
    const told = new PortalError(code, { detail: error.code ?? error.message });
    log.tell({ reference, route: 'none', error: told, anonymous: true });
    const body = JSON.stringify(failingEnvelope(told, wording().serverText(`error.${code}`), reference));
    if (socket.writable)
      socket.write(
        `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines}connection: close\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      );
    socket.destroySoon();
  };
}
