import { randomBytes, randomUUID } from 'node:crypto';

/** All that an attacker has: the address of the server, a session, and the hashes of its layouts by pattern, id or popup. */
export type Loot = {
  readonly address: URL;
  readonly cookie: string;
  readonly hashes: Readonly<Record<string, string>>;
  /** GUID of a customer of the account. */
  readonly customer: string;
};

/**
 * What is sent so many times a second, `atOnce` of them together; of these connections at most `held` are open, where a
 * server closes none.
 */
export type Attack = {
  readonly perSecond: number;
  readonly held?: number;
  readonly atOnce?: number;
  bytes(loot: Loot): string;
};

export type AttackName = keyof typeof attacks;

const invented = (): string => `__Host-portal=${randomBytes(32).toString('base64url')}`;
const deep = `{"node":"a","layout":"b","body":{"a":${'['.repeat(520_000)}${']'.repeat(520_000)}}}`;
const wide = `{"node":"a","layout":"b","body":{${Array.from({ length: 70_000 }, (_, at) => `"${at}":1`).join()}}}`;

/** A request as bytes, each header on a line of its own. */
function request({ address }: Loot, line: string, headers: Readonly<Record<string, string>>, body = ''): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${line} HTTP/1.1\r\nhost: ${address.host}\r\n${lines.join('')}\r\n${body}`;
}

/** A press as a browser sends it, with the cookie of the account or without. */
function press(loot: Loot, path: string, body: string, cookie = loot.cookie): string {
  const headers = {
    ...{ cookie, 'x-portal': '1', 'idempotency-key': randomUUID(), 'content-type': 'application/json' },
    ...{ 'content-length': String(Buffer.byteLength(body)), connection: 'close' },
  };
  return request(loot, `POST ${path}`, headers, body);
}

const read = (loot: Loot, path: string): string =>
  request(loot, `GET ${path}`, { cookie: loot.cookie, connection: 'close' });

const linkScreen = '/change-password/{usertype}/{username}/{key}';
const voiceScreen = '/customers/customer/{customer}/add-service/hosted-voice';
/** One that takes long to rate. */
const longPassword = 'Harbour-lantern-86 correct horse battery staple '.repeat(5);

/** How hostile visitors behave at the limits of production, by name. */
export const attacks = {
  'dead cookies': {
    perSecond: 200,
    bytes: loot => request(loot, 'GET /ui/boot', { cookie: invented(), connection: 'close' }),
  },
  'silent connections': {
    perSecond: 500,
    held: 2000,
    bytes: loot =>
      request(
        loot,
        'POST /auth/login',
        { 'x-portal': '1', 'content-type': 'application/json', 'content-length': '100' },
        '{',
      ),
  },
  'connections at once': {
    perSecond: 1000,
    held: 2000,
    atOnce: 2000,
    bytes: loot => request(loot, 'GET /health', { connection: 'close' }),
  },
  'pipelined requests': {
    perSecond: 4,
    bytes: loot => request(loot, 'GET /x', {}).repeat(1500),
  },
  'deep bodies': { perSecond: 20, bytes: loot => press(loot, '/auth/login', deep, '') },
  'wide bodies': { perSecond: 20, bytes: loot => press(loot, '/ui/command/delivered.submit', wide) },
  'refused writes': {
    perSecond: 500,
    bytes: loot => request(loot, 'POST /auth/login', { connection: 'close', 'content-length': '0' }),
  },
  handshakes: {
    perSecond: 200,
    bytes: loot =>
      request(loot, 'GET /ui/socket/?EIO=4&transport=websocket', {
        ...{ origin: loot.address.origin, cookie: invented(), connection: 'upgrade', upgrade: 'websocket' },
        ...{ 'sec-websocket-version': '13', 'sec-websocket-key': randomBytes(16).toString('base64') },
      }),
  },
  'passwords by link': {
    perSecond: 18,
    bytes: loot =>
      press(
        loot,
        '/auth/change-password-by-link',
        JSON.stringify({
          ...{ node: 'new-password', layout: loot.hashes[linkScreen] },
          with: { userType: 'reseller', userName: 'reseller@northwind.test', key: randomUUID() },
          body: { NewPassword: longPassword, NewPasswordAgain: longPassword },
        }),
        '',
      ),
  },
  'passwords checked': {
    perSecond: 18,
    bytes: loot =>
      press(
        loot,
        '/ui/command/password.check',
        JSON.stringify({ node: 'n1', layout: loot.hashes['change-password'], body: { Password: longPassword } }),
      ),
  },
  'dashboards at once': { perSecond: 200, held: 40, bytes: loot => read(loot, '/ui/screen?path=/dashboard') },
  'drafts by spelling': {
    perSecond: 18,
    bytes: loot => {
      const customer = loot.customer.replace(/[a-f]/g, letter => (Math.random() < 0.5 ? letter : letter.toUpperCase()));
      const given = { node: 'voice', layout: loot.hashes[voiceScreen], with: { customer }, body: {} };
      return press(loot, '/ui/command/voice.step', JSON.stringify(given));
    },
  },
  'files at once': { perSecond: 20, held: 12, bytes: loot => read(loot, '/ui/files/x/customers.xlsx?path=/customers') },
} as const satisfies Readonly<Record<string, Attack>>;
