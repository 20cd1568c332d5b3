import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerTo, other } from '../fixtures/addresses.ts';
import { eventually } from '../fixtures/eventually.ts';
import { withPortal } from '../fixtures/portal.ts';

const token = 'a-token-of-the-scraper';
const portal = withPortal({ url: 'http://127.0.0.1:9' }, { env: { RATE_LIMIT: '', METRICS_TOKEN: token } });

/** Requests of a route that the portal has taken up so far. */
async function dispatched(route: string): Promise<number> {
  const { text } = await portal.client({ authorization: `Bearer ${token}` }, other).get('/metrics');
  const counts = text.matchAll(
    new RegExp(`^http_request_duration_seconds_count\\{.*route="${route}".*\\} (\\d+)$`, 'gm'),
  );
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

const get = (path: string, more = ''): string => `GET ${path} HTTP/1.1\r\nhost: a\r\n${more}\r\n`;

test('81: of a thousand requests sent in one go, one is dispatched, and the connection ends', async () => {
  const before = await dispatched('/health');
  const answer = await answerTo(portal.url, get('/health').repeat(1000));
  assert.ok((answer.match(/HTTP\/1\.1 /g) ?? []).length <= 1, answer.slice(0, 200));
  await eventually(async () => (await dispatched('/health')) > before);
  assert.equal(await dispatched('/health'), before + 1);
});

test('81: what is pipelined behind a refused request is not read, and neither is an upgrade', async () => {
  const refused = {
    'no host': 'GET /health HTTP/1.1\r\n\r\n',
    'a wonder': get('/health', 'expect: a wonder\r\n'),
    'a foreign write': 'POST /auth/login HTTP/1.1\r\nhost: a\r\ncontent-length: 0\r\n\r\n',
    'a coding that nobody knows':
      'POST /auth/login HTTP/1.1\r\nhost: a\r\nx-portal: 1\r\ntransfer-encoding: xchunked, chunked\r\n\r\n0\r\n\r\n',
  };
  const behind = [
    get('/health'),
    get('/health', 'expect: a wonder\r\n'),
    get('/ui/socket/', 'connection: upgrade\r\nupgrade: websocket\r\n'),
  ];
  for (const [name, first] of Object.entries(refused))
    for (const second of behind) {
      const answer = await answerTo(portal.url, first + second);
      assert.ok((answer.match(/HTTP\/1\.1 /g) ?? []).length <= 1, `${name}: ${answer}`);
    }
});

test('a message that a proxy may read differently is the last of its connection', async () => {
  const malformed = [
    'GET /health HTTP/1.1\r\n\r\n',
    'GET /health HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n',
    'POST /auth/login HTTP/1.1\r\nhost: a\r\nx-portal: 1\r\ntransfer-encoding: xchunked\r\n\r\n',
    'POST /auth/login HTTP/1.1\r\nhost: a\r\nx-portal: 1\r\ntransfer-encoding: xchunked, chunked\r\n\r\n0\r\n\r\n',
    'GET /health HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked, identity\r\n\r\n',
  ];
  // The connection ends by itself, or the answer to it would never be whole.
  for (const bytes of malformed) assert.match(await answerTo(portal.url, bytes), /^HTTP\/1\.1 400 /, bytes);
});

test('requests that come one after another share a connection', async () => {
  const client = portal.client({}, other);
  for (let count = 0; count < 5; count++) {
    assert.equal((await client.get('/health')).status, 200);
    assert.equal((await client.post('/auth/login', { node: 'a', layout: 'b' })).status, 409);
  }
});
