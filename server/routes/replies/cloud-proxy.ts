import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import httpProxy from '@fastify/http-proxy';
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
import type { Dispatcher, Pool } from 'undici';
import type { HttpRequest } from '../../cloud/exchange.ts';
import type { SendStreamed, StreamedReply } from '../../cloud/file.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Its body is a file of any media type, which the route judges. */
    takesFile?: boolean;
  }
}

type ProxyRoute = {
  /** The one part of the address below it names the operation. */
  readonly prefix: string;
  /** A POST has a body of any media type, which `answer` looks at. */
  readonly method: 'GET' | 'POST';
  readonly schema: FastifySchema;
  /** Authorises the request and answers it with what `send` gets of the cloud. `signal` says that the browser left. */
  answer(request: FastifyRequest, reply: FastifyReply, send: SendStreamed, signal: AbortSignal): Promise<FastifyReply>;
};

/** What @fastify/reply-from hands to `onResponse`; its types name another. */
type ProxyResponse = {
  readonly statusCode: number;
  readonly headers: IncomingHttpHeaders;
  readonly stream: Readable;
};

type Callback = (error: Error | null, response: Dispatcher.ResponseData) => void;

/** The request that the proxy is about to send. */
const sending = new AsyncLocalStorage<{ readonly pool: Pool; readonly http: HttpRequest }>();

/**
 * Sends what the gate has written. Of what the proxy makes of the browser's request it takes the body and nothing else,
 * so that no header, path or query of a browser can get to the cloud.
 */
const dispatcher = {
  request({ body = null }: Dispatcher.RequestOptions, done: Callback): void {
    const { pool, http } = sending.getStore()!;
    const { method, path, headers, timeout, signal } = http;
    // The first part has a limit of its own, from before there is a connection (cloud/file.ts).
    pool.request({ method, path, headers, body, headersTimeout: 0, bodyTimeout: timeout, signal }, done);
  },
} as Pick<Dispatcher, 'request'>;

/** Asks the cloud by the proxy, for its reply before the body; nothing of it is on `reply` then. */
const sendThrough =
  (reply: FastifyReply): SendStreamed =>
  (pool, http) =>
    new Promise<StreamedReply>((resolve, reject) => {
      const { method, signal } = http;
      // The proxy tells nothing of a request whose browser has left.
      signal?.addEventListener('abort', () => reject(signal.reason));
      sending.run({ pool, http }, () =>
        reply.from('/', {
          method,
          // Where a kept connection was closed at the moment of use. Without a number every 503 is tried ten times.
          retriesCount: 1,
          rewriteHeaders: () => ({}),
          onResponse(_request, _reply, response) {
            const { statusCode, headers, stream } = response as unknown as ProxyResponse;
            resolve({ status: statusCode, headers, body: stream });
          },
          onError(_reply, { error }) {
            // Without a cause it is about a status that is none, and the response follows.
            if (error.cause !== undefined) reject(error.cause);
          },
        }),
      );
    });

/**
 * Adds a route that streams a file from or to the cloud through @fastify/http-proxy (decisions/027), in a scope of its
 * own.
 */
export function addCloudProxy(app: FastifyInstance, { prefix, method, schema, answer }: ProxyRoute): void {
  void app.register(async scope => {
    // The proxy has no option for it.
    scope.addHook('onRoute', route => {
      route.schema = schema;
      route.config = { ...route.config, takesFile: method === 'POST' };
    });
    if (method === 'POST') {
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    }
    await scope.register(httpProxy, {
      ...{ prefix, routes: ['/:operation'], httpMethods: [method], proxyPayloads: false },
      // A name that leads nowhere (RFC 2606): where a request goes says its pool.
      ...{ upstream: 'http://cloud.invalid', undici: dispatcher, disableRequestLogging: true },
      async handler(request, reply) {
        const left = new AbortController();
        reply.raw.once('close', () => left.abort());
        if (reply.raw.destroyed) left.abort();
        try {
          return await answer(request, reply, sendThrough(reply), left.signal);
        } catch (error) {
          if (!left.signal.aborted) throw error;
          // Nobody is there to be told.
          return reply.hijack();
        }
      },
    });
  });
}
