import assert from 'node:assert/strict';
import { createConnection } from 'node:net';
import { afterEach, test } from 'node:test';
import { decode, encode, type Packet } from 'dns-packet';
import { withLookup } from '../../server/sandbox/domains/dns/lookup.ts';
import { createDnsServer, type DnsServer } from '../../server/sandbox/domains/dns/server.ts';
import type { RecordKind } from '../../server/sandbox/domains/tables.ts';
import { asSubject } from '../fixtures/as-subject.ts';
import { withSandbox, withTokens } from '../fixtures/sandbox.ts';
import { setUp } from '../fixtures/set-up.ts';

let now = Date.now();
/** Of each check; a test of silence shortens the time of a question. */
const bounds = { timeout: 10_000, tries: 1, all: 30_000 };
const sandbox = withSandbox(() => ({ now: () => new Date(now), dnsBounds: bounds }));
const tokens = withTokens(sandbox, ['reseller@northwind.test', 'engineer@northwind.test']);
const contoso = '/api/customers/10001';
afterEach(() => {
  bounds.timeout = 10_000;
});

let server: DnsServer;
setUp(
  async () => {
    server = createDnsServer(sandbox.db);
  },
  () => server.close(),
);

const set = async (records: readonly (readonly [name: string, type: RecordKind, value: string])[]) => {
  const values = records.map(([name, type, value]) => ({ name, type, value }));
  await sandbox.db.insertInto('dns_records').values(values).execute();
};
const clear = async (domain: string) => {
  await sandbox.db.deleteFrom('dns_records').where('name', 'like', `%${domain}`).execute();
};
const call = (method: string, path: string, body?: object) => sandbox.call(tokens.reseller!, method, path, body);
type Found = { readonly Purpose: string; readonly State: string; readonly Value: string; readonly Found: string };
type Records = { readonly State: string; readonly Checked: string | null; readonly Records: readonly Found[] };

async function add(Name: string): Promise<string> {
  const made = await call('POST', `${contoso}/domains`, { Name });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  return `${contoso}/domains/${made.body.Result.domainId}`;
}
/** Checks a domain some time after its last check. */
async function check(domain: string): Promise<Records> {
  now += 10_000;
  const { status, body } = await call('POST', `${domain}/check`);
  assert.equal(status, 200, JSON.stringify(body));
  return body.Result;
}
const statesOf = ({ Records }: Records) => Object.fromEntries(Records.map(one => [one.Purpose, one.State]));
const all = (state: string) =>
  Object.fromEntries(['Mx', 'Spf', 'Autodiscover', 'Dkim1', 'Dkim2', 'Dmarc'].map(purpose => [purpose, state]));
const rightFor = (domain: string): [string, RecordKind, string][] => [
  [domain, 'MX', '10 mx.fernhill.test'],
  [domain, 'TXT', 'v=spf1 include:spf.fernhill.test -all'],
  [`autodiscover.${domain}`, 'CNAME', 'autodiscover.fernhill.test'],
  [`s1._domainkey.${domain}`, 'CNAME', 's1._domainkey.fernhill.test'],
  [`s2._domainkey.${domain}`, 'CNAME', 's2._domainkey.fernhill.test'],
];

test('a domain is delayed until the records that it needs are right, and its activity says when', async () => {
  const domain = await add('green.test');
  assert.deepEqual(statesOf((await call('GET', `${domain}/records`)).body.Result), all('NotChecked'));
  assert.deepEqual(statesOf(await check(domain)), { ...all('Missing'), Mx: 'NoDomain', Spf: 'NoDomain' });
  await set(rightFor('green.test'));
  const checked = await check(domain);
  assert.deepEqual([checked.State, statesOf(checked)], ['Active', { ...all('Right'), Dmarc: 'Missing' }]);
  const [latest] = (await call('GET', `${contoso}/activity`)).body.Result.Items;
  assert.deepEqual(
    [latest.Action, latest.Target, latest.Before, latest.After],
    ['Domain activated', 'green.test', 'Delayed', 'Active'],
  );
  // A record that goes later is said, and takes no mail away.
  await clear('green.test');
  const gone = await check(domain);
  assert.deepEqual([gone.State, statesOf(gone).Mx], ['Active', 'NoDomain']);
});

test('a domain beyond ASCII is asked for as DNS has it', async () => {
  const domain = await add('grün.test');
  await set(rightFor('xn--grn-ioa.test'));
  assert.equal((await check(domain)).State, 'Active');
});

test('what differs is said with what is set, and an SPF record of one’s own keeps its terms', async () => {
  const domain = await add('other.test');
  await set([
    ['other.test', 'MX', '5 mail.other.test'],
    ['other.test', 'MX', '10 mx.fernhill.test'],
    ['other.test', 'TXT', 'something-else=1'],
    ['other.test', 'TXT', 'v=spf1 ip4:192.0.2.1 ~all'],
    ['autodiscover.other.test', 'CNAME', 'autodiscover.elsewhere.test'],
    ['_dmarc.other.test', 'TXT', 'v=DMARC1; rua=mailto:a@other.test'],
  ]);
  const checked = await check(domain);
  const of = (purpose: string) => checked.Records.find(({ Purpose }) => Purpose === purpose)!;
  assert.deepEqual(statesOf(checked), {
    ...{ Mx: 'Different', Spf: 'Different', Autodiscover: 'Different' },
    ...{ Dkim1: 'Missing', Dkim2: 'Missing', Dmarc: 'Different' },
  });
  assert.equal(of('Mx').Found, '5 mail.other.test\n10 mx.fernhill.test');
  assert.equal(of('Spf').Value, 'v=spf1 include:spf.fernhill.test ip4:192.0.2.1 ~all');
  assert.equal(checked.State, 'Delayed');
});

test('two records where there may be one are said as such', async () => {
  const domain = await add('twice.test');
  await set([
    ['twice.test', 'TXT', 'v=spf1 include:spf.fernhill.test -all'],
    ['twice.test', 'TXT', 'v=spf1 -all'],
  ]);
  assert.equal(statesOf(await check(domain)).Spf, 'Several');
});

test('the strings of a TXT record are one text, also when they are many', async () => {
  const domain = await add('strings.test');
  const long = Array.from({ length: 30 }, (_, index) => `ip4:192.0.2.${index}`).join(' ');
  await set([
    ['strings.test', 'TXT', `v=spf1 ${long} include:spf.fernhill.test -all`],
    ['_dmarc.strings.test', 'TXT', '"v=DMARC1; p=re" "ject"'],
  ]);
  const { Spf, Dmarc } = statesOf(await check(domain));
  assert.deepEqual([Spf, Dmarc], ['Right', 'Right']);
});

test('aliases are followed, and those that go round are said', async () => {
  const domain = await add('chain.test');
  await set([
    ['autodiscover.chain.test', 'CNAME', 'one.chain.test'],
    ['one.chain.test', 'CNAME', 'two.chain.test'],
    ['two.chain.test', 'CNAME', 'autodiscover.fernhill.test'],
    ['s1._domainkey.chain.test', 'CNAME', 'round.chain.test'],
    ['round.chain.test', 'CNAME', 's1._domainkey.chain.test'],
    ['_dmarc.chain.test', 'CNAME', 'policy.chain.test'],
    ['policy.chain.test', 'TXT', 'v=DMARC1; p=none'],
    ['chain.test', 'CNAME', 'chain.test'],
  ]);
  const { Autodiscover, Dkim1, Dmarc, Mx, Spf } = statesOf(await check(domain));
  assert.deepEqual([Autodiscover, Dkim1, Dmarc, Mx, Spf], ['Right', 'Loop', 'Right', 'Loop', 'Loop']);
});

test('a server that fails or is silent is said as such, within its time, and takes nothing away', async () => {
  bounds.timeout = asSubject(500);
  const [failing, silent] = [await add('failing.test'), await add('silent.test')];
  await set([
    ['failing.test', 'FAULT', 'SERVFAIL'],
    ['silent.test', 'FAULT', 'SILENT'],
  ]);
  const failed = statesOf(await check(failing));
  assert.deepEqual([failed.Mx, failed.Spf, failed.Autodiscover], ['Failed', 'Failed', 'Missing']);
  const unanswered = statesOf(await check(silent));
  assert.deepEqual([unanswered.Mx, unanswered.Spf], ['Silent', 'Silent']);
});

test('a check that comes at once after another costs DNS nothing', async () => {
  const domain = await add('fresh.test');
  const { Checked } = await check(domain);
  await set(rightFor('fresh.test'));
  const again = (await call('POST', `${domain}/check`)).body.Result;
  assert.deepEqual([again.Checked, again.State], [Checked, 'Delayed']);
  assert.equal((await check(domain)).State, 'Active');
});

test('an account has two checks at once', async () => {
  bounds.timeout = asSubject(2000);
  const domains = [];
  for (const name of ['many-1.test', 'many-2.test', 'many-3.test', 'many-4.test']) {
    domains.push(await add(name));
    await set([[name, 'FAULT', 'SILENT']]);
  }
  now += 10_000;
  const replies = await Promise.all(domains.map(domain => call('POST', `${domain}/check`)));
  const refused = replies.filter(({ status }) => status === 409);
  assert.deepEqual(
    refused.map(({ body }) => body.Refusals),
    [[{ Code: 'DomainChecksBusy' }], [{ Code: 'DomainChecksBusy' }]],
  );
  assert.equal((await check(domains[3]!)).State, 'Delayed');
});

test('an answer that is cut off by UDP comes by TCP', async () => {
  await set([
    ...Array.from({ length: 20 }, (_, index): [string, RecordKind, string] => [
      'large.test',
      'TXT',
      `${index} ${'x'.repeat(200)}`,
    ]),
    ['cut.test', 'TXT', 'whole'],
    ['cut.test', 'FAULT', 'TRUNCATED'],
  ]);
  const address = await server.address();
  await withLookup(address, bounds, async lookup => {
    const large = await lookup.txt('large.test');
    assert.equal(large.kind === 'found' && large.values.length, 20);
    assert.deepEqual(await lookup.txt('cut.test'), { kind: 'found', values: ['whole'] });
  });
});

test('a resolver that is not there is said to be silent', async () => {
  const looked = await withLookup('127.0.0.1:1', bounds, lookup => lookup.mx('contoso.test'));
  assert.deepEqual(looked, { kind: 'silent' });
});

test('the server takes queries in parts by TCP, and drops what is none', async () => {
  const [, port = ''] = (await server.address()).split(':');
  const talk = (parts: readonly Buffer[]) =>
    new Promise<Buffer>((resolve, reject) => {
      const socket = createConnection(Number(port), '127.0.0.1');
      const got: Buffer[] = [];
      socket.on('data', part => {
        got.push(part);
        socket.end();
      });
      socket.on('error', reject);
      socket.on('close', () => resolve(Buffer.concat(got)));
      for (const part of parts) socket.write(part);
    });
  const query = encode({ type: 'query', id: 7, questions: [{ type: 'MX', name: 'contoso.test' }] });
  const length = Buffer.from([0, query.length]);
  const reply: Packet = decode((await talk([length, query.subarray(0, 5), query.subarray(5)])).subarray(2));
  assert.deepEqual([reply.id, reply.answers?.length], [7, 1]);
  assert.equal((await talk([Buffer.from([0, 3, 1, 2, 3])])).length, 0);
  assert.equal((await talk([Buffer.from([0xff, 0xff]), Buffer.alloc(2000)])).length, 0);
});

test('records are set on a page of the sandbox, from this machine', async () => {
  const send = (path: string, body: Readonly<Record<string, string>>, origin = sandbox.url) =>
    fetch(`${sandbox.url}${path}`, { method: 'POST', headers: { origin }, body: new URLSearchParams(body) });
  const made = await send('/dns', { name: 'Page.test', type: 'TXT', value: 'v=spf1 <-all>' });
  assert.deepEqual([made.status, (await made.text()).includes('page.test TXT v=spf1 &#60;-all')], [200, true]);
  assert.equal((await send('/dns', { name: 'page.test', type: 'MX', value: 'none' })).status, 400);
  assert.equal((await send('/dns', { name: 'a b', type: 'TXT', value: 'x' })).status, 400);
  assert.equal((await send('/dns', { name: 'x.test', type: 'TXT', value: 'x' }, 'https://evil.test')).status, 404);
  const rows = sandbox.db.selectFrom('dns_records').where('name', '=', 'page.test').select('id');
  const { id } = await rows.executeTakeFirstOrThrow();
  assert.equal((await send(`/dns/${id}/delete`, {})).status, 200);
  assert.deepEqual(await rows.execute(), []);
});

test('who only looks lets no mail in; the cloud looks by itself after a while and does', async () => {
  const domain = await add('looked-at.test');
  await set(rightFor('looked-at.test'));
  now += 10_000;
  const looked = await sandbox.call(tokens.engineer!, 'POST', `${domain}/check`);
  assert.deepEqual([looked.body.Result.State, looked.body.Result.IsReady], ['Delayed', true]);
  const read = async () => (await call('GET', `${domain}/records`)).body.Result.State;
  // Of several that are due two are looked at in a tick.
  const others = sandbox.db.updateTable('organisation_domains').where('ascii', '<>', 'looked-at.test');
  await others.set({ checked: new Date(now + 86_400_000) }).execute();
  now += 9 * 60_000;
  await sandbox.tickOnce();
  assert.equal(await read(), 'Delayed');
  now += 60_000;
  await sandbox.tickOnce();
  assert.equal(await read(), 'Active');
  const [event] = (await call('GET', `${contoso}/activity`)).body.Result.Items;
  assert.deepEqual([event.Action, event.Target, event.Actor], ['Domain activated', 'looked-at.test', 'Cloud']);
});

test('what domains should have stands beside what was seen, and what is to be mended alone', async () => {
  const domain = await add('half.test');
  await set([['half.test', 'MX', '10 mx.fernhill.test']]);
  await check(domain);
  const read = async (query: string) =>
    (await call('GET', `${contoso}/dns-records?search=half.test${query}`)).body.Result;
  const whole = await read('');
  assert.equal(whole.Total, 6);
  assert.ok(whole.Delayed.split(', ').includes('half.test'));
  const right = await read('&state=Right');
  assert.deepEqual(
    right.Items.map(({ Domain, Type, Value, Found }: Readonly<Record<string, string>>) => [Domain, Type, Value, Found]),
    [['half.test', 'MX', '10 mx.fernhill.test', '10 mx.fernhill.test']],
  );
  assert.equal((await read('&state=Wrong')).Total, 5);
  assert.equal((await read('&pageSize=4&page=2')).Items.length, 2);
});
