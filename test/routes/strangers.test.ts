import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { answerTo, attacker } from '../fixtures/addresses.ts';
import { freePort } from '../fixtures/free-port.ts';
import { startPortal, withClient, withPortal } from '../fixtures/portal.ts';
import { withSandbox } from '../fixtures/sandbox.ts';

const root = join(import.meta.dirname, '../../dist/client');

const sandbox = withSandbox();
const portal = withPortal(sandbox, { env: { RATE_LIMIT: '' }, clientFolder: root });
const reseller = withClient(portal, 'reseller@northwind.test');
const engineer = withClient(portal, 'engineer@northwind.test');

const close = 'connection: close\r\n\r\n';
const linesOf = (level: number, from = 0): string[] =>
  portal
    .log()
    .slice(from)
    .split('\n')
    .filter(line => line.includes(`"level":${level}`));

test('a layout hash of others is answered as one that nobody knows', async () => {
  const hashesOf = async (who: typeof reseller): Promise<string[]> => {
    const { routes, popups } = (await who.get('/ui/boot')).body;
    return [...routes.map((route: string[]) => route[2]), ...Object.values(popups)];
  };
  const own = new Set(await hashesOf(engineer));
  const foreign = (await hashesOf(reseller)).filter(hash => !own.has(hash));
  assert.ok(foreign.length > 10, `only ${foreign.length}`);
  const told = async (layout: string) => {
    const { status, body } = await engineer.post('/ui/call/notifications.readAll', { node: 'bell', layout });
    return `${status} ${body.Resources?.code}`;
  };
  const unknown = await told('x'.repeat(8));
  for (const hash of foreign) {
    assert.equal((await reseller.get(`/ui/layouts/${hash}`)).status, 200);
    assert.equal(await told(hash), unknown, hash);
  }
});

test('what is not there among the files is not found, however it is asked for, and leaves no error in the log', async () => {
  const from = portal.log().length;
  const paths = [
    ...['/assets', '/assets/', '/assets//', '/assets/.env', '/assets/../x', '/assets/..', '/assets/%2e%2e/x'],
    ...['/assets/..%2fx', '/assets/.git/config', '/assets/none.js', '/assets/%00', '/assets/a%00b', '/assets/x/y'],
    ...[`/assets/${'x'.repeat(300)}`, `/assets/${'x/'.repeat(400)}`, '/assets/%5c..%5cx', '/assets/con', '/assets/%'],
  ];
  for (const path of paths) {
    const answer = await answerTo(portal.url, `GET ${path} HTTP/1.1\r\nhost: a\r\n${close}`);
    assert.match(answer, /^HTTP\/1\.1 40[04] /, path);
  }
  assert.deepEqual(linesOf(50, from), []);
});

test('a flood of failures of one kind leaves a bounded number of lines in the log, and no stack of being busy', async t => {
  const small = await startPortal({ cloudUrl: sandbox.url, env: { RATE_LIMIT: '10' } });
  t.after(small.close);
  const stranger = small.client({}, attacker);
  for (let sent = 0; sent < 300; sent += 20)
    await Promise.all(Array.from({ length: 20 }, () => stranger.get('/ui/boot')));
  const told = small.log().match(/"code":"TOO_MANY"/g) ?? [];
  assert.ok(told.length > 0 && told.length <= 60, String(told.length));
  assert.ok(!small.log().includes('"stack"'));
});

test('one host is needed, and only one; no coding of a body but chunked is taken', async () => {
  const asked: Readonly<Record<string, string>> = {
    none: `GET /health HTTP/1.1\r\n${close}`,
    two: `GET /health HTTP/1.1\r\nhost: a\r\nhost: b\r\n${close}`,
    alike: `GET /health HTTP/1.1\r\nHost: a\r\nhOST: a\r\n${close}`,
    unknown: `POST /auth/login HTTP/1.1\r\nhost: a\r\nx-portal: 1\r\ncontent-type: application/json\r\ntransfer-encoding: xchunked\r\n${close}`,
    twice: `POST /auth/login HTTP/1.1\r\nhost: a\r\nx-portal: 1\r\ncontent-type: application/json\r\ntransfer-encoding: xchunked\r\ntransfer-encoding: chunked\r\n${close}2\r\n{}\r\n0\r\n\r\n`,
    socket: `GET /ui/socket/ HTTP/1.1\r\nhost: a\r\nhost: b\r\norigin: ${portal.url}\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n`,
  };
  for (const [name, bytes] of Object.entries(asked))
    assert.match(await answerTo(portal.url, bytes), /^HTTP\/1\.1 400 /, name);
  assert.match(await answerTo(portal.url, `GET /health HTTP/1.1\r\nhost: a\r\n${close}`), /^HTTP\/1\.1 200 /);
  // Balancers still look after their servers in HTTP/1.0, which knows no host.
  assert.match(await answerTo(portal.url, 'GET /health HTTP/1.0\r\n\r\n'), /^HTTP\/1\.1 200 /);
});

test('the figures are off unless there is a token or a port for them, and are for nobody without the token', async t => {
  const token = 'a-token-of-the-scraper';
  const bearer = { authorization: `Bearer ${token}` };
  for (const headers of [{}, bearer]) assert.equal((await reseller.get('/metrics', headers)).status, 404);

  const withToken = await startPortal({ cloudUrl: sandbox.url, env: { METRICS_TOKEN: token } });
  t.after(withToken.close);
  const scraper = withToken.client();
  for (const authorization of ['', 'Bearer', `Bearer ${token}x`, `Bearer ${token.slice(1)}`, token, `bearer${token}`])
    assert.equal((await scraper.get('/metrics', { authorization })).status, 404, authorization);
  assert.match((await scraper.get('/metrics', bearer)).text, /http_request_duration_seconds_bucket/);

  const port = String(await freePort());
  const withPort = await startPortal({ cloudUrl: sandbox.url, env: { METRICS_PORT: port } });
  t.after(withPort.close);
  assert.equal((await withPort.client().get('/metrics', bearer)).status, 404);
  const own = `http://127.0.0.1:${port}`;
  assert.match(await (await fetch(`${own}/metrics`)).text(), /process_cpu_seconds_total/);
  for (const path of ['/', '/login', '/ui/boot', '/metrics/x']) assert.equal((await fetch(own + path)).status, 404);

  const otherPort = String(await freePort());
  const withBoth = await startPortal({
    cloudUrl: sandbox.url,
    env: { METRICS_PORT: otherPort, METRICS_TOKEN: token },
  });
  t.after(withBoth.close);
  assert.equal((await withBoth.client().get('/metrics', bearer)).status, 404);
  assert.equal((await fetch(`http://127.0.0.1:${otherPort}/metrics`)).status, 401);
  assert.equal((await fetch(`http://127.0.0.1:${otherPort}/metrics`, { headers: bearer })).status, 200);
});

test('the pages of the sandbox answer only to the names of this machine', async () => {
  const { port } = new URL(sandbox.url);
  const ask = (path: string, host: string) =>
    answerTo(sandbox.url, `GET ${path} HTTP/1.1\r\nhost: ${host}\r\n${close}`);
  for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`])
    assert.match(await ask('/outbox', host), /^HTTP\/1\.1 200 /, host);
  for (const host of [`evil.test:${port}`, `127.0.0.1.evil.test:${port}`, 'evil.test', `localhost.evil.test`, ''])
    for (const path of ['/outbox', '/oidc/sign-in/x', '/oidc/.well-known/openid-configuration', '/office/sign-in/x'])
      assert.match(await ask(path, host), /^HTTP\/1\.1 404 /, `${host} ${path}`);
});
