import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { ConfigError, isLoopback, readConfig } from '../../server/config.ts';

const refusal = (environment: Record<string, string>): string => {
  try {
    readConfig(environment);
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    assert.ok(!error.message.includes('\n'));
    return error.message;
  }
  return 'accepted';
};

test('without any variable the portal is on loopback, with its own data, documents and sandbox', () => {
  assert.deepEqual(readConfig({}), {
    host: '127.0.0.1',
    port: 3000,
    dataDir: resolve('data'),
    schemasDir: resolve('schemas'),
    logLevel: 'info',
    showDocumentErrors: false,
    accessLog: false,
    sandboxSeed: 'small',
    identityProviders: {},
    trustedProxies: [],
    rateLimit: 1200,
    requestsPerAddress: 250,
    releaseLabel: 'v.8.1.1',
    connectionsPerAddress: 500,
    sessionsPerAccount: 50,
    auditDays: 400,
    auditRows: 5_000_000,
    cookieDomainParts: 0,
    firstDataWait: 300,
    redirectAllow: new Set(),
    siteOrigins: new Set(),
    hostedPageOrigins: new Set(),
    stopDelay: 3000,
    tellUnknownUsername: true,
    domain: 'fernhill.test',
    mailFrom: 'Fernhill Cloud <no-reply@fernhill.test>',
    partnerHosts: new Set(),
    locale: 'en-GB',
    timeZone: 'Europe/London',
  });
  assert.ok(Object.isFrozen(readConfig({})));
});

test('the portal has the domain that its own address is of, and the mail of one never leads to the other', () => {
  const domains = { CLOUD_DOMAIN: 'fernhill.example', PRE_PRODUCTION_DOMAIN: 'pre.fernhill.example' };
  const at = (PUBLIC_URL: string) => readConfig({ ...domains, PUBLIC_URL });
  assert.equal(readConfig(domains).domain, 'fernhill.example');
  assert.equal(at('http://localhost:3000').domain, 'fernhill.example');
  assert.equal(at('https://cloud.fernhill.example').domain, 'fernhill.example');
  const pre = at('https://cloud.pre.fernhill.example');
  assert.deepEqual(
    [pre.domain, pre.mailFrom],
    ['pre.fernhill.example', 'Fernhill Cloud <no-reply@pre.fernhill.example>'],
  );
  assert.equal(
    refusal({ ...domains, PUBLIC_URL: 'https://cloud.nofernhill.example' }),
    'PUBLIC_URL must be an address of fernhill.example or pre.fernhill.example, not of "cloud.nofernhill.example".',
  );
  assert.equal(
    refusal({ PRE_PRODUCTION_DOMAIN: 'pre.example.com' }),
    'PRE_PRODUCTION_DOMAIN needs CLOUD_DOMAIN beside it.',
  );
  assert.equal(refusal({ CLOUD_DOMAIN: 'a.example,b.example' }), 'CLOUD_DOMAIN must be one domain name.');
  assert.equal(readConfig({ RELEASE_LABEL: '' }).releaseLabel, undefined);
  assert.match(refusal({ RELEASE_LABEL: 'x'.repeat(41) }), /^RELEASE_LABEL must be one line/);
});

test('nonsense is refused in one line that names its variable', () => {
  const nonsense: Record<string, string[]> = {
    PORT: ['-1', '65536', '3000x', '3.5'],
    HOST: ['a b', 'http://x'],
    LOG_LEVEL: ['loud'],
    SHOW_DOCUMENT_ERRORS: ['yes'],
    ACCESS_LOG: ['yes', 'info'],
    SANDBOX: ['yes'],
    SANDBOX_SEED: ['huge'],
    RATE_LIMIT: ['0', 'many'],
    REQUESTS_PER_ADDRESS: ['0', '-1'],
    CONNECTIONS_PER_ADDRESS: ['0', 'all'],
    SESSIONS_PER_ACCOUNT: ['0', '1.5'],
    AUDIT_DAYS: ['0', 'ever'],
    AUDIT_ROWS: ['1', 'all'],
    METRICS_TOKEN: ['short', 'sixteen letters and a blank'],
    METRICS_PORT: ['0', '65536'],
    UNKNOWN_USERNAME: ['maybe'],
    REDIRECT_ALLOW: [
      'partners.test',
      'http://partners.test',
      'https://partners.test/path',
      'https://u@partners.test',
      '*',
    ],
    DATABASE_URL: ['mysql://x/y', 'nothing'],
    CLOUD_API_URL: ['ftp://x', 'cloud', 'https://user:pass@cloud.test', 'https://cloud.test/?a=b'],
    AUTH_API_URL: ['https://auth.test'],
    OIDC_ISSUER: ['http://sso.test', 'sso.test', 'https://sso.test'],
    OIDC_CLIENT_ID: ['portal'],
    OFFICE_OIDC_SCOPES: ['openid'],
    LIVE_CHAT_URL: ['http://chat.test', 'chat', 'https://chat.test/a', 'https://u@chat.test'],
    LIVE_CHAT_LICENCE: ['7654321'],
    PUBLIC_URL: ['portal.test', 'https://portal.test/path'],
    SINGLE_EXPERIENCE_URL: ['http://dashboard.test', 'dashboard'],
    SINGLE_EXPERIENCE_ERROR_URL: ['http://dashboard.test', 'https://dashboard.test/error'],
    SMTP_URL: ['http://mail.test', 'mail.test:25'],
    MAIL_FROM: ['nobody', 'A <a@b.test>, B <b@b.test>', 'a@b.test\r\nBcc: c@d.test'],
    LOCALE: ['english', 'en', 'en_GB', 'de-DE'],
    TIME_ZONE: ['London', 'Europe/Londn', 'here'],
    TRUSTED_PROXIES: ['everyone', '10.0.0.0/8,x y'],
  };
  for (const [name, values] of Object.entries(nonsense)) {
    for (const value of values)
      assert.ok(refusal({ [name]: value }).startsWith(name), `${name}=${value}: ${refusal({ [name]: value })}`);
  }
});

test('an identity provider needs https but on this machine, a client with its secret, and the scope openid', () => {
  const client = { OIDC_CLIENT_ID: 'portal', OIDC_CLIENT_SECRET: 'hunter2' };
  const at = (OIDC_ISSUER: string, more = {}) => ({ ...client, OIDC_ISSUER, ...more });
  assert.match(refusal(at('http://sso.test')), /^OIDC_ISSUER must be an https address/);
  assert.match(refusal(at('https://sso.test', { OIDC_SCOPES: 'email' })), /^OIDC_SCOPES must have openid/);
  assert.equal(refusal(at('http://localhost:4100/oidc')), 'accepted');
  const { sso, office } = readConfig(at('https://sso.test')).identityProviders;
  assert.deepEqual(sso, {
    issuer: new URL('https://sso.test'),
    clientId: 'portal',
    clientSecret: 'hunter2',
    scopes: 'openid email profile',
  });
  assert.equal(office, undefined);
});

test('secrets of an address are not repeated in a refusal', () => {
  assert.ok(!refusal({ CLOUD_API_URL: 'https://user:hunter2@cloud.test' }).includes('hunter2'));
});

test('beyond loopback an https address and a cloud, or the explicit sandbox, are needed', () => {
  const HOST = '0.0.0.0';
  assert.match(refusal({ HOST }), /PUBLIC_URL/);
  assert.match(refusal({ HOST, PUBLIC_URL: 'http://portal.test', SANDBOX: '1' }), /PUBLIC_URL/);
  assert.match(refusal({ HOST, PUBLIC_URL: 'https://portal.test' }), /CLOUD_API_URL.*SANDBOX=1/);
  assert.equal(refusal({ HOST, PUBLIC_URL: 'https://portal.test', SANDBOX: '1' }), 'accepted');
  assert.equal(refusal({ HOST, PUBLIC_URL: 'https://portal.test', CLOUD_API_URL: 'https://cloud.test' }), 'accepted');
});

test('the errors of documents are shown on this machine alone', () => {
  const shown = { SHOW_DOCUMENT_ERRORS: '1' };
  const beyond = { HOST: '0.0.0.0', PUBLIC_URL: 'https://portal.test', CLOUD_API_URL: 'https://cloud.test' };
  assert.equal(refusal(shown), 'accepted');
  assert.equal(refusal({ ...shown, PUBLIC_URL: 'http://localhost:3000' }), 'accepted');
  assert.match(refusal({ ...shown, PUBLIC_URL: 'https://portal.test' }), /^SHOW_DOCUMENT_ERRORS=1 /);
  assert.match(refusal({ ...shown, ...beyond }), /^SHOW_DOCUMENT_ERRORS=1 /);
  assert.match(refusal({ ...shown, ...beyond, PUBLIC_URL: 'https://localhost' }), /^SHOW_DOCUMENT_ERRORS=1 /);
});

test('loopback is recognised by the address, not by how it begins', () => {
  for (const host of ['localhost', '127.0.0.1', '127.8.8.8', '::1']) assert.ok(isLoopback(host), host);
  for (const host of ['0.0.0.0', '127.0.0.1.evil.test', 'localhost.evil.test', '10.0.0.1', '::'])
    assert.ok(!isLoopback(host), host);
});

test('the live chat is an address with its licence, or there is none', () => {
  const url = 'https://chat.fernhill.test/open';
  const read = readConfig({ LIVE_CHAT_URL: url, LIVE_CHAT_LICENCE: '7654321' }).liveChat;
  assert.deepEqual([read?.url.href, read?.licence], [url, '7654321']);
  assert.equal(readConfig({ LIVE_CHAT_URL: 'http://127.0.0.1:9', LIVE_CHAT_LICENCE: '1' }).liveChat?.licence, '1');
  assert.equal(refusal({ LIVE_CHAT_LICENCE: '1' }), 'LIVE_CHAT_LICENCE needs LIVE_CHAT_URL beside it.');
  assert.equal(refusal({ LIVE_CHAT_URL: url }), 'LIVE_CHAT_URL needs LIVE_CHAT_LICENCE beside it.');
  for (const licence of ['12a', '-1', '1 2', '9'.repeat(21)])
    assert.equal(
      refusal({ LIVE_CHAT_URL: url, LIVE_CHAT_LICENCE: licence }),
      'LIVE_CHAT_LICENCE must be a number of at most 20 digits.',
    );
});
