import assert from 'node:assert/strict';
import { request } from 'node:http';
import { test } from 'node:test';
import { attacker, other } from '../fixtures/addresses.ts';
import { withClient, withPortal } from '../fixtures/portal.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { inTime } from '../fixtures/wait.ts';

const sandbox = withSandbox();
const portal = withPortal(sandbox, { env: { RATE_LIMIT: '' } });
const reseller = withClient(portal, 'reseller@northwind.test');

type Reply = { readonly status: number; readonly code: string };

/** Sends a body as it is, with its length said before or in pieces. What is refused need not be taken to its end. */
function send(path: string, body: string, chunked: boolean, cookie = ''): Promise<Reply> {
  const { hostname, port } = new URL(portal.url);
  const reply = new Promise<Reply>((resolve, reject) => {
    const asked = request(
      {
        ...{ hostname, port, path, method: 'POST', localAddress: attacker, agent: false },
        headers: {
          'x-portal': '1',
          'content-type': 'application/json',
          ...(cookie !== '' && { cookie }),
          ...(!chunked && { 'content-length': Buffer.byteLength(body) }),
        },
      },
      reply => {
        let text = '';
        reply.setEncoding('utf8').on('data', part => {
          text += part;
        });
        reply.on('end', () => resolve({ status: reply.statusCode ?? 0, code: JSON.parse(text).Resources.code }));
        reply.on('error', reject);
      },
    );
    // Of what is refused before it was sent: its answer comes all the same.
    asked.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') reject(error);
    });
    if (chunked) for (let at = 0; at < body.length; at += 4096) asked.write(body.slice(at, at + 4096));
    asked.end(chunked ? undefined : body);
  });
  return inTime('The answer to a body', reply);
}

const press = (body: string): string => `{"node":"a","layout":"b","body":${body}}`;
const text = (length: number): string => press(`{"x":"${'x'.repeat(length)}"}`);
const nested = (levels: number): string => press(`{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`);

const both = [false, true];

test('who is not signed in may send a few kilobytes, wherever it goes', async () => {
  const paths = [
    '/auth/login',
    '/auth/sign-in',
    '/auth/none',
    '/ui/call/customers.suspend',
    '/ui/command/order-add.step',
  ];
  for (const path of paths)
    for (const chunked of both) {
      assert.deepEqual(await send(path, text(20_000), chunked), { status: 413, code: 'TOO_LARGE' }, path);
      assert.notEqual((await send(path, text(5000), chunked)).status, 413, path);
    }
});

test('who is signed in may send what the form needs: an ordinary one not a megabyte, one for many keys half of it', async () => {
  const limits = [
    ['/ui/call/customers.suspend', 200_000, 413],
    ['/ui/call/customers.suspend', 60_000, 403],
    ['/ui/command/order.bulk-step', 500_000, 403],
    ['/ui/command/order.bulk-step', 1_100_000, 413],
    ['/auth/login', 20_000, 413],
    // Not theirs to call: nothing large is taken for it.
    ['/ui/call/agreements.none', 200_000, 413],
  ] as const;
  for (const [path, length, status] of limits)
    for (const chunked of both) {
      const reply = await send(path, text(length), chunked, reseller.cookie);
      assert.equal(reply.status === 409 || reply.status === 400 ? 403 : reply.status, status, `${path} ${length}`);
    }
});

test('a body of more than 64 levels is refused before it is parsed, whoever sends it', async t => {
  const parsed: number[] = [];
  const { parse } = JSON;
  t.mock.method(JSON, 'parse', (source: string, ...rest: []) => {
    if (typeof source === 'string' && source.includes('[[[[')) parsed.push(source.length);
    return parse(source, ...rest);
  });
  for (const cookie of ['', reseller.cookie])
    for (const path of ['/auth/login', '/ui/command/order.bulk-step', '/nowhere'])
      for (const levels of [65, 1000, 3000])
        for (const chunked of both) {
          const { status } = await send(path, nested(levels), chunked, cookie);
          assert.equal(status, 413, `${path} ${levels} ${cookie !== ''}`);
        }
  assert.deepEqual(parsed, []);
  // The press itself is two levels.
  assert.notEqual((await send('/auth/login', nested(62), false)).status, 413);
  assert.equal(parsed.length, 1);
});

test('83: a body of more than a thousand values is refused before it is parsed, whoever sends it', async t => {
  const parsed: number[] = [];
  const { parse } = JSON;
  t.mock.method(JSON, 'parse', (source: string, ...rest: []) => {
    if (typeof source === 'string' && source.includes('"many"')) parsed.push(source.length);
    return parse(source, ...rest);
  });
  const names = (count: number) =>
    `{"many":1,${Array.from({ length: count }, (_, index) => `"${index.toString(36)}":0`).join(',')}}`;
  const bodies = [
    names(2000),
    `{"many":[${'0,'.repeat(2000)}0]}`,
    `{"many":[${'[],'.repeat(800)}{}]}`,
    `{"many":["${'","'.repeat(2000)}"]}`,
  ];
  const paths = [
    '/auth/login',
    '/ui/command/order.bulk-step',
    '/ui/command/delivered.submit',
    '/ui/command/order-add.step',
  ];
  for (const cookie of ['', reseller.cookie])
    for (const path of paths)
      for (const body of bodies)
        for (const chunked of both) {
          // Whoever is not signed in is refused for its length sooner.
          const given = cookie === '' ? body.slice(0, 8000) : body;
          const { status } = await send(path, press(given), chunked, cookie);
          assert.equal(status, 413, `${path} ${body.slice(0, 40)} ${cookie !== ''}`);
        }
  assert.deepEqual(parsed, []);
  // As many as a call may have: 500 fields.
  assert.notEqual((await send('/ui/command/order.bulk-step', press(names(499)), false, reseller.cookie)).status, 413);
  assert.equal(parsed.length, 1);
});

test('brackets and commas in a text are text, however it is written', async () => {
  const texts = [
    '['.repeat(500),
    `\\"${'['.repeat(500)}`,
    `\\\\\\"${'{['.repeat(300)}`,
    '\\u005b['.repeat(100),
    ','.repeat(4000),
  ];
  for (const one of texts)
    assert.equal((await send('/auth/none', press(`{"x":"${one}"}`), false)).code, 'SESSION_ENDED', one.slice(0, 20));
});

test('others are answered while twenty hostile bodies a second are sent', async () => {
  const visitor = portal.client({}, other);
  const deep = press(`{"a":${'['.repeat(520_000)}${']'.repeat(520_000 - 100)}}`).slice(0, 1024 * 1024);
  const hostile = Array.from({ length: 20 }, (_, index) => send('/auth/login', deep, index % 2 === 0));
  for (let probe = 0; probe < 20; probe++) assert.equal((await visitor.get('/health')).status, 200);
  for (const { status } of await Promise.all(hostile)) assert.equal(status, 413);
});
