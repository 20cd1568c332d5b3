import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import fc from 'fast-check';
import type { Credentials } from '../../server/cloud/call.ts';
import { largestReply } from '../../server/cloud/exchange.ts';
import { type Cloud, createCloud } from '../../server/cloud/gate.ts';
import { PortalError } from '../../server/errors.ts';
import type { Operation } from '../../shared/language/types.ts';
import { asSubject } from '../fixtures/as-subject.ts';
import { eventually } from '../fixtures/eventually.ts';
import { answerJson, type RecordingProxy, startRecordingProxy } from '../fixtures/recording-proxy.ts';
import { assertEvery } from '../fixtures/rows.ts';

let proxy: RecordingProxy;
let cloud: Cloud;

before(async () => {
  proxy = await startRecordingProxy();
  cloud = createCloud({ cloud: new URL(proxy.url), auth: new URL(proxy.url) });
});
after(async () => {
  await cloud?.close();
  await proxy?.close();
});
beforeEach(() => {
  proxy.exchanges.length = 0;
  proxy.intercept((_, response) => answerJson(response, 200, { Succeed: true, Result: 1 }));
});

const operation = (rest: Partial<Operation> = {}): Operation => ({
  service: 'cloud',
  method: 'GET',
  path: '/api/thing',
  ...rest,
});
const credentialsFor = (actor: string): Credentials => ({
  actor,
  token: () => 'token-1',
  renew: async () => 'token-2',
  end: async () => undefined,
});

/** Answers with exactly these bytes. */
function raw(
  text: string,
  headers: Record<string, string> = { 'content-type': 'application/json' },
): Parameters<RecordingProxy['intercept']>[0] {
  return (_, response) => {
    response.writeHead(200, headers);
    response.end(text);
    return true;
  };
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'done',
    error => (error instanceof PortalError ? error.code : String(error)),
  );
}

test('only headers of the list go upstream', async () => {
  const write = operation({ method: 'POST', once: true });
  await cloud.call({
    operation: write,
    parameters: {},
    body: { a: 1 },
    credentials: credentialsFor('ann@acme.test'),
    press: 'press-1234',
  });
  const { headers = {} } = proxy.exchanges[0] ?? {};
  assert.deepEqual(headers, {
    host: new URL(proxy.url).host,
    connection: 'keep-alive',
    'content-length': '7',
    accept: 'application/json',
    'cache-control': 'no-cache',
    'content-type': 'application/json',
    authorization: 'Bearer token-1',
    'actor-id': 'ann@acme.test',
    'idempotency-key': 'press-1234',
  });
});

test('a token that is said back is taken out of the reply, whatever its letters', async () => {
  const tokens = fc.oneof(fc.stringMatching(/^[A-Za-z0-9._~+/-]{12,60}$/), fc.stringMatching(/^[a-e]{12,30}$/));
  await fc.assert(
    fc.asyncProperty(tokens, fc.string(), fc.string(), async (token, before, after) => {
      proxy.intercept((_, response) => answerJson(response, 200, { Succeed: true, Result: [before + token + after] }));
      const credentials = { ...credentialsFor('ann@acme.test'), token: () => token };
      const { envelope } = await cloud.call({ operation: operation(), parameters: {}, credentials });
      assert.deepEqual(envelope, { Succeed: true, Result: [(before + token + after).replaceAll(token, '')] });
    }),
    { numRuns: 60 },
  );
});

test('an actor of any alphabet is one harmless header', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }), async actor => {
      proxy.exchanges.length = 0;
      await cloud.call({ operation: operation(), parameters: {}, credentials: credentialsFor(actor) });
      assert.equal(proxy.exchanges.length, 1);
      const { headers } = proxy.exchanges[0]!;
      assert.match(String(headers['actor-id'] ?? ''), /^[\x21-\x7e]*$/);
      assert.equal(
        Object.keys(headers).filter(
          name => !['host', 'connection', 'accept', 'cache-control', 'authorization', 'actor-id'].includes(name),
        ).length,
        0,
      );
    }),
    { numRuns: 200 },
  );
});

test('no redirect is followed', async () => {
  proxy.intercept((_, response) => {
    response.writeHead(302, { location: `${proxy.url}/elsewhere` });
    response.end();
    return true;
  });
  assert.equal(await codeOf(cloud.call({ operation: operation(), parameters: {} })), 'UPSTREAM_FAILED');
  assert.equal(proxy.exchanges.length, 1);
});

test('HTML and anything else that is not JSON is no reply', async () => {
  for (const type of ['text/html', 'application/xhtml+xml', 'text/html; application/json', 'application/jsonx', '']) {
    proxy.intercept((_, response) => {
      response.writeHead(200, type === '' ? {} : { 'content-type': type });
      response.end('{"Succeed":true}');
      return true;
    });
    assert.equal(await codeOf(cloud.call({ operation: operation(), parameters: {} })), 'UPSTREAM_GARBLED', type);
  }
});

test('garbled, cut, huge and slow replies end in a clear error each', async () => {
  const answers: Record<string, [string, Parameters<RecordingProxy['intercept']>[0]]> = {
    garbled: ['UPSTREAM_GARBLED', raw('{"Succeed":tr')],
    list: ['UPSTREAM_GARBLED', (_, response) => answerJson(response, 200, [])],
    'no envelope': ['UPSTREAM_GARBLED', (_, response) => answerJson(response, 200, { hello: 1 })],
    cut: [
      'UPSTREAM_GARBLED',
      (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
        response.write('{"Succeed":');
        setImmediate(() => response.destroy());
        return true;
      },
    ],
    'said to be huge': [
      'UPSTREAM_TOO_LARGE',
      raw('{', { 'content-type': 'application/json', 'content-length': String(largestReply + 1) }),
    ],
    huge: [
      'UPSTREAM_TOO_LARGE',
      (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(`{"Succeed":true,"Result":"${'x'.repeat(largestReply)}"}`);
        return true;
      },
    ],
    silent: ['UPSTREAM_TIMEOUT', () => true],
    dripping: [
      'UPSTREAM_TIMEOUT',
      (_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        const timer = setInterval(() => response.write(' '), 20);
        response.on('close', () => clearInterval(timer));
        return true;
      },
    ],
    failing: ['UPSTREAM_FAILED', (_, response) => answerJson(response, 500, { Succeed: false, Error: 'stack trace' })],
    busy: ['UPSTREAM_FAILED', (_, response) => answerJson(response, 429, { Succeed: false })],
  };
  for (const [name, [code, answer]] of Object.entries(answers)) {
    proxy.intercept(answer);
    // What comes may come late on a busy machine.
    const timeout = code === 'UPSTREAM_TIMEOUT' ? 400 : 10_000;
    assert.equal(await codeOf(cloud.call({ operation: operation({ timeout }), parameters: {} })), code, name);
  }
});

test('of what changes something the outcome is unknown when no answer comes in time', async () => {
  const write = operation({ method: 'POST', audit: 'thing.made', timeout: asSubject(400) });
  proxy.intercept(() => true);
  assert.equal(await codeOf(cloud.call({ operation: write, parameters: {} })), 'OUTCOME_UNKNOWN');
  assert.equal(await codeOf(cloud.call({ operation: { ...write, audit: false }, parameters: {} })), 'UPSTREAM_TIMEOUT');
});

test('a change that found no free connection in time was not sent, so it is known that nothing was done', async t => {
  const service = await startRecordingProxy();
  const own = createCloud({ cloud: new URL(service.url), auth: new URL(proxy.url) });
  service.intercept(() => true);
  const reads = Array.from({ length: 300 }, () =>
    codeOf(own.call({ operation: operation({ timeout: 60_000 }), parameters: {} })),
  );
  t.after(async () => {
    await own.close();
    await Promise.all([...reads, service.close()]);
  });
  await eventually(() => service.exchanges.length >= 256, 'all connections are taken');
  const write = operation({ method: 'POST', audit: 'thing.made', timeout: asSubject(400) });
  assert.equal(await codeOf(own.call({ operation: write, parameters: {} })), 'UPSTREAM_TIMEOUT');
  assertEvery(service.exchanges, ({ method }) => method === 'GET');
});

test('an address that nobody answers at is a clear error', async () => {
  const away = createCloud({ cloud: new URL('http://127.0.0.1:1'), auth: new URL('http://127.0.0.1:1') });
  assert.equal(await codeOf(away.call({ operation: operation(), parameters: {} })), 'UPSTREAM_UNREACHABLE');
  // Nothing was sent, so it is known that nothing was done.
  const write = operation({ method: 'POST', audit: 'thing.made' });
  assert.equal(await codeOf(away.call({ operation: write, parameters: {} })), 'UPSTREAM_UNREACHABLE');
  await away.close();
});

test('nobody waits for a slow reply of another', async () => {
  proxy.intercept(({ url }, response) => url.startsWith('/api/slow') || answerJson(response, 200, { Succeed: true }));
  const slow = Array.from({ length: 50 }, () =>
    codeOf(cloud.call({ operation: operation({ path: '/api/slow', timeout: asSubject(3000) }), parameters: {} })),
  );
  const first = await Promise.race([
    ...slow,
    cloud.call({ operation: operation(), parameters: {} }).then(() => 'quick'),
  ]);
  assert.equal(first, 'quick');
  assert.deepEqual(new Set(await Promise.all(slow)), new Set(['UPSTREAM_TIMEOUT']));
});

test('a service that answers nobody leaves the others their connections', async () => {
  const [silent, auth] = await Promise.all([startRecordingProxy(), startRecordingProxy()]);
  silent.intercept(() => true);
  auth.intercept((_, response) => answerJson(response, 200, { Succeed: true }));
  const both = createCloud({ cloud: new URL(silent.url), auth: new URL(auth.url) });
  const waiting = Array.from({ length: 300 }, () => codeOf(both.call({ operation: operation(), parameters: {} })));
  const quick = both.call({ operation: operation({ service: 'auth' }), parameters: {} }).then(() => 'quick');
  assert.equal(await Promise.race([...waiting, quick]), 'quick');
  await both.close();
  await Promise.all([...waiting, silent.close(), auth.close()]);
});

test('a service that has not answered ten calls in a row is not asked again for a while, then by one call', async t => {
  const service = await startRecordingProxy();
  const own = createCloud({ cloud: new URL(service.url), auth: new URL(proxy.url) });
  t.after(async () => {
    await own.close();
    await service.close();
  });
  const ask = (timeout = 100): Promise<string> =>
    codeOf(own.call({ operation: operation({ timeout }), parameters: {} }));
  service.intercept(() => true);
  for (let call = 1; call <= 10; call++) assert.equal(await ask(), 'UPSTREAM_TIMEOUT');
  assert.equal(await ask(), 'UPSTREAM_PAUSED');
  assert.equal(service.exchanges.length, 10);
  // Another service is another matter.
  assert.equal(await codeOf(own.call({ operation: operation({ service: 'auth' }), parameters: {} })), 'done');
  let answer = (): void => undefined;
  const released = new Promise<void>(resolve => {
    answer = resolve;
  });
  service.intercept(async (_, response) => {
    await released;
    return answerJson(response, 200, { Succeed: true });
  });
  let probe: Promise<string> | undefined;
  await eventually(() => {
    probe = ask(60_000);
    return service.exchanges.length > 10 || settlesSoon(probe);
  });
  assert.equal(await ask(), 'UPSTREAM_PAUSED', 'one call finds out');
  answer();
  assert.equal(await probe, 'done');
  assert.deepEqual(await Promise.all([ask(60_000), ask(60_000)]), ['done', 'done']);
});

/** False for what was refused at once. */
async function settlesSoon(call: Promise<string>): Promise<boolean> {
  return (await Promise.race([call, new Promise(resolve => setTimeout(resolve, 50, 'asked'))])) === 'asked';
}

test('answers between them show that calls which are never answered are slow by themselves', async t => {
  const own = createCloud({ cloud: new URL(proxy.url), auth: new URL(proxy.url) });
  t.after(() => own.close());
  proxy.intercept(({ url }, response) => url.startsWith('/api/slow') || answerJson(response, 200, { Succeed: true }));
  for (let call = 1; call <= 15; call++) {
    const slow = own.call({ operation: operation({ path: '/api/slow', timeout: asSubject(50) }), parameters: {} });
    assert.equal(await codeOf(slow), 'UPSTREAM_TIMEOUT');
    assert.equal(await codeOf(own.call({ operation: operation(), parameters: {} })), 'done');
  }
});

test('a read on a connection that was just closed is made once more, a write never', async () => {
  for (const [method, expected] of [
    ['GET', 2],
    ['POST', 1],
  ] as const) {
    proxy.exchanges.length = 0;
    proxy.intercept((_, response) => {
      if (proxy.exchanges.length > 1) return answerJson(response, 200, { Succeed: true });
      response.socket?.destroy();
      return true;
    });
    await codeOf(cloud.call({ operation: operation({ method }), parameters: {} }));
    assert.equal(proxy.exchanges.length, expected, method);
  }
});

test('a refusal tells Error, Errors and Messages of the cloud and nothing else', async () => {
  proxy.intercept((_, response) =>
    answerJson(
      response,
      400,
      {
        Succeed: false,
        Error: 'Invalid',
        Errors: { Name: ['Too long'], Age: 'Too young', Odd: 7 },
        Messages: ['Sorry', 3],
        Resources: { code: 'SESSION_CHANGED' },
        Result: 'secret',
        effects: [{ do: 'sign-out' }],
      },
      { 'set-cookie': 'a=b', 'access-control-allow-origin': '*' },
    ),
  );
  assert.deepEqual(await cloud.call({ operation: operation(), parameters: {} }), {
    status: 422,
    envelope: {
      Succeed: false,
      Error: 'Invalid',
      Errors: { Name: ['Too long'], Age: ['Too young'] },
      Messages: ['Sorry'],
    },
  });
});

test('"not found" and conflicts keep their status', async () => {
  for (const status of [404, 409]) {
    proxy.intercept((_, response) => answerJson(response, status, { Succeed: false, Messages: ['No'] }));
    assert.equal((await cloud.call({ operation: operation(), parameters: {} })).status, status);
  }
});

test('keys that reach a prototype are left out of a reply, however they are spelt', async () => {
  const spellings = ['__proto__', '\\u005f_proto__', '__pr\\u006fto__', 'constructor'];
  for (const key of spellings) {
    proxy.intercept(raw(`{"Succeed":true,"Result":{"${key}":{"polluted":true},"a":1}}`));
    const { envelope } = await cloud.call({ operation: operation(), parameters: {} });
    assert.deepEqual(Object.getOwnPropertyNames(envelope.Result), ['a'], key);
  }
  assert.equal(({} as { polluted?: boolean }).polluted, undefined);
});
