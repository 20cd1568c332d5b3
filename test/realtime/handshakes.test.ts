import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { attacker, connectFrom, other } from '../fixtures/addresses.ts';
import { type Client, withPortal } from '../fixtures/portal.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { nextEvent } from '../fixtures/wait.ts';

const sandbox = withSandbox();
const portal = withPortal(sandbox, { env: { RATE_LIMIT: '' } });

type Shaken = { readonly socket: Socket; readonly status: number };

/** A handshake by hand, and its status; 0 where it was cut. What is let in says nothing more, not even "40". */
async function shake(t: TestContext, cookie: string, from: string): Promise<Shaken> {
  const { host } = new URL(portal.url);
  const socket = connectFrom(from, portal.url);
  t.after(() => void socket.destroy());
  socket.write(
    `GET /ui/socket/?EIO=4&transport=websocket HTTP/1.1\r\nhost: ${host}\r\norigin: ${portal.url}\r\ncookie: ${cookie}\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: ${randomBytes(16).toString('base64')}\r\n\r\n`,
  );
  const answer = await Promise.race([nextEvent(socket, 'data'), nextEvent(socket, 'close')]);
  return { socket, status: Number(/^HTTP\/1\.1 (\d+)/.exec(String(answer[0]))?.[1] ?? 0) };
}

const shakeMany = (t: TestContext, count: number, from: string, cookieOf: () => string): Promise<Shaken[]> =>
  Promise.all(Array.from({ length: count }, () => shake(t, cookieOf(), from)));

const ofStatus = (shaken: readonly Shaken[], status: number) => shaken.filter(one => one.status === status);

const room = async (browser: Client): Promise<number> => (await browser.get('/ui/socket')).status;

test('an account has twenty sockets, also where none of them says that it is a page', async t => {
  const browser = await portal.signIn('noaccess@northwind.test');
  assert.equal(await room(browser), 204);
  const shaken = await shakeMany(t, 100, attacker, () => browser.cookie);
  assert.equal(ofStatus(shaken, 101).length, 20);
  assert.equal(ofStatus(shaken, 429).length, 80);
  // It is told to whoever asks, since a browser hides the answer of a handshake.
  assert.equal(await room(browser), 429);
  assert.equal((await browser.get('/ui/socket')).body.Resources.code, 'TOO_MANY_SOCKETS');
  // Those of others are theirs.
  const engineer = await portal.signIn('engineer@northwind.test');
  assert.deepEqual([await room(engineer), (await shake(t, engineer.cookie, attacker)).status], [204, 101]);
  // What says nothing is let go, and what is closed makes room.
  const [first] = ofStatus(shaken, 101);
  first?.socket.destroy();
  await Promise.all(ofStatus(shaken, 101).map(({ socket }) => socket.destroyed || nextEvent(socket, 'close')));
  assert.equal((await shake(t, browser.cookie, attacker)).status, 101);
});

test('handshakes without a session are counted as they arrive, and leave others alone', async t => {
  const invented = () => `__Host-portal=${randomBytes(32).toString('base64url')}`;
  const browser = await portal.signIn('reseller@northwind.test');
  const flood = shakeMany(t, 400, attacker, invented);
  for (let probe = 0; probe < 5; probe++)
    assert.equal((await portal.client({}, other).get('/login', { accept: 'text/html' })).status, 200);
  assert.equal((await shake(t, browser.cookie, other)).status, 101);
  const shaken = await flood;
  assert.equal(ofStatus(shaken, 101).length, 0);
  assert.ok(ofStatus(shaken, 401).length > 0);
  assert.equal(ofStatus(shaken, 401).length + ofStatus(shaken, 429).length, 400);
  // By now each is looked up after the other, and only so many wait for that.
  const more = await shakeMany(t, 400, attacker, invented);
  assert.ok(ofStatus(more, 429).length > 0);
  assert.equal(ofStatus(more, 401).length + ofStatus(more, 429).length, 400);
  // Of the same address too, once they are answered.
  assert.equal((await shake(t, browser.cookie, attacker)).status, 101);
});
