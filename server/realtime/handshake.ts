import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { socketPath } from '../../shared/contract/realtime.ts';
import { PortalError } from '../errors.ts';
import type { FindSession } from '../session/find-session.ts';
import type { Session } from '../session/session-cache.ts';

/** Who opened a socket. */
export type Admitted = { readonly identifier: string; readonly session: Session };

export type HandshakeParts = {
  readonly findSession: FindSession;
  /** The address of the browser. */
  readonly addressOf: (request: IncomingMessage) => string;
  readonly isWellFormed: (request: IncomingMessage) => boolean;
  readonly isOwnOrigin: (request: IncomingMessage) => boolean;
  /** The session cookie of a request. */
  readonly cookieOf: (request: IncomingMessage) => string | undefined;
  /** True once this process opens no more sockets. */
  readonly isStopping: () => boolean;
};

const phrases: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  429: 'Too Many Requests',
  503: 'Service Unavailable',
};

/** Answers a WebSocket upgrade with an HTTP error and closes the raw socket. */
export function refuseUpgrade(socket: Duplex, status: number): void {
  socket.once('finish', () => socket.destroy());
  socket.end(
    `HTTP/1.1 ${status} ${phrases[status] ?? 'Refused'}\r\nconnection: close\r\ncontent-length: 0\r\ncontent-security-policy: default-src 'none'; frame-ancestors 'none'\r\nx-content-type-options: nosniff\r\ncache-control: no-store\r\n\r\n`,
  );
}

/**
 * Decides whether a WebSocket handshake is accepted: at the socket's path, from the portal's own pages (a page of
 * another site can open a WebSocket, and the browser sends the cookie along), with a session. Gives the identifier and
 * the session, or the HTTP status to refuse with. Never rejects.
 */
export async function authoriseHandshake(parts: HandshakeParts, request: IncomingMessage): Promise<Admitted | number> {
  if (!parts.isWellFormed(request)) return 400;
  const path = (request.url ?? '').split('?')[0];
  if (path !== socketPath && path !== `${socketPath}/`) return 404;
  if (parts.isStopping()) return 503;
  if (request.headers.origin === undefined || !parts.isOwnOrigin(request)) return 403;
  const identifier = parts.cookieOf(request);
  if (identifier === undefined) return 401;
  try {
    const session = await parts.findSession(identifier, parts.addressOf(request), false);
    return session ? { identifier, session } : 401;
  } catch (error) {
    return error instanceof PortalError && error.code === 'STORE_DOWN' ? 503 : 401;
  }
}
