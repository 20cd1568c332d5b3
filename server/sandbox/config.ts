import { Resolver } from 'node:dns';
import { join } from 'node:path';
import type { SandboxOptions } from './app.ts';
import { readPlaces } from './ip-access/places.ts';

export type Config = SandboxOptions & {
  readonly host: string;
  readonly port: number;
  readonly providerPort: number;
  readonly chatPort: number;
};

const defaultSender = 'Cloud <no-reply@localhost>';
const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];

/**
 * Reads the environment: SANDBOX_HOST, SANDBOX_PORT, SANDBOX_PROVIDER_PORT and SANDBOX_CHAT_PORT (0: any), DATA_DIR or DATABASE_URL, SANDBOX_SEED (small, large),
 * SANDBOX_TOKEN_SECONDS, SANDBOX_TICK_MS (0: never), SANDBOX_PHASE_MS,
 * SANDBOX_PORTAL_URL, SANDBOX_DOMAIN, SMTP_URL, MAIL_FROM, IP_ACCESS_EXEMPT (user names, separated by commas), PLACES_FILE and
 * MOBILE_NETWORKS_FILE (MaxMind DBs), DNS_SERVER (address of a resolver, with a port or without), LOG_LEVEL.
 * @throws {Error} that names the variable when a value makes no sense
 */
export function readConfig(env: NodeJS.ProcessEnv): Config {
  const { DATA_DIR = 'data', DATABASE_URL, SANDBOX_HOST = '127.0.0.1' } = env;
  return {
    storage: DATABASE_URL ? { databaseUrl: DATABASE_URL } : { folder: join(DATA_DIR, 'sandbox') },
    host: SANDBOX_HOST,
    port: readNumber(env, 'SANDBOX_PORT', 0, 0, 65_535),
    providerPort: readNumber(env, 'SANDBOX_PROVIDER_PORT', 0, 0, 65_535),
    chatPort: readNumber(env, 'SANDBOX_CHAT_PORT', 0, 0, 65_535),
    seed: readWord(env, 'SANDBOX_SEED', 'small', ['small', 'large'] as const),
    tokenSeconds: readNumber(env, 'SANDBOX_TOKEN_SECONDS', 900, 1, 86_400),
    tickMilliseconds: readNumber(env, 'SANDBOX_TICK_MS', 1000, 0, 3_600_000),
    phaseMilliseconds: readNumber(env, 'SANDBOX_PHASE_MS', 1000, 0, 3_600_000),
    portalUrl: env.SANDBOX_PORTAL_URL || 'http://127.0.0.1:3000',
    domain: env.SANDBOX_DOMAIN || undefined,
    ...(env.SMTP_URL && { mail: { smtpUrl: env.SMTP_URL, from: env.MAIL_FROM || defaultSender } }),
    ipAccessExempt: (env.IP_ACCESS_EXEMPT ?? '').split(',').map(name => name.trim()),
    places: readPlaces({
      places: env.PLACES_FILE || undefined,
      mobileNetworks: env.MOBILE_NETWORKS_FILE || undefined,
    }),
    dnsResolver: readResolver(env.DNS_SERVER),
    logLevel: readWord(env, 'LOG_LEVEL', 'info', levels),
  };
}

function readResolver(value: string | undefined): string | undefined {
  if (!value) return undefined;
  try {
    // It takes any number as a port.
    const [, port = '53'] = /^(?:\[.*\]|[^:]*):(\d+)$/.exec(value) ?? [];
    if (Number(port) < 1 || Number(port) > 65_535) throw new RangeError(port);
    new Resolver().setServers([value]);
    return value;
  } catch {
    throw new Error(`DNS_SERVER is "${value}"; it must be an IP address, with a port or without: 192.0.2.53:5353.`);
  }
}

function readNumber(env: NodeJS.ProcessEnv, name: string, otherwise: number, low: number, high: number): number {
  const value = Number(env[name] || otherwise);
  if (Number.isInteger(value) && value >= low && value <= high) return value;
  throw new Error(`${name} is "${env[name]}"; it must be a whole number from ${low} to ${high}.`);
}

function readWord<W extends string>(env: NodeJS.ProcessEnv, name: string, otherwise: W, words: readonly W[]): W {
  const value = env[name] || otherwise;
  const word = words.find(candidate => candidate === value);
  if (word !== undefined) return word;
  throw new Error(`${name} is "${value}"; it must be one of ${words.join(', ')}.`);
}
