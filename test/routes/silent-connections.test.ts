import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { attacker, connectFrom, other } from '../fixtures/addresses.ts';
import { eventually } from '../fixtures/eventually.ts';
import { type StartedPortal, startPortal } from '../fixtures/portal.ts';
import { nextEvent } from '../fixtures/wait.ts';

const html = { accept: 'text/html' };

/** A portal with the limits of production; the sign-in needs no cloud. */
async function open(t: TestContext, env: Readonly<Record<string, string>> = {}): Promise<StartedPortal> {
  const portal = await startPortal({ cloudUrl: 'http://127.0.0.1:9', env: { RATE_LIMIT: '', ...env } });
  t.after(portal.close);
  return portal;
}

type Silent = { readonly socket: Socket; answer: string };

/** Connections that send the head of a request and one byte of its body, and then nothing more. */
async function fallSilent(
  t: TestContext,
  portal: StartedPortal,
  count: number,
  headersOf: (index: number) => string = () => '',
  from = attacker,
  [path, type] = ['/auth/login', 'application/json'],
): Promise<Silent[]> {
  const all: Silent[] = [];
  t.after(() => all.forEach(({ socket }) => void socket.destroy()));
  for (let index = 0; index < count; index++) {
    const silent: Silent = { socket: connectFrom(from, portal.url), answer: '' };
    silent.socket.on('data', part => {
      silent.answer += part;
    });
    silent.socket.write(
      `POST ${path} HTTP/1.1\r\nhost: ${new URL(portal.url).host}\r\nx-portal: 1\r\ncontent-type: ${type}\r\ncontent-length: 100\r\n${headersOf(index)}\r\n{`,
    );
    all.push(silent);
    if (index % 100 === 99) await nextEvent(silent.socket, 'connect').catch(() => undefined);
  }
  return all;
}

test('two thousand silent connections of one address leave the pages and the sign-in answered for others', async t => {
  const portal = await open(t);
  const silent = await fallSilent(t, portal, 2000);
  const visitor = portal.client({}, other);
  for (let probe = 0; probe < 10; probe++) {
    assert.equal((await visitor.get('/login', html)).status, 200);
    assert.equal((await visitor.get('/ui/boot')).status, 200);
    // Authorised, and refused only because there is no cloud in this test.
    const asked = await visitor.press('/login', 'login', 'command:auth.login', { body: { Username: 'a@b.test' } });
    assert.equal(asked.status, 502);
  }
  const open_ = silent.filter(({ socket }) => !socket.destroyed && !socket.readableEnded);
  assert.ok(open_.length <= 500, `${open_.length} connections of one address are open`);
});

test('a body has seconds to arrive, whoever reads it, and its connection is closed then', async t => {
  const portal = await open(t);
  const ofForm: [path: string, type: string] = ['/unsubscribe/a', 'application/x-www-form-urlencoded'];
  const silent = [
    ...(await fallSilent(t, portal, 1)),
    ...(await fallSilent(t, portal, 1, undefined, undefined, ofForm)),
  ];
  await Promise.all(silent.map(({ socket }) => nextEvent(socket, 'close')));
  for (const { answer } of silent) assert.match(answer, /^HTTP\/1\.1 408 .*"code":"LATE"/s);
});

test('behind a proxy the address that it forwards is what counts, an IPv6 one by its first 64 bits', async t => {
  const portal = await open(t, { TRUSTED_PROXIES: '127.0.0.0/8', REQUESTS_PER_ADDRESS: '40' });
  const silent = await fallSilent(t, portal, 600, index => `x-forwarded-for: 2001:db8:0:7::${index.toString(16)}\r\n`);
  const refused = () => silent.filter(({ answer }) => answer.startsWith('HTTP/1.1 429 '));
  await eventually(() => refused().length >= 560, 'all but forty were refused');
  // All of them had a connection, as one proxy needs many.
  assert.equal(refused().length, 560);
  assert.equal((await portal.client({ 'x-forwarded-for': '2001:db8:0:7:1::' }, other).get('/login', html)).status, 429);
  for (const address of ['2001:db8:0:8::1', '203.0.113.9'])
    assert.equal((await portal.client({ 'x-forwarded-for': address }, other).get('/login', html)).status, 200, address);
});

test('a request that is finished makes room for the next', async t => {
  const portal = await open(t, { REQUESTS_PER_ADDRESS: '1', CONNECTIONS_PER_ADDRESS: '1' });
  const visitor = portal.client({ connection: 'close' }, other);
  for (let count = 0; count < 5; count++) {
    assert.equal((await visitor.get('/ui/boot')).status, 200);
    assert.equal((await visitor.post('/auth/nothing', { node: 'a', layout: 'b' })).status, 401);
  }
});
