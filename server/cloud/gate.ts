import { Pool } from 'undici';
import type { Operation } from '../../shared/language/types.ts';
import type { Services } from '../config.ts';
import { PortalError } from '../errors.ts';
import { buildAddress } from './address.ts';
import type { CloudReply, CloudRequest } from './call.ts';
import { exchange, type HttpReply, type HttpRequest } from './exchange.ts';
import { outboundHeaders } from './headers.ts';
import { judgeReply } from './outcome.ts';

/** The gate to the upstream: an operation becomes an HTTP call, and its reply an envelope. */
export type Cloud = {
  /** Throws a PortalError: UPSTREAM_…, SESSION_ENDED, PERMISSION_NOT_FOUND or PARAMETER_INVALID. */
  call(request: CloudRequest): Promise<CloudReply>;
  /** The reply as it came, for `judgeReply`. Throws the same, where no reply came at all. */
  ask(request: CloudRequest): Promise<HttpReply>;
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

  const byService = {
    cloud: pools.get(services.cloud.origin) as Pool,
    auth: pools.get(services.auth.origin) as Pool,
  } as const satisfies Record<keyof Services, Pool>;
  const upstreamOf = ({ service }: Operation) => {
    if (service === 'portal') throw new PortalError('INTERNAL', { detail: 'the portal is no upstream' });
    return { base: services[service], pool: byService[service] };
  };

  const write = (request: CloudRequest, path: string, token: string | undefined): HttpRequest => {
    const { operation, body, credentials, press, signal } = request;
    return {
      method: operation.method,
      path,
      headers: outboundHeaders(
        body === undefined ? undefined : 'application/json',
        token,
        credentials?.actor,
        operation.once ? press : undefined,
      ),
      body: body === undefined ? undefined : JSON.stringify(body),
      timeout: operation.timeout ?? defaultTimeout,
      signal,
    };
  };

  const ask = async (request: CloudRequest): Promise<HttpReply> => {
    const { operation, parameters, credentials } = request;
    const { base, pool } = upstreamOf(operation);
    const path = buildAddress(base, operation, parameters);
    const found = credentials?.token();
    const token = typeof found === 'object' ? await found : found;
    const reply = await exchange(pool, write(request, path, token));
    if (reply.status !== 401 || !credentials || token === undefined || request.keepsToken)
      return silent(request, reply, token);
    const renewed = await credentials.renew(token);
    if (operation.method !== 'GET' && !operation.once)
      throw new PortalError('UPSTREAM_TRY_AGAIN', { detail: 'token refused in a write' });
    return silent(request, await exchange(pool, write(request, path, renewed)), renewed);
  };

  return {
    ask,
    call: async request => judgeReply(await ask(request), request),
    post: (path, form) =>
      exchange(byService.auth, {
        method: 'POST',
        path: buildAddress(services.auth, { service: 'auth', method: 'POST', path }, {}),
        headers: outboundHeaders('application/x-www-form-urlencoded'),
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
function silent({ bare }: CloudRequest, reply: HttpReply, token: string | undefined): HttpReply {
  if (bare || token === undefined || !reply.text.includes(token)) return reply;
  return { ...reply, text: reply.text.replaceAll(token, '') };
}
