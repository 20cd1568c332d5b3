import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { beforeEach, test } from 'node:test';
import fc from 'fast-check';
import { type Client, withClient, withPortal } from '../fixtures/portal.ts';
import { withRecordingProxy } from '../fixtures/recording-proxy.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { setUp } from '../fixtures/set-up.ts';
import { inTime } from '../fixtures/wait.ts';

const sandbox = withSandbox();
const proxy = withRecordingProxy(sandbox);
const portal = withPortal(proxy);
const reseller = withClient(portal, 'reseller@northwind.test');
const endUser = withClient(portal, 'user@contoso.test');
let stranger: Client;
setUp(() => {
  stranger = portal.client();
});
beforeEach(() => {
  proxy.exchanges.length = 0;
});

const ofCustomers = () => proxy.exchanges.filter(({ url }) => url.startsWith('/api/customers'));

/** Sends an address as it is written: `fetch` would put it in order first. */
function ask(method: string, path: string, { cookie }: Client, body = ''): Promise<string> {
  const { hostname, port, host } = new URL(portal.url);
  const head = [
    `${method} ${path} HTTP/1.1`,
    `host: ${host}`,
    'connection: close',
    'accept: text/html, */*',
    'x-portal: 1',
    ...(cookie === '' ? [] : [`cookie: ${cookie}`]),
    ...(body === '' ? [] : ['content-type: application/json', `content-length: ${Buffer.byteLength(body)}`]),
  ];
  const whole = new Promise<string>((resolve, reject) => {
    let answer = '';
    const socket = connect(Number(port), hostname, () => socket.write(`${head.join('\r\n')}\r\n\r\n${body}`));
    socket.setEncoding('utf8').on('data', part => {
      answer += part;
    });
    socket.on('close', () => resolve(answer)).on('error', reject);
  });
  return inTime('The end of the connection', whole);
}

const encoded = (character: string): string => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`;

/** An address in one of the ways in which it, or nearly it, can be written. */
function spelt(path: string): fc.Arbitrary<string> {
  const part = [...path].map(character =>
    fc.oneof(
      { weight: 12, arbitrary: fc.constant(character) },
      { weight: 1, arbitrary: fc.constant(encoded(character)) },
      { weight: 1, arbitrary: fc.constant(encoded(character).toUpperCase()) },
      { weight: 1, arbitrary: fc.constant(character.toUpperCase()) },
      {
        weight: 1,
        arbitrary:
          character === '/'
            ? fc.constantFrom('//', '/./', '/x/../', '\\', '%2f', '%5c', ';a=b/', '/%2e/', '/%2e%2e/')
            : fc.constant(character),
      },
    ),
  );
  const end = fc.constantFrom(
    '',
    '',
    '/',
    '//',
    '?',
    '#',
    '?a=b',
    ';a=b',
    '%00',
    '%20',
    '.',
    '/.',
    '/..',
    '%2f',
    '.json',
  );
  return fc.tuple(fc.tuple(...part), end).map(([characters, last]) => characters.join('') + last);
}

test('however an address is spelt, a caller gets nothing of a page or read that is not the own one', async () => {
  const paths = [
    '/customers',
    '/customers/add',
    '/ui/data/customers.list',
    '/ui/screen?path=/customers',
    '/ui/files/none/customers.csv?path=/customers',
    `/ui/layouts/${await reseller.hashOf('/customers')}`,
  ];
  const anySpelling = fc.oneof(...paths.map(path => spelt(path)));
  await fc.assert(
    fc.asyncProperty(anySpelling, fc.constantFrom('endUser', 'stranger'), async (path, who) => {
      const answer = await ask('GET', path, who === 'endUser' ? endUser : stranger);
      assert.match(answer, /^HTTP\/1\.1 (?:200|3\d\d|4\d\d) /, path);
      assert.doesNotMatch(answer, /customers\.list|"id":"customers"|"id":"add-customer"|MonthlySpend/, path);
    }),
    { numRuns: 300 },
  );
  assert.deepEqual(ofCustomers(), []);
});

test('however a call is spelt, one that is not the caller’s never reaches the cloud', async () => {
  const layout = await reseller.hashOf('/customers');
  const body = JSON.stringify({ node: 'suspend', layout, with: { customerId: '10001' } });
  const anySpelling = fc.oneof(spelt('/ui/call/customers.suspend'), spelt('/ui/command/customers.suspend'));
  await fc.assert(
    fc.asyncProperty(anySpelling, fc.constantFrom('endUser', 'stranger'), async (path, who) => {
      const answer = await ask('POST', path, who === 'endUser' ? endUser : stranger, body);
      assert.match(answer, /^HTTP\/1\.1 (?:400|401|403|404|405) /, path);
    }),
    { numRuns: 100 },
  );
  assert.deepEqual(ofCustomers(), []);
});

test('what is forwarded is what was checked, however often a key stands in the body and whatever is before it', async () => {
  const { body } = await reseller.get('/ui/data/customers.list?status=Active&pageSize=1');
  const { OrganisationId: customerId, Name: name } = body.Result.Items[0];
  const layout = await reseller.hashOf('rename-customer');
  const key = fc.constantFrom('"NewName"', '"\\u004eewName"', '"newname"', '"NewName "', '"__proto__"', '"Extra"');
  const value = fc.constantFrom(JSON.stringify(name), '"bad 💥"', '""', '7', '["a"]', '{"NewName":"a"}', 'null');
  const types = fc.constantFrom(
    'application/json',
    'application/json; charset=utf-8',
    'application/json; charset=utf-16',
    'application/json; boundary=a',
    'text/json',
    'application/json, application/json',
  );
  let forwarded = 0;
  const right = [['"NewName"', JSON.stringify(name)]] as [string, string][];
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('', '\ufeff', '\ufeff\ufeff', ' \n'),
      fc.array(fc.tuple(key, value), { minLength: 1, maxLength: 3 }),
      types,
      async (mark, entries, type) => {
        proxy.exchanges.length = 0;
        const form = `{${entries.map(([one, other]) => `${one}:${other}`).join(',')}}`;
        await fetch(`${portal.url}/ui/call/customers.rename`, {
          method: 'POST',
          headers: { 'x-portal': '1', 'content-type': type, cookie: reseller.cookie },
          body: `${mark}{"node":"rename","layout":"${layout}","with":{"customerId":"${customerId}"},"body":${form}}`,
        });
        for (const sent of ofCustomers()) {
          forwarded += 1;
          // Byte for byte what the rules of the form let through: one key, written by the portal itself.
          assert.equal(sent.body, JSON.stringify({ NewName: name }), form);
          assert.equal(sent.headers['content-type'], 'application/json');
        }
      },
    ),
    { numRuns: 150, examples: [['', right, 'application/json']] },
  );
  assert.ok(forwarded > 0);
});
