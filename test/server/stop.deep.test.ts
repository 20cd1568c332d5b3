import assert from 'node:assert/strict';
import { Agent, get, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { io } from 'socket.io-client';
import { startBuiltPortal } from '../fixtures/built-portal.ts';
import { eventually } from '../fixtures/eventually.ts';
import { createClient, signInAs } from '../fixtures/portal.ts';
import { withRecordingProxy } from '../fixtures/recording-proxy.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { openOnce, type StartedProgram, startProgram } from '../fixtures/started-portal.ts';
import { inTime, nextEvent, untilConnected } from '../fixtures/wait.ts';

const slow = '/ui/data/customers.list?pageSize=1';

const sandbox = withSandbox();
const proxy = withRecordingProxy(sandbox);

const startFor = (t: TestContext, environment: Record<string, string> = {}): Promise<StartedProgram> =>
  startProgram(t, { CLOUD_API_URL: proxy.url, STOP_DELAY_MS: '0', ...environment }, openOnce);

async function signInAt({ url }: { readonly url: string }): Promise<string> {
  const browser = createClient(url);
  const { text, body } = await signInAs(browser, 'reseller@northwind.test', 'Demo-portal-2026');
  assert.equal(body.Resources?.code, 'SESSION_CHANGED', text);
  return browser.cookie;
}

type Answer = { readonly status: number; readonly connection: string | undefined };

function ask(url: string, agent?: Agent, cookie = ''): Promise<Answer> {
  const answer = new Promise<Answer>((resolve, reject) => {
    get(url, { agent, headers: { cookie } }, (reply: IncomingMessage) => {
      reply.resume();
      reply.on('end', () => resolve({ status: reply.statusCode ?? 0, connection: reply.headers.connection }));
      reply.on('error', reject);
    }).on('error', reject);
  });
  return inTime(`The answer to ${url}`, answer);
}

/** Holds the cloud's answer to a list back; gives when it is asked for, and what lets it go. */
function holdList(t: TestContext): { readonly asked: Promise<void>; readonly release: () => void } {
  let release = (): void => undefined;
  const released = new Promise<void>(resolve => {
    release = resolve;
  });
  const asked = new Promise<void>(resolve =>
    proxy.intercept(async ({ url }) => {
      if (!url.startsWith('/api/customers')) return false;
      resolve();
      await released;
      return false;
    }),
  );
  t.after(() => {
    release();
    proxy.intercept(undefined);
  });
  return { asked: inTime('The request of the list', asked), release };
}

async function isNotReady(url: string): Promise<void> {
  await eventually(async () => (await ask(`${url}/ready`)).status === 503);
}

test('a portal that is told to stop says so first, and serves everybody for a while', async t => {
  const portal = await startFor(t, { STOP_DELAY_MS: '3000' });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  t.after(() => agent.destroy());
  assert.deepEqual(await ask(`${portal.url}/login`, agent), { status: 200, connection: 'keep-alive' });
  const stopped = portal.stop('SIGTERM');
  await isNotReady(portal.url);
  assert.deepEqual(await ask(`${portal.url}/login`, agent), { status: 200, connection: 'close' });
  assert.deepEqual(await ask(`${portal.url}/health`), { status: 200, connection: 'close' });
  await stopped;
  await refused(portal.url);
});

test('what is asked before a process stops is answered, and nothing that is kept open holds it up', async t => {
  const portal = await startBuiltPortal({ CLOUD_API_URL: proxy.url });
  t.after(portal.stop);
  const cookie = await signInAt(portal);
  const agent = new Agent({ keepAlive: true });
  t.after(() => agent.destroy());
  // Kept by a client, and opened by one without asking for anything.
  await ask(`${portal.url}/login`, agent);
  const silent = connect(Number(new URL(portal.url).port), '127.0.0.1');
  await nextEvent(silent, 'connect');
  const list = holdList(t);
  const answer = ask(portal.url + slow, agent, cookie);
  await list.asked;
  portal.process.kill('SIGTERM');
  await refused(portal.url);
  list.release();
  assert.deepEqual(await answer, { status: 200, connection: 'close' });
  assert.deepEqual(await nextEvent(portal.process, 'exit'), [0, null]);
});

test('a request that hangs is cut when a portal stops, and everything else is closed all the same', async t => {
  const portal = await startFor(t);
  const cookie = await signInAt(portal);
  const list = holdList(t);
  const cut = assert.rejects(ask(portal.url + slow, undefined, cookie), { code: 'ECONNRESET' });
  await list.asked;
  const stopped = portal.stop('SIGTERM');
  await cut;
  await stopped;
  await refused(portal.url);
});

test('open sockets are told that their process stops, so that not all come back at once', async t => {
  const portal = await startFor(t);
  const cookie = await signInAt(portal);
  const socket = io(portal.url, {
    path: '/ui/socket',
    transports: ['websocket'],
    reconnection: false,
    extraHeaders: { cookie, origin: portal.url },
  });
  t.after(() => void socket.disconnect());
  await untilConnected(socket);
  const told = nextEvent(socket, 'restarting') as Promise<[number]>;
  const gone = nextEvent(socket, 'disconnect');
  const stopped = portal.stop('SIGTERM');
  const [wait] = await told;
  assert.ok(wait >= 1000, String(wait));
  await gone;
  await stopped;
});

test('a portal at a terminal stops at once', async t => {
  const portal = await startFor(t, { STOP_DELAY_MS: '600000' });
  await inTime('The end of the portal', portal.stop('SIGINT'));
});

async function refused(url: string): Promise<void> {
  const isOpen = (): Promise<boolean> =>
    new Promise(resolve => {
      const socket: Socket = connect(Number(new URL(url).port), '127.0.0.1', () => {
        socket.destroy();
        resolve(true);
      });
      socket.on('error', () => resolve(false));
    });
  await eventually(async () => !(await isOpen()));
}
