import { resolve } from 'node:path';
import { defaultLocale } from '../shared/rules/text.ts';

/** What the process is told from outside: validated once, never changed. */
export type Config = {
  readonly host: string;
  readonly port: number;
  /** Absolute path of the folder that holds what the portal must not lose. */
  readonly dataDir: string;
  /** PostgreSQL; absent: the embedded database in `dataDir`. */
  readonly databaseUrl?: string;
  /** Base address of each upstream service; absent: the embedded sandbox. */
  readonly services?: CloudAddresses;
  /** Where organisations sign in, and where the people of a cloud office suite do; absent: the sandbox's own. */
  readonly identityProviders: { readonly sso?: ProviderSettings; readonly office?: ProviderSettings };
  /** The address that browsers use, without a path. */
  readonly publicUrl?: URL;
  /** The domain whose names its sibling portals have: the cloud's, or that of pre-production where `publicUrl` is of it. */
  readonly domain: string;
  /** Which release this is, as the footer shows it. */
  readonly releaseLabel?: string;
  /** The dashboard where those land whose token claims single experience. */
  readonly singleExperienceUrl?: URL;
  /** Its error page, where a failed single sign-on of theirs is shown; absent: at the sign-in. */
  readonly singleExperienceErrorUrl?: URL;
  readonly schemasDir: string;
  /** The built reference of the layout language, served at /docs/layout/; absent: it is not served. */
  readonly docsDir?: string;
  readonly logLevel: LogLevel;
  /** True where open pages show what is wrong with the documents as they are saved: in development. */
  readonly showDocumentErrors: boolean;
  /** True for a line in the log for every request. */
  readonly accessLog: boolean;
  readonly sandboxSeed: 'small' | 'large';
  /** Proxies in front of the portal whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[];
  /** Reads and calls that one session (or address) may make in a minute. */
  readonly rateLimit: number;
  /** Requests of one address (IPv6: of one /64) that may be unfinished at once, and connections that it may hold. */
  readonly requestsPerAddress: number;
  readonly connectionsPerAddress: number;
  /** Sessions that one account may have; a further one ends the one that was used longest ago. */
  readonly sessionsPerAccount: number;
  /** How long, and how many records, the audit is kept, and the folder where what goes is written before. */
  readonly auditDays: number;
  readonly auditRows: number;
  readonly auditExportDir?: string;
  /** What a reader of the figures must know, and the port of their own that they are at; neither: they are off. */
  readonly metricsToken?: string;
  readonly metricsPort?: number;
  /** Milliseconds that a screen waits for its first data; what is slower the browser reads itself. */
  readonly firstDataWait: number;
  /** Milliseconds for which a portal that is to stop goes on serving, while it says that it is not ready. */
  readonly stopDelay: number;
  /** How many of the last parts of the portal's host its sibling portals share; 0: none. */
  readonly cookieDomainParts: number;
  /** False to answer an unknown username as a known one. */
  readonly tellUnknownUsername: boolean;
  /** Host names besides that of `publicUrl` at which partners' people find the portal with the brand of the partner. */
  readonly partnerHosts: ReadonlySet<string>;
  /** Origins outside that `/redirect` may lead to. */
  readonly redirectAllow: ReadonlySet<string>;
  /** Origins of sites that people are signed in to by a token. */
  readonly siteOrigins: ReadonlySet<string>;
  /** The operator's live chat; absent: there is none, but for the sandbox's own. */
  readonly liveChat?: LiveChatSettings;
  /** Origins of providers whose forms hosted pages may frame. */
  readonly hostedPageOrigins: ReadonlySet<string>;
  /** How numbers, dates and money are written for those who read the default texts, which are English. */
  readonly locale: string;
  /** In which times are written where no browser says its own, as in a file (IANA). */
  readonly timeZone: string;
  /** The sandbox sends its mail through this server; absent: its mail stays in its outbox. */
  readonly smtpUrl?: string;
  /** Who its mail is from. */
  readonly mailFrom: string;
};

export type CloudAddresses = { readonly cloud: URL; readonly auth: URL };
/** The address of the live chat of support, and the licence that it knows the operator by. */
export type LiveChatSettings = { readonly url: URL; readonly licence: string };
/** An OpenID provider, and the portal as its client. */
export type ProviderSettings = {
  readonly issuer: URL;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Separated by spaces, `openid` among them. */
  readonly scopes: string;
};
export type LogLevel = (typeof logLevels)[number];

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** What is wrong with the environment; its message names the variable and is fit to be the only line printed. */
export class ConfigError extends Error {}

type Environment = Readonly<Record<string, string | undefined>>;

const isSet = (value: string | undefined): value is string => value !== undefined && value !== '';

function readInteger(
  environment: Environment,
  name: string,
  fallback: number,
  lowest: number,
  highest: number,
): number {
  const text = environment[name];
  if (!isSet(text)) return fallback;
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < lowest || value > highest)
    throw new ConfigError(`${name} must be a whole number from ${lowest} to ${highest}, not "${text}".`);
  return value;
}

function readChoice<const T extends readonly string[]>(
  environment: Environment,
  name: string,
  choices: T,
  fallback: T[number],
): T[number] {
  const text = environment[name];
  if (!isSet(text)) return fallback;
  const choice = choices.find(one => one === text);
  if (choice === undefined) throw new ConfigError(`${name} must be one of ${choices.join(', ')}, not "${text}".`);
  return choice;
}

function readUrl(environment: Environment, name: string, protocols: readonly string[]): URL | undefined {
  const text = environment[name];
  if (!isSet(text)) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !protocols.includes(url.protocol)) {
    throw new ConfigError(
      `${name} must be an address that begins with ${protocols.map(protocol => `${protocol}//`).join(' or ')}.`,
    );
  }
  return url;
}

function readHttp(environment: Environment, name: string): URL | undefined {
  const url = readUrl(environment, name, ['http:', 'https:']);
  if (url && (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')) {
    throw new ConfigError(`${name} must have no user, query or fragment.`);
  }
  return url;
}

function readPublicUrl(environment: Environment): URL | undefined {
  const url = readHttp(environment, 'PUBLIC_URL');
  if (url && url.pathname !== '/')
    throw new ConfigError('PUBLIC_URL must have no path: the portal is served from the root of its address.');
  return url;
}

/** Host names without a port, separated by commas. */
function readHosts(environment: Environment, name: string): ReadonlySet<string> {
  const text = environment[name];
  const hosts = isSet(text) ? text.split(',').map(one => one.trim().toLowerCase()) : [];
  const wrong = hosts.find(host => !/^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/.test(host) || isLoopback(host));
  if (wrong !== undefined)
    throw new ConfigError(`${name} must be host names, separated by commas; "${wrong}" is none.`);
  return new Set(hosts);
}

/**
 * Reads CLOUD_DOMAIN and PRE_PRODUCTION_DOMAIN and gives the one that the portal's own address is of. Links in mails
 * begin with that address, so that mail of one never leads to the other.
 */
function readDomain(environment: Environment, publicUrl: URL | undefined): string {
  const names = ['CLOUD_DOMAIN', 'PRE_PRODUCTION_DOMAIN'] as const;
  const given = names.flatMap(name => {
    const [domain, ...others] = readHosts(environment, name);
    if (others.length > 0) throw new ConfigError(`${name} must be one domain name.`);
    return domain === undefined ? [] : [domain];
  });
  const host = publicUrl?.hostname;
  if (!isSet(environment.CLOUD_DOMAIN) && given.length > 0)
    throw new ConfigError('PRE_PRODUCTION_DOMAIN needs CLOUD_DOMAIN beside it.');
  if (host === undefined || isLoopback(host)) return given[0] ?? defaultDomain;
  // Either may be a part of the other.
  const [own] = given
    .filter(domain => host === domain || host.endsWith(`.${domain}`))
    .sort((one, other) => other.length - one.length);
  if (own === undefined && given.length > 0)
    throw new ConfigError(`PUBLIC_URL must be an address of ${given.join(' or ')}, not of "${host}".`);
  return own ?? defaultDomain;
}

const defaultDomain = 'fernhill.test';

/** The label of the release that the product is specified as (document 1, section 9). */
const defaultReleaseLabel = 'v.8.1.1';

/** A few words on one line; undefined: pages show no label. */
function readReleaseLabel({ RELEASE_LABEL: text = defaultReleaseLabel }: Environment): string | undefined {
  if (text.trim() === '') return undefined;
  if (!/^[^\p{Cc}]{1,40}$/u.test(text))
    throw new ConfigError('RELEASE_LABEL must be one line of at most 40 characters.');
  return text.trim();
}

/** Origins, separated by commas: https, or http of this machine. */
function readOrigins(environment: Environment, name: string): ReadonlySet<string> {
  const text = environment[name];
  const origins = isSet(text) ? text.split(',').map(one => one.trim()) : [];
  return new Set(
    origins.map(one => {
      const url = URL.canParse(one) ? new URL(one) : undefined;
      const isOrigin = url && (one === url.origin || one === `${url.origin}/`);
      if (!isOrigin || (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname))))
        throw new ConfigError(
          `${name} must be https addresses without a path, separated by commas; "${one}" is not one.`,
        );
      return url.origin;
    }),
  );
}

/** True for a host name or address that only this machine reaches. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/** The variables of an identity provider belong together. */
function readProvider(environment: Environment, prefix: string): ProviderSettings | undefined {
  const issuer = readHttp(environment, `${prefix}_ISSUER`);
  const [clientId, clientSecret, scopes] = ['CLIENT_ID', 'CLIENT_SECRET', 'SCOPES'].map(
    name => environment[`${prefix}_${name}`] ?? '',
  ) as [string, string, string];
  if (!issuer) {
    const alone = ['CLIENT_ID', 'CLIENT_SECRET', 'SCOPES'].find(name => isSet(environment[`${prefix}_${name}`]));
    if (alone) throw new ConfigError(`${prefix}_${alone} needs ${prefix}_ISSUER beside it.`);
    return undefined;
  }
  if (issuer.protocol !== 'https:' && !isLoopback(issuer.hostname))
    throw new ConfigError(`${prefix}_ISSUER must be an https address, but for one of this machine.`);
  if (clientId === '' || clientSecret === '')
    throw new ConfigError(`${prefix}_ISSUER needs ${prefix}_CLIENT_ID and ${prefix}_CLIENT_SECRET beside it.`);
  if (scopes !== '' && !scopes.split(' ').includes('openid'))
    throw new ConfigError(`${prefix}_SCOPES must have openid among its scopes, which are separated by spaces.`);
  return { issuer, clientId, clientSecret, scopes: scopes || 'openid email profile' };
}

/** The variables of the live chat belong together. */
function readLiveChat(environment: Environment): LiveChatSettings | undefined {
  const url = readHttp(environment, 'LIVE_CHAT_URL');
  const licence = environment.LIVE_CHAT_LICENCE ?? '';
  if (!url) {
    if (licence !== '') throw new ConfigError('LIVE_CHAT_LICENCE needs LIVE_CHAT_URL beside it.');
    return undefined;
  }
  if (url.protocol !== 'https:' && !isLoopback(url.hostname))
    throw new ConfigError('LIVE_CHAT_URL must be an https address, but for one of this machine.');
  if (licence === '') throw new ConfigError('LIVE_CHAT_URL needs LIVE_CHAT_LICENCE beside it.');
  if (!/^\d{1,20}$/.test(licence)) throw new ConfigError('LIVE_CHAT_LICENCE must be a number of at most 20 digits.');
  return { url, licence };
}

/**
 * Beyond loopback the cookie needs https, and the sandbox, whose passwords are public, must have been asked for.
 */
function checkReach(environment: Environment, config: Config): void {
  if (config.showDocumentErrors && ![config.host, config.publicUrl?.hostname ?? config.host].every(isLoopback))
    throw new ConfigError(
      'SHOW_DOCUMENT_ERRORS=1 shows the errors of documents to everybody who is signed in: it is for this machine alone.',
    );
  if (isLoopback(config.host)) return;
  if (config.publicUrl?.protocol !== 'https:')
    throw new ConfigError(
      `HOST ${config.host} is reachable from a network: set PUBLIC_URL to the https address of the portal.`,
    );
  if (!config.services && environment.SANDBOX !== '1') {
    throw new ConfigError(
      `HOST ${config.host} is reachable from a network: set CLOUD_API_URL, or SANDBOX=1 to offer the sandbox with its well-known passwords.`,
    );
  }
}

/** A name and an address on one line, as a header of a mail takes it. */
function readSender(environment: Environment, domain: string): string {
  const text = environment.MAIL_FROM;
  if (!isSet(text)) return `Fernhill Cloud <no-reply@${domain}>`;
  if (!/^(?:[^<>\p{Cc}]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/u.test(text))
    throw new ConfigError('MAIL_FROM must be an email address or "Name <address>".');
  return text;
}

/** English, since the default texts are: what a page says of its language must be true (WCAG 3.1.1). */
function readLocale(environment: Environment): string {
  const text = environment.LOCALE;
  if (!isSet(text)) return defaultLocale;
  if (!/^en-(?:[A-Z]{2}|\d{3})$/.test(text) || Intl.NumberFormat.supportedLocalesOf(text).length === 0)
    throw new ConfigError(`LOCALE must be a locale of English, such as en-GB or en-IE, not "${text}".`);
  return text;
}

function readTimeZone(environment: Environment): string {
  const text = environment.TIME_ZONE;
  if (!isSet(text)) return 'Europe/London';
  try {
    return new Intl.DateTimeFormat(defaultLocale, { timeZone: text }).resolvedOptions().timeZone;
  } catch {
    throw new ConfigError(`TIME_ZONE must be the name of a time zone, such as Europe/London, not "${text}".`);
  }
}

/**
 * Reads the portal's configuration from environment variables. Throws ConfigError with one line that names the wrong
 * one.
 */
export function readConfig(environment: Environment): Config {
  const cloud = readHttp(environment, 'CLOUD_API_URL');
  const auth = readHttp(environment, 'AUTH_API_URL');
  if (auth && !cloud) throw new ConfigError('AUTH_API_URL needs CLOUD_API_URL beside it.');
  readChoice(environment, 'SANDBOX', ['0', '1'], '0');
  const publicUrl = readPublicUrl(environment);
  const domain = readDomain(environment, publicUrl);
  const releaseLabel = readReleaseLabel(environment);
  const [sso, office] = [readProvider(environment, 'OIDC'), readProvider(environment, 'OFFICE_OIDC')];
  const liveChat = readLiveChat(environment);
  const singleExperienceUrl = readUrl(environment, 'SINGLE_EXPERIENCE_URL', ['https:']);
  const singleExperienceErrorUrl = readUrl(environment, 'SINGLE_EXPERIENCE_ERROR_URL', ['https:']);
  if (singleExperienceErrorUrl && !singleExperienceUrl)
    throw new ConfigError('SINGLE_EXPERIENCE_ERROR_URL needs SINGLE_EXPERIENCE_URL beside it.');
  const databaseUrl = readUrl(environment, 'DATABASE_URL', ['postgres:', 'postgresql:'])?.href;
  const smtpUrl = readUrl(environment, 'SMTP_URL', ['smtp:', 'smtps:'])?.href;
  const host = isSet(environment.HOST) ? environment.HOST : '127.0.0.1';
  if (!/^[A-Za-z0-9.:_-]+$/.test(host))
    throw new ConfigError(`HOST must be a host name or an IP address, not "${host}".`);
  const metricsToken = isSet(environment.METRICS_TOKEN) ? environment.METRICS_TOKEN : undefined;
  if (metricsToken !== undefined && !/^[\x21-\x7e]{16,}$/.test(metricsToken))
    throw new ConfigError('METRICS_TOKEN must be at least 16 letters, digits and signs without blanks.');
  const metricsPort = readInteger(environment, 'METRICS_PORT', 0, 1, 65535);
  const config: Config = {
    host,
    port: readInteger(environment, 'PORT', 3000, 0, 65535),
    dataDir: resolve(isSet(environment.DATA_DIR) ? environment.DATA_DIR : 'data'),
    ...(databaseUrl !== undefined && { databaseUrl }),
    ...(cloud && { services: { cloud, auth: auth ?? cloud } }),
    identityProviders: { ...(sso && { sso }), ...(office && { office }) },
    ...(publicUrl && { publicUrl }),
    domain,
    ...(releaseLabel !== undefined && { releaseLabel }),
    ...(singleExperienceUrl && { singleExperienceUrl }),
    ...(singleExperienceErrorUrl && { singleExperienceErrorUrl }),
    schemasDir: resolve(isSet(environment.SCHEMAS_DIR) ? environment.SCHEMAS_DIR : 'schemas'),
    ...(isSet(environment.DOCS_DIR) && { docsDir: resolve(environment.DOCS_DIR) }),
    logLevel: readChoice(environment, 'LOG_LEVEL', logLevels, 'info'),
    showDocumentErrors: readChoice(environment, 'SHOW_DOCUMENT_ERRORS', ['0', '1'], '0') === '1',
    accessLog: readChoice(environment, 'ACCESS_LOG', ['0', '1'], '0') === '1',
    sandboxSeed: readChoice(environment, 'SANDBOX_SEED', ['small', 'large'], 'small'),
    trustedProxies: isSet(environment.TRUSTED_PROXIES)
      ? environment.TRUSTED_PROXIES.split(',').map(one => one.trim())
      : [],
    rateLimit: readInteger(environment, 'RATE_LIMIT', 1200, 1, 1_000_000_000),
    requestsPerAddress: readInteger(environment, 'REQUESTS_PER_ADDRESS', 250, 1, 1_000_000),
    connectionsPerAddress: readInteger(environment, 'CONNECTIONS_PER_ADDRESS', 500, 1, 1_000_000),
    sessionsPerAccount: readInteger(environment, 'SESSIONS_PER_ACCOUNT', 50, 1, 1_000_000),
    auditDays: readInteger(environment, 'AUDIT_DAYS', 400, 1, 36_500),
    auditRows: readInteger(environment, 'AUDIT_ROWS', 5_000_000, 1000, 1_000_000_000),
    ...(isSet(environment.AUDIT_EXPORT_DIR) && { auditExportDir: resolve(environment.AUDIT_EXPORT_DIR) }),
    ...(metricsToken !== undefined && { metricsToken }),
    ...(metricsPort > 0 && { metricsPort }),
    stopDelay: readInteger(environment, 'STOP_DELAY_MS', 3000, 0, 600_000),
    cookieDomainParts: readInteger(environment, 'COOKIE_DOMAIN_PARTS', 0, 0, 10),
    firstDataWait: readInteger(environment, 'FIRST_DATA_MS', 300, 0, 60_000),
    partnerHosts: readHosts(environment, 'PARTNER_HOSTS'),
    redirectAllow: readOrigins(environment, 'REDIRECT_ALLOW'),
    siteOrigins: readOrigins(environment, 'SITE_ORIGINS'),
    ...(liveChat && { liveChat }),
    hostedPageOrigins: readOrigins(environment, 'HOSTED_PAGE_ORIGINS'),
    tellUnknownUsername: readChoice(environment, 'UNKNOWN_USERNAME', ['tell', 'hide'], 'tell') === 'tell',
    locale: readLocale(environment),
    timeZone: readTimeZone(environment),
    ...(smtpUrl !== undefined && { smtpUrl }),
    mailFrom: readSender(environment, domain),
  };
  const proxy = config.trustedProxies.find(one => !/^[0-9A-Fa-f.:]+(?:\/\d{1,3})?$/.test(one));
  if (proxy !== undefined)
    throw new ConfigError(
      `TRUSTED_PROXIES must be IP addresses or ranges, separated by commas; "${proxy}" is neither.`,
    );
  checkReach(environment, config);
  return Object.freeze(config);
}
