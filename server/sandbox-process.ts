import { type ChildProcess, fork } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import type { Config } from './config.ts';

/** The embedded cloud, in a process of its own, so that nothing it does can stall the portal. */
export type SandboxProcess = {
  readonly url: URL;
  /** Where its stand-in of a card provider answers. */
  readonly providerUrl: URL;
  /** Address of its stand-in of a live chat. */
  readonly chatUrl: URL;
  stop(): Promise<void>;
};

type Launched = {
  readonly child: ChildProcess;
  readonly url: string;
  readonly providerUrl: string;
  readonly chatUrl: string;
};
/** Ports of the sandbox, of its card provider and of its live chat; 0: any. */
type Ports = { readonly port: string; readonly providerPort: string; readonly chatPort: string };

/** The embedded cloud did not start; it has said why itself. */
export class SandboxStartError extends Error {}

/** Accounts to try the portal with; all have the password `Demo-portal-2026` (server/sandbox/README.md). */
export const demoAccounts = [
  ['reseller@northwind.test', 'reseller'],
  ['engineer@northwind.test', 'engineer, prices hidden'],
  ['admin@contoso.test', 'customer administrator'],
  ['switcher@contoso.test', 'administrator with a mailbox to switch to'],
  ['user@contoso.test', 'end user'],
  ['noaccess@northwind.test', 'without any permitted view'],
  ['rival@southridge.test', 'another reseller'],
] as const;
export const demoPassword = 'Demo-portal-2026';

const longestStop = 5000;
const restartPause = 1000;

/** The entry next to this file: TypeScript in the sources, a bundle in the build. */
function entry(): string {
  const bundled = import.meta.url.endsWith('.js');
  return fileURLToPath(new URL(bundled ? './sandbox.js' : './sandbox/main.ts', import.meta.url));
}

/** Where links in mails lead: a setting, and never what a request says of its host. */
function portalAddress({ publicUrl, host, port }: Config): string {
  return publicUrl?.origin ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function launch(config: Config, { port, providerPort, chatPort }: Ports): Promise<Launched> {
  const child = fork(entry(), {
    env: {
      ...process.env,
      SANDBOX_HOST: '127.0.0.1',
      SANDBOX_PORT: port,
      SANDBOX_PROVIDER_PORT: providerPort,
      SANDBOX_CHAT_PORT: chatPort,
      SANDBOX_SEED: config.sandboxSeed,
      DATA_DIR: config.dataDir,
      LOG_LEVEL: config.logLevel,
      SANDBOX_PORTAL_URL: portalAddress(config),
      SANDBOX_DOMAIN: config.domain,
      SMTP_URL: config.smtpUrl ?? '',
      MAIL_FROM: config.mailFrom,
      ...(config.databaseUrl !== undefined && { DATABASE_URL: config.databaseUrl }),
    },
    // What it says goes where the portal's own log goes.
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  return new Promise((resolve, reject) => {
    // However long it takes: it says what it is doing, and a large seed on a slow machine takes many minutes.
    child.once('error', reject);
    child.once('exit', code => {
      reject(new SandboxStartError(`The sandbox cloud stopped while starting (exit code ${code ?? 'none'}).`));
    });
    child.on('message', message => {
      const { type, url, providerUrl, chatUrl } = message as Readonly<Record<string, unknown>>;
      if (type !== 'ready' || typeof url !== 'string') return;
      if (typeof providerUrl !== 'string' || typeof chatUrl !== 'string') return;
      child.removeAllListeners('exit');
      resolve({ child, url, providerUrl, chatUrl });
    });
  });
}

/** Starts the sandbox and keeps it running at its address. Throws when it does not start. */
export async function startSandboxProcess(config: Config, log: Logger): Promise<SandboxProcess> {
  let stopping = false;
  const { SANDBOX_PORT = '0', SANDBOX_PROVIDER_PORT = '0', SANDBOX_CHAT_PORT = '0' } = process.env;
  const launched = await launch(config, {
    port: SANDBOX_PORT,
    providerPort: SANDBOX_PROVIDER_PORT,
    chatPort: SANDBOX_CHAT_PORT,
  });
  const { url, providerUrl, chatUrl } = launched;
  let { child } = launched;
  const ports: Ports = {
    port: new URL(url).port,
    providerPort: new URL(providerUrl).port,
    chatPort: new URL(chatUrl).port,
  };
  // For scripts that ask the sandbox for something.
  await mkdir(config.dataDir, { recursive: true });
  await writeFile(join(config.dataDir, 'sandbox.url'), new URL(url).origin);

  const watch = (): void => {
    child.once('exit', code => {
      if (stopping) return;
      log.error({ code }, 'the sandbox cloud stopped; starting it again');
      setTimeout(() => void again(), restartPause);
    });
  };
  const again = async (): Promise<void> => {
    try {
      ({ child } = await launch(config, ports));
      if (stopping) child.kill('SIGTERM');
      else watch();
    } catch (error) {
      log.error({ reason: (error as Error).message }, 'the sandbox cloud did not start again');
      if (!stopping) setTimeout(() => void again(), restartPause);
    }
  };
  watch();

  return {
    url: new URL(url),
    providerUrl: new URL(providerUrl),
    chatUrl: new URL(chatUrl),
    async stop() {
      stopping = true;
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = new Promise<void>(resolve => child.once('exit', () => resolve()));
      const force = setTimeout(() => child.kill('SIGKILL'), longestStop);
      child.kill('SIGTERM');
      await gone;
      clearTimeout(force);
    },
  };
}
