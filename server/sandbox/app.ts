import swagger from '@fastify/swagger';
import { sql } from 'kysely';
import { createActs } from './approvals/keep.ts';
import type { Running } from './area.ts';
import { areas } from './areas.ts';
import { type Caller, findCaller } from './auth/caller.ts';
import { guardRoutes } from './auth/guard.ts';
import { verifyToken } from './auth/tokens.ts';
import { createCalendar } from './calendar.ts';
import { createContainment } from './contain.ts';
import type { Storage } from './database/connect.ts';
import { createDomainChecks } from './domains/check.ts';
import { type LookupBounds, lookupBounds } from './domains/dns/lookup.ts';
import { createDnsServer } from './domains/dns/server.ts';
import { every, type Work } from './every.ts';
import { type FilledDatabase, openFilledDatabase } from './filled-database.ts';
import type { App } from './http/schema.ts';
import { createServer, readForms } from './http/server.ts';
import { addProviders, addressOf } from './identity/routes.ts';
import { createJudges } from './ip-access/judges.ts';
import { noPlaces, type Places } from './ip-access/places.ts';
import { createUses } from './ip-access/uses.ts';
import { offerArticles } from './knowledge/offer-article.ts';
import { listSeers } from './limits/seers.ts';
import { createHub } from './notifications/hub.ts';
import type { MailSettings } from './outbox/mailer.ts';
import type { AddRoutes, Parts } from './parts.ts';
import { createCardProvider } from './payments/provider/server.ts';
import { createProviderClient } from './payments/provider-client.ts';
import { createPsaUpdates } from './psa/contract-updates.ts';
import { createPsaCopies } from './psa/copies.ts';
import { createPsaSync } from './psa/sync.ts';
import { addResourceRoutes } from './resource/routes.ts';
import type { SeedSize } from './seed/seed.ts';
import { createLiveChat } from './sites/live-chat/server.ts';
import type { Database } from './tables.ts';

export type SandboxOptions = {
  readonly storage: Storage;
  readonly seed?: SeedSize;
  /** How long an access token is good for, in seconds. */
  readonly tokenSeconds?: number;
  /** How often due changes are looked for; 0: only when `tickOnce` is called. */
  readonly tickMilliseconds?: number;
  /** Between two phases of a job, in milliseconds. */
  readonly phaseMilliseconds?: number;
  /** Address of the portal, for the links in mails; without a path. */
  readonly portalUrl?: string;
  /** The domain whose names the sibling portals have. */
  readonly domain?: string | undefined;
  /** Absent: mail is only put into the outbox. */
  readonly mail?: MailSettings | undefined;
  readonly logLevel?: string;
  /** User names of accounts that are let in from every address. */
  readonly ipAccessExempt?: readonly string[];
  /** Places of addresses; without them no rules are made about places. */
  readonly places?: Places;
  /** Address of the DNS resolver that domains are checked with; absent: the sandbox's own server. */
  readonly dnsResolver?: string | undefined;
  readonly dnsBounds?: LookupBounds;
  readonly now?: () => Date;
  /** Is told what a start does next, where it has much to do. */
  readonly onProgress?: (doing: string) => void;
};

export type Sandbox = {
  readonly app: App;
  readonly db: Database;
  /** Adds the days that are over, ends every change of a service that is due, asks how payments stand, and sends mail. */
  tickOnce(): Promise<void>;
  /**
   * Starts the card provider and the live chat at their ports, and the sandbox.
   * @returns the address that it answers on
   */
  listen(address?: { host?: string; port?: number; providerPort?: number; chatPort?: number }): Promise<string>;
  /** Gives the address of the card provider, once it listens. */
  cardProviderUrl(): string;
  /** Gives the address of the live chat, once it listens. */
  liveChatUrl(): string;
  close(): Promise<void>;
};

/**
 * Opens the sandbox's database, fills it if it is empty, and gives the sandbox cloud with its timers started. It takes
 * requests once its `listen` is called.
 */
export async function createSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { storage, seed: size = 'small', now = () => new Date() } = options;
  const database = await openFilledDatabase(storage, {
    size,
    now: now(),
    ...(options.onProgress && { tell: options.onProgress }),
  });
  try {
    return await assemble(database, options);
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function assemble(database: FilledDatabase, options: SandboxOptions): Promise<Sandbox> {
  const { tokenSeconds = 900, tickMilliseconds = 1000, logLevel = 'info', now = () => new Date() } = options;
  const { portalUrl = 'http://127.0.0.1:3000', mail, phaseMilliseconds = 1000, domain = 'fernhill.test' } = options;
  const { db, secret, keys, providerKeys } = database;
  for (const { start } of areas) await start?.(db, { portalUrl, now: now() });
  const provider = createCardProvider({ db, keys: providerKeys, now, portalUrl });
  const liveChat = createLiveChat({ db, now, portalUrl });

  const app = createServer(logLevel);
  app.decorate('acts', createActs(now));
  await app.register(swagger, {
    openapi: {
      info: { title: 'Sandbox cloud', description: 'What the portal expects of a cloud.', version: '1' },
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer' },
          actor: { type: 'apiKey', in: 'header', name: 'actor-id' },
        },
      },
    },
  });
  app.get('/health', { schema: { hide: true } }, async () => {
    await sql`select 1`.execute(db);
    return { Succeed: true };
  });
  app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger());
  const psaSync = createPsaSync(db, () => addressOf(app), now);
  const psaCopies = createPsaCopies(db, psaSync, now);
  const psaUpdates = createPsaUpdates(db, psaSync, () => addressOf(app), now);
  const cardProvider = createProviderClient({ address: () => addressOf(provider), ...providerKeys });
  const signOn = { db, keys, base: () => addressOf(app), now };
  const sendsMail = mail !== undefined;
  const { places = noPlaces } = options;
  const dnsServer = createDnsServer(db);
  const domainChecks = createDomainChecks({
    ...{ db, now, cloud: domain, bounds: options.dnsBounds ?? lookupBounds },
    resolver: async () => options.dnsResolver ?? dnsServer.address(),
  });
  const parts: Parts = {
    ...{ dnsServer, domainChecks },
    ...{ db, now, secret, tokenSeconds, portalUrl, domain, sendsMail, signOn, psaSync, psaCopies, psaUpdates },
    cardProvider,
    places,
    judges: createJudges({ db, now, placeOf: places.placeOf, exempt: options.ipAccessExempt ?? [] }),
    noteUse: createUses({ db, now }),
  };
  const addAll = (to: App, routes: readonly AddRoutes[] = []) => {
    for (const addRoutes of routes) addRoutes(to, parts);
  };
  for (const { openRoutes } of areas) addAll(app, openRoutes);
  await app.register(async (auth: App) => {
    readForms(auth);
    for (const { tokenRoutes } of areas) addAll(auth, tokenRoutes);
  });
  await addProviders(app, { db, keys });
  await app.register(async (guarded: App) => {
    guardRoutes(guarded, parts);
    offerArticles(guarded, parts);
    for (const { routes, resources = [] } of areas) {
      addAll(guarded, routes);
      for (const resource of resources) addResourceRoutes(guarded, parts, resource);
    }
  });

  const hub = createHub(
    app.server,
    token => admit(db, secret, token, now()),
    (customer, accounts) => listSeers(db, customer, accounts),
  );
  await database.listen(payload => {
    hub.deliver(JSON.parse(payload)).catch(error => app.log.error({ err: error }, 'hint'));
  });
  const failed = (error: unknown) => app.log.error({ err: error }, 'tick');
  const contain = (whose: string) =>
    createContainment(now, (error, id) => app.log.error({ err: error, [whose]: id }, 'tick'));
  const running: Running = { ...parts, mail, phaseMilliseconds, contain };
  const calendar = createCalendar(db, now, contain('resellerId'));
  const afterDays = areas.flatMap(area => (area.afterDays ? [area.afterDays(running)] : []));
  const days: Work = {
    async run() {
      await calendar.catchUp();
      for (const { run } of afterDays) await run();
    },
    stop() {
      calendar.stop();
      for (const { stop } of afterDays) stop?.();
    },
  };
  const works = [days, ...areas.flatMap(area => area.tick?.(running) ?? [])];
  const repeated = works.map(({ run }) => every(tickMilliseconds, run, failed));
  app.addHook('preClose', () => hub.close());
  app.addHook('onClose', async () => {
    for (const { stop } of works) stop?.();
    for (const { stop } of repeated) await stop();
    for (const { close } of works) close?.();
    await dnsServer.close();
    await provider.close();
    await liveChat.close();
    await database.close();
  });

  return {
    app,
    db,
    async tickOnce() {
      for (const { run } of works) await run();
    },
    async listen({ host = '127.0.0.1', port = 0, providerPort = 0, chatPort = 0 } = {}) {
      await provider.listen({ host, port: providerPort });
      await liveChat.listen({ host, port: chatPort });
      return app.listen({ host, port });
    },
    cardProviderUrl: () => addressOf(provider),
    liveChatUrl: () => addressOf(liveChat),
    close: () => app.close(),
  };
}

/** Finds the caller whom a hub token lets in. */
async function admit(db: Database, secret: string, token: string, now: Date): Promise<Caller | undefined> {
  const claims = verifyToken(secret, token, 'hub', now);
  const caller = claims && (await findCaller(db, claims.sid));
  return caller?.enabled && !caller.revoked ? caller : undefined;
}
