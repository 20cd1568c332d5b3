import assert from 'node:assert/strict';
import { request } from 'node:http';
import { afterEach, test } from 'node:test';
import fc from 'fast-check';
import { withClient, withPortal } from '../fixtures/portal.ts';
import { answerJson, withRecordingProxy } from '../fixtures/recording-proxy.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { inTime } from '../fixtures/wait.ts';

const read = '/ui/data/customers.list?pageSize=1';

const sandbox = withSandbox();
const proxy = withRecordingProxy(sandbox);
const portal = withPortal(proxy);
const reseller = withClient(portal, 'reseller@northwind.test');
const engineer = withClient(portal, 'engineer@northwind.test');
afterEach(() => {
  proxy.intercept(undefined);
  proxy.exchanges.length = 0;
});

const asked = () => proxy.exchanges.filter(({ url }) => url.startsWith('/api/customers'));

/** Asks with exactly these headers, those included that a browser's script may not set. */
function ask(path: string, headers: Record<string, string>): Promise<number> {
  const status = new Promise<number>((resolve, reject) => {
    const asking = request(portal.url + path, { headers }, reply => {
      reply.resume().on('end', () => resolve(reply.statusCode ?? 0));
    });
    asking.on('error', reject).end();
  });
  return inTime(`The answer to ${path}`, status);
}

test('nothing of what a browser sends goes upstream, whatever the header', async () => {
  const status = await ask(read, {
    cookie: `${reseller.cookie}; other=1`,
    authorization: 'Bearer stolen',
    actor_id: 'rival@southridge.test',
    'actor-id': 'rival@southridge.test',
    'x-forwarded-for': '203.0.113.9',
    'x-forwarded-host': 'evil.test',
    x_forwarded_for: '203.0.113.9',
    forwarded: 'for=203.0.113.9',
    connection: 'keep-alive, x-real-ip',
    'x-real-ip': '203.0.113.9',
    'x-http-method-override': 'DELETE',
    te: 'trailers',
    'accept-language': 'xx',
    'user-agent': 'evil',
    referer: 'https://evil.test/',
    'if-none-match': '"a"',
  });
  assert.equal(status, 200);
  const { authorization, host, ...rest } = asked()[0]?.headers ?? {};
  assert.match(authorization ?? '', /^Bearer (?!stolen)/);
  assert.equal(host, new URL(proxy.url).host);
  assert.deepEqual(rest, {
    accept: 'application/json',
    'actor-id': 'reseller@northwind.test',
    'cache-control': 'no-cache',
    connection: 'keep-alive',
    'x-forwarded-for': '127.0.0.1',
  });
});

test('no header of the cloud comes through', async () => {
  proxy.intercept(({ url }, response) =>
    url.startsWith('/api/customers')
      ? answerJson(
          response,
          200,
          { Succeed: true, Result: { Items: [] } },
          {
            'set-cookie': 'cloud=1',
            'access-control-allow-origin': '*',
            'access-control-allow-credentials': 'true',
            'content-security-policy': 'default-src *',
            'cache-control': 'public, max-age=3600',
            'clear-site-data': '"cookies"',
            refresh: '0; url=https://evil.test',
            location: 'https://evil.test',
            'x-powered-by': 'cloud',
          },
        )
      : false,
  );
  const { headers, status } = await reseller.get(read);
  assert.equal(status, 200);
  for (const name of ['set-cookie', 'refresh', 'location', 'clear-site-data', 'x-powered-by'])
    assert.equal(headers.get(name), null, name);
  assert.ok(![...headers.keys()].some(name => name.startsWith('access-control-')));
  assert.equal(headers.get('cache-control'), 'no-store');
  assert.match(headers.get('content-security-policy') ?? '', /^default-src 'none'/);
});

test('a reply that says it may be kept is asked for again, by each caller with the own token', async () => {
  proxy.intercept(({ url, headers }, response) =>
    url.startsWith('/api/customers')
      ? answerJson(
          response,
          200,
          { Succeed: true, Result: { Items: [{ OrganisationId: '1', Name: headers['actor-id'] }] } },
          { 'cache-control': 'public, max-age=3600', etag: '"same"' },
        )
      : false,
  );
  for (const [browser, name] of [
    [reseller, 'reseller@northwind.test'],
    [engineer, 'engineer@northwind.test'],
    [reseller, 'reseller@northwind.test'],
  ] as const)
    assert.equal((await browser.get(read)).body.Result.Items[0].Name, name);
  assert.equal(asked().length, 3);
  assert.equal(new Set(asked().map(({ headers }) => headers.authorization)).size, 2);
});

test('a cloud that says the token back says it to the portal alone, in whatever field and with whatever status', async () => {
  const tokens: string[] = [];
  const statuses = [200, 400, 404, 409, 422, 500];
  for (const status of statuses) {
    proxy.intercept(({ url, headers }, response) => {
      if (!url.startsWith('/api/customers')) return false;
      const token = String(headers.authorization).replace('Bearer ', '');
      tokens.push(token);
      return answerJson(response, status, {
        Succeed: status === 200,
        Error: `${token} is no good`,
        Errors: { Name: [token], [token]: ['x'] },
        Messages: [`Bearer ${token}`],
        Result: { Items: [{ OrganisationId: token, Name: token }] },
      });
    });
    for (const path of [read, '/ui/screen?path=/customers', '/customers', '/customers/customer/10001']) {
      const reply = await reseller.get(path, { accept: 'text/html, */*' });
      assert.ok(!tokens.some(token => reply.text.includes(token)), `${path} after ${status}`);
    }
  }
  assert.ok(tokens.length >= statuses.length);
});

test('a reply that is nothing but nesting is a reply that cannot be read, and harms nobody', async () => {
  const deep = (open: string, close: string) => open.repeat(200_000) + close.repeat(200_000);
  const replies = [
    `{"Succeed":true,"Result":{"Items":${deep('[', ']')}}}`,
    `{"Succeed":true,"Result":${deep('[', ']')}}`,
    `{"Succeed":true,"Result":${'{"Items":'.repeat(100_000)}1${'}'.repeat(100_000)}}`,
    `{"Succeed":true,"Result":{"constructor":1,"Items":${deep('[', ']')}}}`,
    `{"Succeed":false,"Errors":{"Name":${deep('[', ']')}}}`,
    deep('[', ']'),
  ];
  for (const text of replies) {
    proxy.intercept(({ url }, response) => {
      if (!url.startsWith('/api/customers')) return false;
      response.writeHead(200, { 'content-type': 'application/json' }).end(text);
      return true;
    });
    const reply = await reseller.get(read);
    assert.notEqual(reply.body.Resources?.code, 'INTERNAL', text.slice(0, 60));
    assert.ok(reply.text.length < 10_000, text.slice(0, 60));
  }
  proxy.intercept(undefined);
  assert.equal((await reseller.get(read)).status, 200);
});

test('Object.prototype is as it was, whatever arrives from the browser or the cloud', async () => {
  const before = Object.getOwnPropertyNames(Object.prototype).sort();
  const key = fc.constantFrom('__proto__', 'constructor', 'prototype', 'toString', 'NewName', 'customerId', 'a');
  const { hostile } = fc.letrec<{ hostile: string }>(tie => ({
    hostile: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom('1', '"x"', 'null', '{"polluted":true}'),
      fc.array(tie('hostile'), { maxLength: 2 }).map(items => `[${items.join(',')}]`),
      fc
        .array(fc.tuple(key, tie('hostile')), { maxLength: 4 })
        .map(entries => `{${entries.map(([name, value]) => `"${name}":${value}`).join(',')}}`),
    ),
  }));
  const layout = await reseller.hashOf('rename-customer');
  await fc.assert(
    fc.asyncProperty(hostile, key, async (text, name) => {
      proxy.intercept(({ url }, response) => {
        if (!url.startsWith('/api/customers')) return false;
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(`{"Succeed":true,"${name}":${text},"Result":${text}}`);
        return true;
      });
      const post = (path: string, body: string) =>
        fetch(portal.url + path, {
          method: 'POST',
          headers: { 'x-portal': '1', 'content-type': 'application/json', cookie: reseller.cookie },
          body,
        }).then(reply => reply.text());
      const press = (more: string) => `{"node":"rename","layout":"${layout}",${more}}`;
      const replies = [
        await post('/ui/call/customers.rename', press(`"with":{"customerId":"1"},"body":${text}`)),
        await post('/ui/call/customers.rename', press(`"with":${text},"body":{"${name}":${text}}`)),
        await post('/ui/command/delivered.submit', press(`"${name}":${text}`)),
        (await reseller.get(`/ui/data/customers.list?${name}=1&${name}[a]=2`)).text,
        (await reseller.get(read)).text,
      ];
      for (const reply of replies) assert.ok(!reply.includes('"INTERNAL"'), reply);
      assert.equal(({} as { polluted?: unknown }).polluted, undefined);
      assert.deepEqual(Object.getOwnPropertyNames(Object.prototype).sort(), before);
    }),
    { numRuns: 60 },
  );
});

const canary = 'canary-7f3c9d';

/** The value with a secret in every object of it, under a name that no layout reads. */
function planted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(planted);
  if (value === null || typeof value !== 'object') return value;
  const parts = Object.entries(value).map(([name, part]) => [name, planted(part)]);
  return { ...Object.fromEntries(parts), InternalNote: canary, [canary]: canary };
}

test('what no layout reads of a reply never leaves the portal, whatever page or data is asked for', async () => {
  let count = 0;
  proxy.intercept(async ({ method, url, headers, body }, response) => {
    if (!url.startsWith('/api/')) return false;
    const { host: _, connection: __, 'content-length': ___, 'transfer-encoding': ____, ...kept } = headers;
    const options = { method, headers: kept as Record<string, string>, ...(body !== '' && { body }) };
    const reply = await fetch(sandbox.url + url, options);
    count += 1;
    return answerJson(response, reply.status, planted(await reply.json()));
  });
  const clients = { reseller, engineer, admin: await portal.signIn('admin@contoso.test') };
  for (const [name, client] of Object.entries(clients)) {
    const paths = ['/dashboard', '/customers', '/customers/customer/10001', '/end-user', '/account-setting/profile'];
    const tabs = ['services', 'activity', 'security', 'sessions', 'log'];
    const pages = [...paths, ...tabs.flatMap(tab => paths.slice(2).map(path => `${path}?tab=${tab}`))];
    const details = '/customers/user-details?organisation=10001&user=20003';
    const before = count;
    for (const page of [...pages, details]) {
      for (const path of [page, `/ui/screen?path=${encodeURIComponent(page)}`]) {
        const reply = await client.get(path, { accept: 'text/html, */*' });
        assert.ok(!reply.text.includes(canary), `${name} ${path}`);
        const headers = JSON.stringify([...reply.headers]);
        assert.ok(!headers.includes(canary), `${name} ${path}`);
      }
    }
    const others = [
      '/ui/boot',
      read,
      '/ui/data/customers.get?customerId=10001',
      '/ui/data/users.list?customerId=10001',
    ];
    for (const path of [...others, '/openapi.json', '/health'])
      assert.ok(!(await client.get(path)).text.includes(canary), `${name} ${path}`);
    assert.ok(count > before + 5, `${name} met too few planted replies`);
  }
  assert.ok(!portal.log().includes(canary));
});
