import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { securityHeaders } from '../../server/routes/bounds/security-headers.ts';
import { withClient, withPortal } from '../fixtures/portal.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { inTime } from '../fixtures/wait.ts';

const sandbox = withSandbox();
const portal = withPortal(sandbox);
const reseller = withClient(portal, 'reseller@northwind.test');

test('every response, errors included, carries the security headers', async () => {
  const replies = [
    await reseller.get('/customers', { accept: 'text/html' }),
    await reseller.get('/nothing', { accept: 'text/html' }),
    await reseller.get('/ui/data/nothing'),
    await reseller.get('/health'),
    await reseller.get('/ui/layouts/none'),
    await reseller.post('/ui/call/none', { node: 'a', layout: 'b' }),
    await reseller.post('/ui/call/none', {}),
    await reseller.post('/nowhere'),
    await portal.client().get('/assets/none.js'),
  ];
  const data = [await reseller.get('/ui/boot'), await reseller.get('/ui/data/customers.list')];
  assert.deepEqual(
    [...replies, ...data].map(({ status }) => status),
    [200, 302, 403, 200, 404, 403, 400, 404, 404, 200, 200],
  );
  for (const { headers } of [...replies, ...data]) {
    const policy = headers.get('content-security-policy') ?? '';
    for (const part of [
      "default-src 'none'",
      "object-src 'none'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
    ])
      assert.ok(policy.includes(part));
    assert.ok(!/unsafe|\*/.test(policy));
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.equal(headers.get('cross-origin-resource-policy'), 'same-origin');
    assert.equal(headers.get('x-powered-by'), null);
  }
  for (const { headers } of replies) {
    assert.equal(headers.get('referrer-policy'), 'same-origin');
    assert.equal(headers.get('cross-origin-opener-policy'), 'same-origin');
  }
});

/** What a server answers to bytes that are hardly a request, up to the end of the connection. */
function answerTo(bytes: string): Promise<string> {
  const { hostname, port } = new URL(portal.url);
  const whole = new Promise<string>((resolve, reject) => {
    let answer = '';
    // Not ended: to a socket that is, an answer that takes a moment never comes.
    const socket = connect(Number(port), hostname, () => void socket.write(bytes));
    socket.setEncoding('utf8').on('data', part => {
      answer += part;
    });
    socket.on('close', () => resolve(answer)).on('error', reject);
  });
  return inTime('The end of the connection', whole);
}

test('what never becomes a request is answered with the same headers and envelope, its reference in the log', async () => {
  const rest = 'connection: close\r\n\r\n';
  const answers = {
    'a header that is none': [400, `GET / HTTP/1.1\r\nnone\r\n${rest}`],
    'a method that is none': [400, `FOO / HTTP/1.1\r\nhost: a\r\n${rest}`],
    'an address that is none': [400, `GET /% HTTP/1.1\r\nhost: a\r\n${rest}`],
    'two lengths': [
      400,
      `POST /ui/call/a HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n${rest}`,
    ],
    'headers without end': [431, `GET / HTTP/1.1\r\nhost: a\r\nlong: ${'x'.repeat(20_000)}\r\n${rest}`],
    'no host': [400, `GET /ui/boot HTTP/1.1\r\n${rest}`],
    'two hosts': [400, `GET /ui/boot HTTP/1.1\r\nhost: a\r\nHost: a\r\n${rest}`],
    'a coding that nobody knows': [
      400,
      `POST /ui/call/a HTTP/1.1\r\nhost: a\r\nx-portal: 1\r\ntransfer-encoding: xchunked\r\n${rest}0\r\n\r\n`,
    ],
    'two codings': [
      400,
      `POST /ui/call/a HTTP/1.1\r\nhost: a\r\nx-portal: 1\r\ntransfer-encoding: xchunked, chunked\r\n${rest}0\r\n\r\n`,
    ],
    'an expectation that nobody knows': [417, `GET / HTTP/1.1\r\nhost: a\r\nexpect: a wonder\r\n${rest}`],
    'an unsafe method': [403, `TRACE / HTTP/1.1\r\nhost: a\r\n${rest}`],
  } as const;
  for (const [name, [status, bytes]] of Object.entries(answers)) {
    const answer = await answerTo(bytes);
    const [head = '', body = ''] = answer.split('\r\n\r\n');
    assert.match(head, new RegExp(`^HTTP/1.1 ${status} `), name);
    for (const [header, value] of Object.entries(securityHeaders(false).always))
      assert.ok(head.includes(`${header}: ${value}`), `${name}: ${header}`);
    if (status === 417) continue;
    const { Succeed, Resources } = JSON.parse(body);
    assert.equal(Succeed, false, name);
    assert.ok(portal.log().includes(`"reference":"${Resources.reference}"`), name);
  }
});

test('only exactly JSON is read as a body', async () => {
  const tricks = [
    'text/plain',
    'application/json; charset=utf-7',
    'application/json, text/plain',
    'application/json;',
    'application/jsonp',
    'multipart/form-data',
    'application/x-www-form-urlencoded',
    'text/plain; application/json',
  ];
  for (const type of tricks) {
    const reply = await reseller.post(
      '/ui/call/customers.suspend',
      { node: 'a', layout: 'b' },
      { 'content-type': type },
    );
    assert.deepEqual([reply.status, reply.body.Resources.code], [415, 'MEDIA_TYPE'], type);
  }
});

test('malformed, poisoned and oversized bodies are refused', async () => {
  const send = (body: string) =>
    fetch(`${portal.url}/ui/call/customers.suspend`, {
      method: 'POST',
      headers: { 'x-portal': '1', 'content-type': 'application/json', cookie: reseller.cookie },
      body,
    });
  assert.equal((await send('{"node":')).status, 400);
  assert.equal((await send('')).status, 400);
  assert.equal((await send('{"node":"a","layout":"b","__proto__":{"x":1}}')).status, 400);
  assert.equal((await send('{"node":"a","layout":"b","more":1}')).status, 400);
  assert.equal((await send(`{"node":"a","layout":"b","body":{"x":"${'x'.repeat(1024 * 1024)}"}}`)).status, 413);
});

test('errors are generic, and their reference number is in the log with the rest', async () => {
  const reply = await reseller.get('/ui/data/nothing.secret');
  const { reference } = reply.body.Resources;
  assert.equal(reply.body.Error, 'You do not have permission to do this.');
  assert.ok(!reply.text.includes('nothing.secret'));
  const line =
    portal
      .log()
      .split('\n')
      .find(one => one.includes(reference)) ?? '';
  assert.ok(line.includes('nothing.secret'));
});

test('denials leave an audit record that no name can forge lines in', async () => {
  await reseller.get(`/ui/data/${encodeURIComponent('x\r\nforged line')}`);
  const rows = await portal.store.run(db =>
    db.selectFrom('audit').selectAll().where('action', '=', 'request.denied').execute(),
  );
  const found = rows.find(row => JSON.stringify(row.detail).includes('forged line'));
  assert.equal(found?.account, 'reseller@northwind.test');
  assert.ok(!/\\[rn]/.test(JSON.stringify(found?.detail)));
});

test('health and readiness are for everyone, and tell nothing but that', async () => {
  for (const path of ['/health', '/ready']) assert.deepEqual((await portal.client().get(path)).body, { status: 'ok' });
});

test('the portal describes its own calls to who is signed in, and to nobody else', async () => {
  const { body } = await reseller.get('/openapi.json');
  assert.ok(body.paths['/ui/data/{operation}'] && body.paths['/ui/call/{operation}'] && body.paths['/auth/sign-out']);
  assert.equal((await portal.client().get('/openapi.json')).status, 404);
});

test('a request that goes well leaves no line in the log', async () => {
  const from = portal.log().length;
  assert.equal((await reseller.get('/ui/boot')).status, 200);
  assert.equal((await reseller.get('/ui/data/customers.list?page=1')).status, 200);
  assert.equal(portal.log().slice(from), '');
});

test('an answer that is made once has the same head whole, by HEAD and when the browser has it', async () => {
  const ask = (method: string, more: Record<string, string> = {}) =>
    fetch(`${portal.url}/ui/boot`, { method, headers: { cookie: reseller.cookie, ...more } });
  const whole = await ask('GET');
  const tag = whole.headers.get('etag') ?? '';
  const head = await ask('HEAD');
  const none = await ask('GET', { 'if-none-match': tag });
  assert.deepEqual([whole.status, head.status, none.status], [200, 200, 304]);
  assert.equal(head.headers.get('content-length'), String((await whole.arrayBuffer()).byteLength));
  for (const name of ['content-security-policy', 'x-content-type-options', 'cache-control', 'vary', 'etag'])
    assert.deepEqual([head.headers.get(name), none.headers.get(name)], Array(2).fill(whole.headers.get(name)), name);
  assert.equal(whole.headers.get('cache-control'), 'private, no-cache');
});
