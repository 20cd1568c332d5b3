import type { AddressInfo } from 'node:net';
import fastifyCookie from '@fastify/cookie';
import fastifySwagger from '@fastify/swagger';
import fastify, { type FastifyInstance, LogController } from 'fastify';
import type { Logger } from 'pino';
import { publicPrincipalIn } from './access/principal.ts';
import { createLayoutMemory } from './calls/press.ts';
import type { CloudAddresses, Config } from './config.ts';
import { createServices } from './create-services.ts';
import { PortalError } from './errors.ts';
import type { Layouts } from './layouts/index.ts';
import { createRealtime } from './realtime/index.ts';
import { createDrain, type Drain } from './routes/bounds/drain.ts';
import { limitConnections, limitRequests } from './routes/bounds/load-limit.ts';
import { answerMalformed } from './routes/bounds/malformed-requests.ts';
import { allowOneRequest } from './routes/bounds/one-request.ts';
import { guardMessages, guardUnsafeRequests, isOwnOrigin, isWellFormed } from './routes/bounds/origin-check.ts';
import { readBodies } from './routes/bounds/request-body.ts';
import { addSecurityHeaders, securityHeaders } from './routes/bounds/security-headers.ts';
import { dropStalled } from './routes/bounds/stalled-connections.ts';
import { addRoutes } from './routes/index.ts';
import { addAccessLog } from './routes/records/access-log.ts';
import { createFailureLog } from './routes/records/failure-log.ts';
import { createAddressOf, createIsProxy } from './routes/records/forwarded-address.ts';
import { createMetrics, type Metrics } from './routes/records/metrics.ts';
import { serveMetrics } from './routes/records/metrics-server.ts';
import { createRequestIds } from './routes/records/request-id.ts';
import { createBootText } from './routes/replies/boot-text.ts';
import { createCallerOf } from './routes/replies/caller-of-request.ts';
import type { ClientFiles } from './routes/replies/client-files.ts';
import { cookieName, readCookie } from './routes/replies/cookie.ts';
import { addFailures, answerOutside, type WordingOf } from './routes/replies/failures.ts';
import { createOrganisationCookie } from './routes/replies/organisation-cookie.ts';
import { createAnswers } from './routes/replies/raw-reply.ts';
import type { RouteParts } from './routes/replies/route-dependencies.ts';
import { createFindSession } from './session/find-session.ts';
import { createSessionCount } from './session/session-count.ts';
import { createVisitorBrands } from './session/visitor-brands.ts';
import type { Store } from './store/store.ts';

/** What the portal is made of; all of it is opened before and closed after by whoever starts it. */
export type AppParts = {
  readonly config: Config;
  readonly services: CloudAddresses;
  /** Who signs people in for the portal; those of the configuration where left out. */
  readonly identityProviders?: Config['identityProviders'] | undefined;
  /** Origins of sites that people are signed in to by a token; those of the configuration where left out. */
  readonly siteOrigins?: ReadonlySet<string> | undefined;
  /** The live chat; that of the configuration where left out. */
  readonly liveChat?: Config['liveChat'];
  /** Origins of providers whose forms are framed; those of the configuration where left out. */
  readonly hostedPageOrigins?: ReadonlySet<string> | undefined;
  readonly layouts: Layouts;
  readonly store: Store;
  readonly log: Logger;
  /** The built browser side; absent where only the server is wanted. */
  readonly client?: ClientFiles | undefined;
  /** How it leaves; begun by whoever stops it. */
  readonly drain?: Drain;
  /** The clock, in epoch milliseconds. */
  readonly now?: () => number;
};

const sweepEvery = 10 * 60_000;

/** Where a portal without PUBLIC_URL is found: only on this machine. */
function listeningOrigin({ server }: FastifyInstance, host: string): string {
  const { port } = server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** What `/metrics` tells of the parts besides the requests. */
function tellFigures(
  { tell }: Metrics,
  {
    layouts,
    store,
    sockets,
    sessions,
  }: Pick<AppParts, 'layouts' | 'store'> & { readonly sockets: () => number; readonly sessions: () => Promise<number> },
): void {
  const broken = () => layouts.problems().filter(({ severity }) => severity === 'error').length;
  tell('schemas_broken', 'Errors in the documents, in whose place the last good version stands.', broken);
  tell('sockets_open', 'Open sockets of browsers.', sockets);
  tell('database_up', '0 while the database is known not to answer.', () => (store.figures().isUp ? 1 : 0));
  tell('database_connections', 'Open connections to the database.', () => store.figures().connections);
  tell('database_waiting', 'Work that waits for a connection to the database.', () => store.figures().waiting);
  // The last one, as its own question must not be told as work that waits.
  tell('sessions_live', 'Sessions of all processes, counted at most every 30 seconds.', sessions);
}

/**
 * Creates the portal's Fastify app with all plugins and routes, without listening. The order of registration is the
 * architecture.
 */
export async function createApp({
  config,
  services: addresses,
  identityProviders = config.identityProviders,
  siteOrigins = config.siteOrigins,
  hostedPageOrigins = config.hostedPageOrigins,
  liveChat = config.liveChat,
  layouts,
  store,
  log,
  client,
  drain = createDrain(),
  now = Date.now,
}: AppParts): Promise<FastifyInstance> {
  const metrics = createMetrics({ served: config.metricsToken !== undefined || config.metricsPort !== undefined });
  const headers = securityHeaders(config.publicUrl?.protocol === 'https:');
  const failureLog = createFailureLog(log);
  const wording: WordingOf = acceptLanguage => layouts.current().wording(acceptLanguage);
  const bootText = createBootText({ runtime: client?.runtime ?? 'none', releaseLabel: config.releaseLabel });
  const { services, exportJobs, sweep, close } = await createServices({
    ...{ config, addresses, identityProviders, siteOrigins, hostedPageOrigins, liveChat, store, log, metrics, now },
    ownOrigin: () => config.publicUrl?.origin ?? listeningOrigin(app, config.host),
  });
  const { audit, sessions, accounts, brands } = services;
  const visitor = publicPrincipalIn(config.locale);
  const visitorBrands = createVisitorBrands({ brands, log, now }, visitor);
  const parts: RouteParts = {
    patience: config.firstDataWait,
    services,
    layouts,
    memory: createLayoutMemory(),
    store,
    exportJobs,
    drain,
    client,
    docs: config.docsDir,
    answers: createAnswers(headers.ofData),
    metrics,
    visitorBrands,
    organisation: createOrganisationCookie(config.publicUrl, config.cookieDomainParts),
    bootText,
    hasSocketRoom: account => realtime.hasRoom(account),
    // On a port of their own they are nowhere else.
    metricsToken: config.metricsPort === undefined ? config.metricsToken : undefined,
  };

  const isProxy = createIsProxy(config.trustedProxies);
  const requestIds = createRequestIds(isProxy);
  const app: FastifyInstance = fastify({
    frameworkErrors: answerOutside(headers.always, failureLog, wording),
    clientErrorHandler: answerMalformed(headers.always, failureLog, wording),
    // Node would refuse a request without a host, and Fastify one that comes while it closes, without these headers.
    http: { requireHostHeader: false, ServerResponse: drain.ServerResponse, headersTimeout: 30_000 },
    return503OnClosing: false,
    // Fastify is given no logger: it would make one for each request, and time every reply for lines that nobody wants.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestIds.idOf,
    // For 25 MB on a slow line; bodies of JSON have bounds of their own (routes/bounds/request-body.ts).
    requestTimeout: 300_000,
    trustProxy: config.trustedProxies.length > 0 ? [...config.trustedProxies] : false,
    routerOptions: { maxParamLength: 200 },
    ajv: { customOptions: { removeAdditional: false, coerceTypes: false, useDefaults: false, allErrors: false } },
  }) as unknown as FastifyInstance;

  // 1. What every response carries, and how requests and failures are told.
  if (config.accessLog) addAccessLog(app, log, requestIds);
  addSecurityHeaders(app, headers);
  addFailures(app, {
    audit,
    headers: headers.always,
    log: failureLog,
    start: client?.start,
    count: metrics.failed,
    wording,
  });
  app.setNotFoundHandler(() => {
    throw new PortalError('NOT_FOUND');
  });
  // 2. What is refused before anyone looks at it.
  limitConnections(app.server, config.connectionsPerAddress, isProxy);
  drain.follow(app.server);
  const stopLooking = dropStalled(app.server);
  readBodies(app, limitRequests(app, metrics, config.requestsPerAddress));
  guardMessages(app);
  guardUnsafeRequests(app, config);
  // 3. How cookies are set (each is read by who wants it), and what describes the calls.
  await app.register(fastifyCookie, { hook: false });
  await app.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Portal', version: '1', description: 'What the browser asks of the portal.' },
    },
  });
  // 4. The routes, and the socket.
  const findSession = createFindSession(sessions);
  await addRoutes(
    app,
    parts,
    createCallerOf({
      ...{ sessions, findSession, layouts, traceOf: requestIds.traceOf },
      ...{ rateLimit: config.rateLimit, visitor, visitorBrands, partnerHosts: config.partnerHosts },
    }),
  );
  const realtime = createRealtime({
    ...{ sessions, findSession, accounts, layouts, log, cloudUrl: addresses.cloud, listen: store.listen },
    addressOf: createAddressOf(isProxy),
    isWellFormed,
    isStopping: drain.isStopping,
    showDocumentErrors: config.showDocumentErrors,
    bootHash: caller => bootText(caller).hash,
    isOwnOrigin: request => isOwnOrigin(request.headers, config),
    cookieOf: request => readCookie(request.headers.cookie, cookieName),
  });
  tellFigures(metrics, {
    ...{ layouts, store },
    sockets: realtime.count,
    sessions: createSessionCount(store, now),
  });
  app.server.on('upgrade', realtime.upgrade);
  const { metricsPort: port, metricsToken: token } = config;
  if (port !== undefined)
    serveMetrics(app, metrics, { host: token === undefined ? '127.0.0.1' : config.host, port, token });
  app.server.on('checkExpectation', (_, response) => response.writeHead(417, headers.always).end());
  allowOneRequest(app.server);

  // 5. What happens by itself.
  const stopRecording = layouts.onChange(
    version => void audit({ action: 'schemas.reloaded', outcome: 'done', detail: { version: version.hash } }),
  );
  const sweepTimer = setInterval(sweep, sweepEvery);
  sweepTimer.unref();
  app.addHook('onListen', async () => sweep());
  app.addHook('preClose', async () => {
    // Open sockets would keep the server from closing, and are told before.
    await Promise.all([realtime.close(), drain.close(app.server)]);
  });
  app.addHook('onClose', async () => {
    clearInterval(sweepTimer);
    stopLooking();
    stopRecording();
    await close();
    failureLog.close();
  });
  return app;
}
