import { Pool } from 'undici';
import type { Operation } from '../../shared/language/types.ts';
import type { Services } from '../config.ts';
import { PortalError } from '../errors.ts';
import { buildAddress } from './address.ts';
import type { CloudReply, CloudRequest } from './call.ts';
import { exchange, type HttpReply, type HttpRequest } from './exchange.ts';
import { type CloudFile, openFile } from './file.ts';
import { outboundHeaders } from './headers.ts';
import { judgeReply } from './outcome.ts';

/** The gate to the upstream: an operation becomes an HTTP call, and its reply an envelope. */
export type Cloud = {
  /** Throws a PortalError: UPSTREAM_…, SESSION_ENDED, PERMISSION_NOT_FOUND or PARAMETER_INVALID. */
  call(request: CloudRequest): Promise<CloudReply>;
  /** The reply as it came, for `judgeReply`. Throws the same, where no reply came at all. */
  ask(request: CloudRequest): Promise<HttpReply>;
  /** The file that an operation gives, as it arrives, or the reply that says why there is none. Throws the same. */
  open(request: CloudRequest): Promise<CloudFile | CloudReply>;
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
        operation.file,
      ),
      body: body === undefined ? undefined : JSON.stringify(body),
      timeout: operation.timeout ?? defaultTimeout,
      signal,
    };
  };

  /** Sends in the caller's name, and once more with another token where the first is refused. */
  const send = async <Reply extends HttpReply | CloudFile>(
    request: CloudRequest,
    by: (pool: Pool, http: HttpRequest) => Promise<Reply>,
  ): Promise<Reply> => {
    const { operation, parameters, credentials } = request;
    const { base, pool } = upstreamOf(operation);
    const path = buildAddress(base, operation, parameters);
    const found = credentials?.token();
    const token = typeof found === 'object' ? await found : found;
    const reply = await by(pool, write(request, path, token));
    if (reply.status !== 401 || !credentials || token === undefined || request.keepsToken)
      return silent(request, reply, token);
    const renewed = await credentials.renew(token);
    if (operation.method !== 'GET' && !operation.once)
      throw new PortalError('UPSTREAM_TRY_AGAIN', { detail: 'token refused in a write' });
    return silent(request, await by(pool, write(request, path, renewed)), renewed);
  };
  const ask = (request: CloudRequest): Promise<HttpReply> => send(request, exchange);

  return {
    ask,
    call: async request => judgeReply(await ask(request), request),
    async open(request) {
      const reply = await send(request, (pool, http) => openFile(pool, http, request.operation.file ?? ''));
      if ('bytes' in reply) return reply;
      const judged = await judgeReply(reply, request);
      if (judged.envelope.Succeed) throw new PortalError('UPSTREAM_GARBLED', { detail: 'an envelope for a file' });
      return judged;
    },
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

/** Letters that few replies have. */
const rare = /[JQXZ]/;

/**
 * A cloud that says a token back, as in "token … is not valid", says it to nobody else. Bare replies stay in the portal,
 * and one of them may be where the hub's token comes from.
 */
function silent<Reply extends HttpReply | CloudFile>(
  { bare }: CloudRequest,
  reply: Reply,
  token: string | undefined,
): Reply {
  if (bare || token === undefined || 'bytes' in reply) return reply;
  // Tokens of a kind begin alike, with what replies are full of: it takes an eighth of the time to look for their rest.
  if (!reply.text.includes(token.slice(Math.max(0, token.search(rare))))) return reply;
  return { ...reply, text: reply.text.replaceAll(token, '') };
}
