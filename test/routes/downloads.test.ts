import assert from 'node:assert/strict';
import { request } from 'node:http';
import { afterEach, test } from 'node:test';
import { eventually } from '../fixtures/eventually.ts';
import { type Answer, withClient, withPortal } from '../fixtures/portal.ts';
import { answerJson, type Exchange, type Intercept, withRecordingProxy } from '../fixtures/recording-proxy.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { inTime } from '../fixtures/wait.ts';

const metricsToken = 'a-token-for-figures';

const sandbox = withSandbox();
const proxy = withRecordingProxy(sandbox);
const portal = withPortal(proxy, {
  env: { TRUSTED_PROXIES: '127.0.0.1', ACCESS_LOG: '1', METRICS_TOKEN: metricsToken },
});
const reseller = withClient(portal, 'reseller@northwind.test');
afterEach(() => proxy.intercept(undefined));

const paper = '/ui/downloads/agreements.download?agreementId=2';
const paperInCloud = '/api/agreements/2/download';
const pdf = { 'content-type': 'application/pdf' };
const content = Buffer.from([0x25, 0x50, 0x44, 0x46, 0x00, 0xff, 0xfe, 0x80, 0x0d, 0x0a]);

/** Answers what is asked of the agreement's file; lets all else through. */
const forPaper =
  (answer: Intercept): Intercept =>
  (exchange, response) =>
    exchange.url === paperInCloud ? answer(exchange, response) : false;

const bytes = (headers: Record<string, string>, body: Buffer | string, status = 200): Intercept =>
  forPaper((_, response) => {
    response.writeHead(status, headers).end(body);
    return true;
  });

const papersAsked = (): Exchange[] => proxy.exchanges.filter(({ url }) => url === paperInCloud);

type RawAnswer = { readonly status: number; readonly headers: readonly string[]; readonly bytes: Buffer };

/** Asks for the agreement's file by a link of its own. */
const askForPaper = async (method = 'GET', headers: Record<string, string> = {}): Promise<RawAnswer> =>
  await ask(await reseller.linkTo(paper), method, headers);

/** Asks with an address that is sent as it stands, by the session of the reseller. */
function ask(path: string, method = 'GET', headers: Record<string, string> = {}): Promise<RawAnswer> {
  const { hostname, port } = new URL(portal.url);
  const answer = new Promise<RawAnswer>((resolve, reject) => {
    const asked = request({ hostname, port, path, method, headers: { cookie: reseller.cookie, ...headers } }, reply => {
      const chunks: Buffer[] = [];
      reply.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject);
      reply.on('end', () =>
        resolve({ status: reply.statusCode ?? 0, headers: reply.rawHeaders, bytes: Buffer.concat(chunks) }),
      );
    });
    asked.on('error', reject).end();
  });
  return inTime(`The answer to ${method} ${path}`, answer);
}

const headerNames = ({ headers }: RawAnswer): string[] =>
  headers.filter((_, index) => index % 2 === 0).map(name => name.toLowerCase());

test('a file comes byte for byte with the headers of the portal, and with none of the cloud but its length', async () => {
  const fromCloud = {
    'content-type': 'Application/PDF; charset=binary',
    'content-length': String(content.length),
    'content-disposition': `inline; filename="../terms.exe"; filename*=UTF-8''..%2Fterms%20%C3%A9.pdf`,
    'cache-control': 'public, max-age=9999',
    'set-cookie': 'portal=stolen; Path=/',
    'x-content-type-options': 'none',
    'content-security-policy': 'default-src *',
    'access-control-allow-origin': '*',
    ...{ server: 'cloud/1.0', 'x-powered-by': 'cloud', location: '/elsewhere', link: '</a>; rel=preload' },
    ...{ etag: '"1"', 'x-token': 'token', refresh: '0; url=/' },
  };
  proxy.intercept(bytes(fromCloud, content));
  const answer = await askForPaper();
  assert.deepEqual([answer.status, answer.bytes], [200, content]);
  assert.deepEqual(
    headerNames(answer).sort(),
    [
      'connection',
      'content-disposition',
      'content-length',
      'content-security-policy',
      'content-type',
      'cache-control',
      'cross-origin-opener-policy',
      'cross-origin-resource-policy',
      'date',
      'permissions-policy',
      'referrer-policy',
      'x-content-type-options',
    ].sort(),
  );
  const head = await askForPaper('HEAD');
  assert.deepEqual([head.status, head.bytes.length], [204, 0]);
  const { headers } = await reseller.file(paper);
  assert.deepEqual(
    ['content-type', 'content-length', 'content-disposition', 'cache-control', 'x-content-type-options'].map(name =>
      headers.get(name),
    ),
    [
      'application/pdf',
      String(content.length),
      `attachment; filename="terms _.pdf"; filename*=UTF-8''terms%20%C3%A9.pdf`,
      'no-store',
      'nosniff',
    ],
  );
  assert.match(headers.get('content-security-policy') ?? '', /^default-src 'none'/);
});

test('the cloud is sent headers that the portal writes, and none of the browser', async () => {
  proxy.intercept(bytes(pdf, content));
  const trace = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  const { status } = await askForPaper('GET', {
    authorization: 'Bearer mine',
    'actor-id': 'somebody@else.test',
    'idempotency-key': '12345678',
    // The proxy before the portal adds the last one; what stands before it anybody can write.
    'x-forwarded-for': '192.0.2.66, 203.0.113.9',
    'x-portal': '1',
    'x-http-method-override': 'DELETE',
    connection: 'keep-alive, actor-id, authorization',
    ...{ accept: 'text/html', 'accept-encoding': 'gzip', range: 'bytes=1-2', 'if-none-match': '"1"' },
    ...{ te: 'trailers', origin: 'https://evil.test', referer: 'https://evil.test/' },
    traceparent: trace,
  });
  assert.equal(status, 200);
  const { headers = {}, method, body } = papersAsked().at(-1) ?? {};
  assert.deepEqual([method, body], ['GET', '']);
  const { host, connection, authorization, ...rest } = headers;
  assert.equal(host, new URL(proxy.url).host);
  assert.equal(connection, 'keep-alive');
  assert.match(authorization ?? '', /^Bearer (?!mine).{20,}/);
  assert.deepEqual(rest, {
    accept: 'application/pdf, application/json',
    'actor-id': 'reseller@northwind.test',
    'cache-control': 'no-cache',
    traceparent: trace,
    'x-forwarded-for': '203.0.113.9',
  });
});

test('no address, query or method of a browser reaches the cloud anywhere but at the operation', async () => {
  const asked = proxy.exchanges.length;
  const { host } = new URL(proxy.url);
  const refused: [status: number, path: string, method?: string][] = [
    [403, '/ui/downloads/api', 'POST'],
    [403, '/ui/downloads/%2Fapi%2Fcustomers', 'POST'],
    [410, '/ui/downloads/api'],
    [410, paper],
    [404, '/ui/downloads/agreements.download/extra?agreementId=2'],
    [404, '/ui/downloads/agreements.download//api/customers?agreementId=2'],
    [404, `/ui/downloads//${host}/api/customers`],
    [404, `/ui/downloads/http://${host}/api/customers`],
    [400, '/ui/downloads/..%2F..%2Fapi%2Fcustomers'],
    [400, '/ui/downloads/..%5Capi'],
    [400, '/ui/downloads/agreements.download?agreementId=2&agreementId=3', 'POST'],
    [400, '/ui/downloads/agreements.download?agreementId=2&more=1', 'POST'],
    [400, '/ui/downloads/agreements.download?agreementId=2%2F..%2F..%2Fcustomers', 'POST'],
    [400, '/ui/downloads/agreements.download?agreementId=2%3Fa=b', 'POST'],
    ...['PUT', 'PATCH', 'DELETE'].map((method): [number, string, string] => [404, paper, method]),
  ];
  for (const [expected, path, method = 'GET'] of refused) {
    const { status, bytes: text } = await ask(path, method, method === 'GET' ? {} : { 'x-portal': '1' });
    assert.equal(status, expected, `${method} ${path} ${text}`);
  }
  // The form of the address that proxies take (RFC 9112, section 3.2.2).
  const absolute = await ask(`http://${host}/api/customers`);
  assert.ok([400, 302, 404].includes(absolute.status), String(absolute.status));
  assert.deepEqual(
    proxy.exchanges.slice(asked).map(({ url }) => url),
    [],
  );
});

/** What an answer says, without the number of its request. */
function saidBy({ status, body }: Answer): unknown[] {
  const { reference: _, ...resources } = body.Resources ?? {};
  return [status, { ...body, Resources: resources }];
}

test('a reply that is no file of the type is answered as the same reply to a plain read is', async () => {
  const json = { 'content-type': 'application/json' };
  const failing = JSON.stringify({ Succeed: false, Error: 'Gone', Messages: ['Ask again.'], Result: 'secret' });
  const denied = JSON.stringify({ Succeed: false, Error: 'PermissionNotFound' });
  const replies: [name: string, code: string | undefined, Parameters<typeof bytes>][] = [
    ['a refusal', undefined, [json, failing, 200]],
    ['nothing of the kind', undefined, [json, failing, 404]],
    ['a conflict', undefined, [json, failing, 409]],
    ['bad parameters', undefined, [json, failing, 422]],
    ['no permission', 'PERMISSION_NOT_FOUND', [json, denied, 403]],
    ['a failure', 'UPSTREAM_FAILED', [json, failing, 500]],
    ['too busy', 'UPSTREAM_FAILED', [json, failing, 503]],
    ['a redirect', 'UPSTREAM_FAILED', [{ ...pdf, location: '/api/customers' }, content, 302]],
    ['a status that is none', 'UPSTREAM_FAILED', [pdf, content, 799]],
    ['a page', 'UPSTREAM_GARBLED', [{ 'content-type': 'text/html' }, '<h1>Hello</h1>']],
    ['another kind of file', 'UPSTREAM_GARBLED', [{ 'content-type': 'text/csv' }, 'a,b']],
    ['no type', 'UPSTREAM_GARBLED', [{}, content]],
    ['a part', 'UPSTREAM_GARBLED', [{ ...pdf, 'content-range': 'bytes 0-9/20' }, content, 206]],
    ['a coding that nobody asked for', 'UPSTREAM_GARBLED', [{ ...pdf, 'content-encoding': 'gzip' }, content]],
  ];
  for (const [name, code, [headers, body, status = 200]] of replies) {
    proxy.intercept(({ url }, response) => {
      if (url !== paperInCloud && url !== '/api/agreements/2') return false;
      response.writeHead(status, headers).end(body);
      return true;
    });
    const answer = await reseller.file(paper);
    const read = await reseller.get('/ui/data/agreements.get?agreementId=2');
    assert.ok(answer.status >= 400 || answer.body.Succeed === false, name);
    assert.equal(answer.body.Resources?.code, code, name);
    assert.deepEqual(saidBy(answer), saidBy(read), name);
    assert.doesNotMatch(answer.text, /secret/, name);
    assert.equal(answer.headers.get('content-disposition'), null, name);
  }
  proxy.intercept(bytes({ 'content-type': 'application/json' }, JSON.stringify({ Succeed: true, Result: {} })));
  const envelope = await reseller.file(paper);
  assert.deepEqual([envelope.status, envelope.body.Resources.code], [502, 'UPSTREAM_GARBLED']);
});

test('a token that is refused is exchanged once, and the file comes with the next', async () => {
  proxy.exchanges.length = 0;
  proxy.intercept(
    forPaper((exchange, response) =>
      papersAsked().length === 1
        ? answerJson(response, 401, { Succeed: false })
        : (bytes(pdf, content)(exchange, response) as boolean),
    ),
  );
  const answer = await askForPaper();
  assert.deepEqual([answer.status, answer.bytes], [200, content]);
  // Tokens of one second are alike, so it is the exchange that is looked for.
  assert.deepEqual(
    proxy.exchanges.map(({ url }) => url),
    [paperInCloud, '/auth/token', paperInCloud],
  );
});

test('a session whose account the cloud refuses ends with the answer', async () => {
  for (const status of [401, 403]) {
    const own = await portal.signIn('reseller@northwind.test');
    proxy.intercept(forPaper((_, response) => answerJson(response, status, { Succeed: false })));
    const answer = await own.file(paper);
    assert.deepEqual([answer.status, answer.body.Resources.code], [401, 'SESSION_ENDED']);
    assert.match(answer.headers.get('set-cookie') ?? '', /=;/);
    assert.equal((await own.file(paper)).status, 401);
  }
});

test('a kept connection that the cloud closes at the moment of use is no failure, and a failure is not asked again', async () => {
  proxy.exchanges.length = 0;
  proxy.intercept(
    forPaper((exchange, response) => {
      if (papersAsked().length > 1) return bytes(pdf, content)(exchange, response);
      response.destroy();
      return true;
    }),
  );
  assert.deepEqual((await askForPaper()).bytes, content);
  assert.equal(papersAsked().length, 2);
  proxy.intercept(forPaper((_, response) => answerJson(response, 503, { Succeed: false })));
  assert.equal((await askForPaper()).status, 502);
  assert.equal(papersAsked().length, 3);
});

test('a download leaves its line and its figures, and the description of the calls tells of it', async () => {
  proxy.intercept(bytes(pdf, content));
  await askForPaper('GET', { 'x-request-id': 'a-download' });
  const lineOf = () =>
    portal
      .log()
      .split('\n')
      .find(text => text.includes('"request":"a-download"'));
  await eventually(() => lineOf() !== undefined);
  const { route, status, account, cut } = JSON.parse(lineOf() ?? '{}') as Record<string, unknown>;
  assert.deepEqual(
    [route, status, account, cut],
    ['/ui/downloads/:operation', 200, 'reseller@northwind.test', undefined],
  );
  const { text } = await portal.client().get('/metrics', { authorization: `Bearer ${metricsToken}` });
  assert.match(
    text,
    /^http_request_duration_seconds_count\{method="GET",route="\/ui\/downloads\/:operation",status="200"\} [1-9]/m,
  );
  assert.match(text, /^cloud_call_duration_seconds_count\{service="files",outcome="answered"\} [1-9]/m);
  const { paths } = (await reseller.get('/openapi.json')).body;
  assert.deepEqual(Object.keys(paths['/ui/downloads/{operation}']).sort(), ['get', 'post']);
  assert.equal(paths['/ui/downloads/{operation}'].get.summary, 'The file of a link, at most 32 MiB.');
});

test('a file by a link of the cloud is asked for by two calls of the server, in the caller’s name alone', async () => {
  const before = proxy.exchanges.length;
  const example = '/ui/downloads/imports.example?downloadId=customers-example';
  assert.equal((await reseller.post(`${example}&userName=admin%40contoso.test`)).status, 400);
  const { status, text } = await reseller.file(example);
  assert.equal(status, 200);
  assert.match(text, /Byron Engines Ltd/);
  const [made, taken] = proxy.exchanges.slice(before).filter(({ url }) => url.startsWith('/api/Download/'));
  assert.deepEqual(JSON.parse(made?.body ?? ''), {
    DownloadId: 'customers-example',
    UserName: 'reseller@northwind.test',
  });
  assert.match(
    taken?.url ?? '',
    /^\/api\/Download\/DownloadFromGuid\/[\da-f-]{36}\/\?userName=reseller%40northwind\.test$/,
  );
});

test('a cloud that makes no link, or one without a Guid, gives no file', async () => {
  const example = '/ui/downloads/imports.example?downloadId=customers-example';
  for (const [reply, status] of [
    [{ Succeed: false, Error: 'The file is being made.' }, 409],
    [{ Succeed: true, Result: {} }, 502],
    [{ Succeed: true, Result: { Guid: '../../users' } }, 502],
  ] as const) {
    const before = proxy.exchanges.length;
    proxy.intercept(
      ({ url }, response) =>
        url === '/api/Download/GenerateGuid' && answerJson(response, status === 409 ? status : 200, reply),
    );
    assert.equal((await reseller.file(example)).status, status);
    assert.ok(!proxy.exchanges.slice(before).some(({ url }) => url.includes('DownloadFromGuid')));
  }
});
