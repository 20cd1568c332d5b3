import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { createApp } from './app.ts';
import { type Config, ConfigError, isLoopback } from './config.ts';
import { MigrationLimitError } from './database/migrate.ts';
import { formatProblems, type Layouts, type Problem, SchemasError } from './layouts/index.ts';
import { createLog } from './log.ts';
import { openLayouts } from './open-layouts.ts';
import { createDrain, type Drain } from './routes/bounds/drain.ts';
import { backlog } from './routes/bounds/load-limit.ts';
import { type ClientFiles, readClientFiles } from './routes/replies/client-files.ts';
import { clientId, clientSecret, connections } from './sandbox/identity/connections.ts';
import { sandboxLicence } from './sandbox/sites/live-chat/licence.ts';
import { demoAccounts, demoPassword, SandboxStartError, startSandboxProcess } from './sandbox-process.ts';
import { LockError } from './store/lock.ts';
import { openStore, type Store } from './store/store.ts';
import { settle } from './warm-up.ts';

/** Something that the person who starts the portal must put right; its message is the only line printed. */
class StartError extends Error {}

/** Gives the text to print for an error at the start: one line where the person who starts the portal can mend it. */
export function explainStart(error: unknown): string {
  const kinds = [StartError, ConfigError, SchemasError, LockError, SandboxStartError];
  if (kinds.some(kind => error instanceof kind)) return (error as Error).message;
  return (error as Error).stack ?? String(error);
}

/** The setting that names the database, for the person who may change it. */
const databaseOf = ({ databaseUrl, dataDir }: Config): string =>
  databaseUrl === undefined ? `DATA_DIR ${dataDir}` : 'DATABASE_URL';

async function open(config: Config, log: Logger): Promise<Store> {
  try {
    return await openStore({
      dataDir: config.dataDir,
      log,
      ...(config.databaseUrl !== undefined && { databaseUrl: config.databaseUrl }),
    });
  } catch (error) {
    if (error instanceof MigrationLimitError)
      throw new StartError(`${databaseOf(config)}: this version cannot use the database: ${error.message}`);
    if (error instanceof LockError || config.databaseUrl === undefined) throw error;
    const cause = (error as Error).cause ?? error;
    const why = (cause as Error).message || (cause as NodeJS.ErrnoException).code;
    throw new StartError(`DATABASE_URL: the database cannot be used (${why}).`);
  }
}

function readClient(): ClientFiles {
  const folder = fileURLToPath(
    new URL(import.meta.url.endsWith('.js') ? '../client' : '../dist/client', import.meta.url),
  );
  const client = readClientFiles(folder);
  if (!client)
    throw new StartError(
      `The browser side is not built: ${folder}/manifest.json is missing. Run "npm run build" first.`,
    );
  return client;
}

/** Files that a line of the log names. */
const mostFiles = 5;

function nameFiles(files: readonly string[]): string {
  const others = files.length - mostFiles;
  const named = files.slice(0, mostFiles).join(', ');
  return others > 0 ? `${named} and ${others} more` : named || 'nothing';
}

function reportProblems(layouts: Layouts, log: Logger): void {
  const report = (problems: readonly Problem[], heldBack: readonly string[]): boolean => {
    const errors = problems.filter(one => one.severity === 'error');
    for (const line of formatProblems(errors)) log.error(line);
    if (errors.length > 0)
      log.error({ heldBack }, `not taken over, the last good version stays: ${nameFiles(heldBack)}`);
    return errors.length > 0;
  };
  report(layouts.problems(), layouts.heldBack());
  layouts.onProblems((problems, heldBack) => {
    if (!report(problems, heldBack)) log.info('the schemas have no errors any more');
  });
  layouts.onChange(version => log.info({ version: version.hash }, 'schemas taken over'));
}

/** The sandbox's own providers, which only browsers on this machine reach. */
function sandboxProviders({ host, publicUrl }: Config, sandbox: URL): Config['identityProviders'] {
  if (!isLoopback(publicUrl?.hostname ?? host)) return {};
  const [sso, office] = connections.map(({ path }) => ({
    issuer: new URL(path, sandbox),
    clientId,
    clientSecret,
    scopes: 'openid email profile',
  }));
  return { ...(sso && { sso }), ...(office && { office }) };
}

function sayHello(config: Config, address: string, sandbox: URL | undefined): void {
  const lines = [`The portal is ready: ${config.publicUrl?.origin ?? address}`];
  if (sandbox)
    lines.push(
      `The OpenAPI of the sandbox: ${new URL('/openapi.json', sandbox)}`,
      `Demo accounts (password ${demoPassword}):`,
      ...demoAccounts.map(([name, who]) => `  ${name.padEnd(26)}${who}`),
    );
  const { databaseUrl } = config;
  const database = databaseUrl === undefined ? undefined : new URL(databaseUrl);
  lines.push(database ? `Database: ${database.host}${database.pathname}` : `Data folder: ${config.dataDir}`, '');
  process.stdout.write(lines.join('\n'));
}

const refusePort =
  ({ host, port }: Config) =>
  ({ code }: NodeJS.ErrnoException): never => {
    throw new StartError(
      code === 'EADDRINUSE'
        ? `PORT ${port} is in use by another process.`
        : `HOST ${host} and PORT ${port} cannot be listened on (${code}).`,
    );
  };

/** Tries the port for a moment: the sandbox takes seconds to start, and nobody should wait for a refusal. */
async function checkPort(config: Config): Promise<void> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once('error', reject);
    probe.listen({ host: config.host, port: config.port }, resolve);
  }).catch(refusePort(config));
  await new Promise(resolve => probe.close(resolve));
}

/** Undoes what was done so far, in reverse. */
export type Undo = (() => Promise<unknown>)[];

/** Milliseconds that closing one part may take; the others are closed all the same. */
const longestClose = 8000;

export async function undoAll(undo: Undo): Promise<void> {
  for (const close of undo.reverse()) {
    const late = sleep(longestClose, undefined, { ref: false });
    await Promise.race([close().catch(() => undefined), late]);
  }
}

/** Says that it is about to stop, and gives a balancer the time to hear it; nobody waits for one at a terminal. */
export type Leave = (signal: string | undefined) => Promise<void>;

const createLeave =
  (drain: Drain, { stopDelay }: Config, log: Logger): Leave =>
  async signal => {
    log.info({ signal }, 'stopping');
    drain.begin();
    if (signal === 'SIGTERM') await sleep(stopDelay);
  };

/** What a test gives in place of its own. */
type Given = { readonly log?: Logger; readonly open?: typeof openLayouts };

/**
 * Starts the portal, with `undo` for all that was opened. Gives how it leaves, once it is there. What it throws,
 * `explainStart` puts into words.
 */
export async function start(
  config: Config,
  undo: Undo,
  { log = createLog(config.logLevel), open: openDocuments = openLayouts }: Given = {},
): Promise<Leave> {
  const layouts = await openDocuments({
    dir: config.schemasDir,
    kept: join(config.dataDir, 'documents.json'),
    domain: config.domain,
  });
  undo.push(() => layouts.close());
  reportProblems(layouts, log);
  const store = await open(config, log);
  undo.push(() => store.close());
  const client = readClient();
  await checkPort(config);
  const sandbox = config.services ? undefined : await startSandboxProcess(config, log);
  if (sandbox) undo.push(() => sandbox.stop());
  const services = config.services ?? { cloud: sandbox?.url as URL, auth: sandbox?.url as URL };
  const identityProviders = sandbox
    ? { ...sandboxProviders(config, sandbox.url), ...config.identityProviders }
    : undefined;
  const siteOrigins = sandbox ? new Set([sandbox.url.origin, ...config.siteOrigins]) : undefined;
  const hostedPageOrigins = sandbox ? new Set([sandbox.providerUrl.origin, ...config.hostedPageOrigins]) : undefined;
  const liveChat = config.liveChat ?? (sandbox && { url: sandbox.chatUrl, licence: sandboxLicence });
  const drain = createDrain();
  const app = await createApp({
    config,
    services,
    identityProviders,
    siteOrigins,
    hostedPageOrigins,
    liveChat,
    layouts,
    store,
    log,
    client,
    drain,
  });
  undo.push(() => app.close());
  await app.ready();
  await settle();
  const address = await app.listen({ host: config.host, port: config.port, backlog }).catch(refusePort(config));
  sayHello(config, address, sandbox?.url);
  return createLeave(drain, config, log);
}
