import { finished } from 'node:stream/promises';
import type { Pool } from 'undici';
import type { CloudAddresses } from '../config.ts';
import { PortalError } from '../errors.ts';
import { buildAddress } from './address.ts';
import type { CloudReply, CloudRequest } from './call.ts';
import { exchange, type HttpReply, type HttpRequest } from './exchange.ts';
import { type CloudFile, openFile, type SendStreamed } from './file.ts';
import { outboundHeaders } from './headers.ts';
import { interpretReply } from './outcome.ts';
import { acts } from './unknown.ts';
import { sendFile, type UploadedFile } from './upload.ts';
import { type CloudServiceName, type CloudWatch, createUpstream, type Upstream } from './upstream.ts';

/** The gate to the upstream: an operation becomes an HTTP call, and its reply an envelope. */
export type Cloud = {
  /** Throws a PortalError: UPSTREAM_…, OUTCOME_UNKNOWN, SESSION_ENDED, PERMISSION_NOT_FOUND or PARAMETER_INVALID. */
  call(request: CloudRequest): Promise<CloudReply>;
  /** The reply as it came, for `interpretReply`. Throws the same, where no reply came at all. */
  ask(request: CloudRequest): Promise<HttpReply>;
  /** The file that an operation gives, as it arrives, or the reply that says why there is none. Throws the same. */
  open(request: CloudRequest, sendStreamed: SendStreamed): Promise<CloudFile | CloudReply>;
  /** Sends a file of a browser as the body. Throws the same, and what the bytes end in. */
  upload(request: CloudRequest, file: UploadedFile, sendStreamed: SendStreamed): Promise<CloudReply>;
  /** A form-encoded POST of the auth service, without credentials. `address`: from where it is asked. */
  post(path: string, form: Readonly<Record<string, string>>, address?: string): Promise<HttpReply>;
  close(): Promise<void>;
};

const defaultTimeout = 15_000;

/**
 * Creates the gate to the cloud: turns an operation with parameters into an HTTP call and gives its checked reply. Each
 * service has connections and limits of its own.
 */
export function createCloud(services: CloudAddresses, watch?: CloudWatch): Cloud {
  const upstreams = {
    cloud: createUpstream('cloud', services.cloud, watch),
    auth: createUpstream('auth', services.auth, watch),
    rights: createUpstream('rights', services.cloud, watch),
    files: createUpstream('files', services.cloud, watch),
    uploads: createUpstream('uploads', services.cloud, watch),
  } as const satisfies Record<CloudServiceName, Upstream>;
  const upstreamOf = ({ operation: { service, file, upload }, isOfRights }: CloudRequest): Upstream => {
    if (isOfRights) return upstreams.rights;
    if (service === 'cloud' && file !== undefined) return upstreams.files;
    if (service === 'cloud' && upload) return upstreams.uploads;
    if (service === 'portal') throw new PortalError('INTERNAL', { detail: 'the portal is no upstream' });
    return upstreams[service];
  };

  const write = (request: CloudRequest, path: string, token: string | undefined, sent?: UploadedFile): HttpRequest => {
    const { operation, body, credentials, press, signal, trace } = request;
    return {
      method: operation.method,
      path,
      headers: outboundHeaders(
        sent?.type ?? (body === undefined ? undefined : 'application/json'),
        token,
        credentials?.actor,
        operation.once ? press : undefined,
        operation.file,
        trace,
        sent?.length,
        request.address ?? credentials?.address,
      ),
      body: body === undefined ? undefined : JSON.stringify(body),
      timeout: operation.timeout ?? defaultTimeout,
      signal,
      acts: acts(operation),
    };
  };

  /** Sends in the caller's name, and once more with another token where the first is refused. */
  const send = async <Reply extends HttpReply | CloudFile>(
    request: CloudRequest,
    by: (pool: Pool, http: HttpRequest) => Promise<Reply>,
    sent?: UploadedFile,
  ): Promise<Reply> => {
    const { operation, parameters, credentials } = request;
    const upstream = upstreamOf(request);
    const path = buildAddress(upstream.base, operation, parameters);
    const found = credentials?.token();
    const token = typeof found === 'object' ? await found : found;
    const run = (given: string | undefined): Promise<Reply> =>
      upstream.run(() => by(upstream.pool, write(request, path, given, sent)), request.signal, endOfFile, {
        account: credentials?.actor,
        network: request.network,
      });
    const reply = await run(token);
    if (reply.status !== 401 || !credentials || token === undefined || request.keepsToken)
      return silent(request, reply, token);
    const renewed = await credentials.renew(token);
    // The bytes of a file are gone.
    if (sent || (operation.method !== 'GET' && !operation.once))
      throw new PortalError('UPSTREAM_TRY_AGAIN', { detail: 'token refused in a write' });
    return silent(request, await run(renewed), renewed);
  };
  const ask = (request: CloudRequest): Promise<HttpReply> => send(request, exchange);

  return {
    ask,
    call: async request => interpretReply(await ask(request), request),
    async open(request, sendStreamed) {
      const reply = await send(request, (pool, http) =>
        openFile(sendStreamed, pool, http, request.operation.file ?? ''),
      );
      if ('bytes' in reply) return reply;
      const judged = await interpretReply(reply, request);
      if (judged.envelope.Succeed) throw new PortalError('UPSTREAM_GARBLED', { detail: 'an envelope for a file' });
      return judged;
    },
    async upload(request, file, sendStreamed) {
      const reply = await send(request, (pool, http) => sendFile(sendStreamed, pool, http, file), file);
      return interpretReply(reply, request);
    },
    post: (path, form, address) =>
      upstreams.auth.run(() =>
        exchange(upstreams.auth.pool, {
          method: 'POST',
          path: buildAddress(services.auth, { service: 'auth', method: 'POST', path }, {}),
          headers: {
            ...outboundHeaders('application/x-www-form-urlencoded'),
            ...(address !== undefined && { 'x-forwarded-for': address }),
          },
          body: new URLSearchParams(form).toString(),
          timeout: defaultTimeout,
        }),
      ),
    close: async () => {
      await Promise.all(Object.values(upstreams).map(({ pool }) => pool.destroy()));
    },
  };
}

/** When the bytes of a file are through, or have broken off; undefined for a reply, which is here as a whole. */
function endOfFile(reply: HttpReply | CloudFile): Promise<void> | undefined {
  return 'bytes' in reply ? finished(reply.bytes) : undefined;
}

/** Letters that few replies have. */
const rare = /[JQXZ]/;

/**
 * Strips the access token if the cloud echoes it, as in "token … is not valid", so that it never reaches the browser.
 * Bare replies are left alone: they stay in the portal, and one of them may carry the hub's token.
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
