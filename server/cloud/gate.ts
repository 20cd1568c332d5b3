import { Pool } from 'undici';
import type { Services } from '../config.ts';
import { PortalError } from '../errors.ts';
import { buildAddress } from './address.ts';
import type { CloudReply, CloudRequest } from './call.ts';
import { exchange, type HttpReply } from './exchange.ts';
import { outboundHeaders } from './headers.ts';
import { judgeReply } from './outcome.ts';

/** The gate to the upstream: an operation becomes an HTTP call, and its reply an envelope. */
export type Cloud = {
  /** Throws a PortalError: UPSTREAM_…, SESSION_ENDED, PERMISSION_NOT_FOUND or PARAMETER_INVALID. */
  call(request: CloudRequest): Promise<CloudReply>;
  /** A form-encoded POST of the auth service, without credentials. */
  post(path: string, form: Readonly<Record<string, string>>): Promise<HttpReply>;
  close(): Promise<void>;
};

const defaultTimeout = 15_000;

export function createCloud(services: Services): Cloud {
  const pools = new Map<string, Pool>();
  for (const { origin } of [services.cloud, services.auth]) {
    // Pools are apart per upstream, so that a slow one holds up nobody else.
    if (!pools.has(origin))
      pools.set(
        origin,
        new Pool(origin, { connections: 256, pipelining: 1, connect: { timeout: 5000 }, keepAliveTimeout: 4000 }),
      );
  }
  const poolOf = (url: URL): Pool => pools.get(url.origin) as Pool;

  const send = async (request: CloudRequest, path: string, token: string | undefined): Promise<HttpReply> => {
    const { operation, body, credentials, press, signal } = request;
    const http = {
      method: operation.method,
      path,
      headers: outboundHeaders({
        contentType: body === undefined ? undefined : 'application/json',
        token,
        actor: credentials?.actor,
        press: operation.once ? press : undefined,
      }),
      body: body === undefined ? undefined : JSON.stringify(body),
      timeout: operation.timeout ?? defaultTimeout,
      signal,
    };
    try {
      return await exchange(poolOf(services[operation.service]), http);
    } catch (error) {
      if (operation.method !== 'GET' || !isStaleSocket(error)) throw error;
      return exchange(poolOf(services[operation.service]), http);
    }
  };

  return {
    async call(request) {
      const { operation, parameters, credentials } = request;
      const path = buildAddress(services[operation.service], operation, parameters);
      const token = await credentials?.token();
      let reply = await send(request, path, token);
      if (reply.status === 401 && credentials && token !== undefined) {
        const renewed = await credentials.renew(token);
        if (operation.method !== 'GET' && !operation.once)
          throw new PortalError('UPSTREAM_TRY_AGAIN', { detail: 'token refused in a write' });
        reply = withoutToken(await send(request, path, renewed), renewed);
      }
      return judgeReply(token === undefined || request.bare ? reply : withoutToken(reply, token), request);
    },
    post: (path, form) =>
      exchange(poolOf(services.auth), {
        method: 'POST',
        path: buildAddress(services.auth, { service: 'auth', method: 'POST', path }, {}),
        headers: outboundHeaders({ contentType: 'application/x-www-form-urlencoded' }),
        body: new URLSearchParams(form).toString(),
        timeout: defaultTimeout,
      }),
    close: async () => {
      await Promise.all([...pools.values()].map(pool => pool.destroy()));
    },
  };
}

/**
 * A cloud that says a token back, as in "token … is not valid", says it to nobody else. Bare replies stay in the portal,
 * and one of them may be where the hub's token comes from.
 */
function withoutToken(reply: HttpReply, token: string): HttpReply {
  return reply.text.includes(token) ? { ...reply, text: reply.text.replaceAll(token, '') } : reply;
}

/** A kept connection that the other side closed at the moment of use: nothing was read, so reading again is safe. */
function isStaleSocket(error: unknown): boolean {
  const cause = (error as PortalError).parts?.cause as { code?: string } | undefined;
  return (
    error instanceof PortalError &&
    error.code === 'UPSTREAM_UNREACHABLE' &&
    (cause?.code === 'UND_ERR_SOCKET' || cause?.code === 'ECONNRESET' || cause?.code === 'EPIPE')
  );
}
