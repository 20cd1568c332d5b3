import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { startPortal, withPortal } from '../fixtures/portal.ts';

const limit = 8;

const portal = withPortal(
  { url: 'http://127.0.0.1:9' },
  { env: { RATE_LIMIT: String(limit), TRUSTED_PROXIES: '127.0.0.1' } },
);

type Groups = readonly number[];

/** The ways to write an IPv6 address (RFC 4291, section 2.2), and what programs add to one. */
function spellings(groups: Groups): string[] {
  const short = groups.map(group => group.toString(16));
  const padded = groups.map(group => group.toString(16).padStart(4, '0'));
  const last = groups.slice(6).flatMap(group => [group >> 8, group & 255]);
  const dotted = [...short.slice(0, 6), last.join('.')].join(':');
  const squeezed = Array.from({ length: 7 }, (_, from) => {
    let to = from;
    while (to < 8 && groups[to] === 0) to += 1;
    return to > from + 1 ? [`${short.slice(0, from).join(':')}::${short.slice(to).join(':')}`] : [];
  }).flat();
  const all = [short.join(':'), padded.join(':'), padded.join(':').toUpperCase(), dotted, ...squeezed];
  return [...all, ...all.map(one => `[${one}]:4711`)];
}

const group = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 0xffff }));
const prefix = fc.tuple(fc.integer({ min: 0x2001, max: 0x3fff }), group, group, group).map(groups => groups as Groups);
const host = fc.tuple(group, group, group, group).map(groups => groups as Groups);

const ask = async (address: string): Promise<number> =>
  (await portal.client({ 'x-forwarded-for': address }).get('/ui/boot')).status;

test('addresses of one IPv6 network share their limits, in whatever way each is written', async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(
      prefix.filter(groups => !seen.has(groups.join())),
      fc.array(fc.tuple(host, fc.nat()), { minLength: limit + 1, maxLength: limit + 1 }),
      async (network, hosts) => {
        seen.add(network.join());
        const written = hosts.map(([own, choice]) => {
          const all = spellings([...network, ...own]);
          return all[choice % all.length] as string;
        });
        const statuses: number[] = [];
        for (const address of written) statuses.push(await ask(address));
        assert.deepEqual(statuses, [...Array(limit).fill(200), 429], written.join(' '));
      },
    ),
    { numRuns: 60 },
  );
});

test('an IPv4 address is the same in its IPv6 spellings, and is a network of its own', async () => {
  const spelt = ['203.0.113.7', '::ffff:203.0.113.7', '::ffff:cb00:7107', '0:0:0:0:0:FFFF:CB00:7107'];
  const written = [...spelt, '203.0.113.7:1234', '[::ffff:203.0.113.7]:1', ...spelt.slice(0, 3)];
  const statuses: number[] = [];
  for (const address of written) statuses.push(await ask(address));
  assert.deepEqual(statuses, [...Array(limit).fill(200), 429]);
  assert.equal(await ask('203.0.113.8'), 200);
  assert.equal(await ask('::ffff:203.0.113.9'), 200);
});

test('names asked about, passwords and links count by the same networks', async t => {
  const strict = await startPortal({ cloudUrl: 'http://127.0.0.1:9', env: { TRUSTED_PROXIES: '127.0.0.1' } });
  t.after(strict.close);
  // The third and fourth groups are zero, so that "::" stands for them and parts of the host alike.
  const from = (index: number) => strict.client({ 'x-forwarded-for': `2001:db8::${index.toString(16)}:b:c:d` });
  const hash = await from(1).hashOf('/login');
  const statuses: number[] = [];
  for (let index = 1; index <= 63; index++)
    statuses.push(
      (await from(index).post('/auth/login', { node: 'login', layout: hash, body: { Username: 'a@b.test' } })).status,
    );
  // No cloud is there to ask; what counts is who may ask.
  assert.deepEqual(statuses.slice(0, 60), Array(60).fill(502));
  assert.ok(statuses.slice(60).includes(429), String(statuses.slice(60)));
});
