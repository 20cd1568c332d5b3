import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attacker, other } from '../fixtures/addresses.ts';
import { type StartedPortal, startPortal, withPortal } from '../fixtures/portal.ts';
import { assertEvery } from '../fixtures/rows.ts';
import { withSandbox } from '../fixtures/sandbox.ts';

const sandbox = withSandbox();
const portal = withPortal(sandbox, { env: { RATE_LIMIT: '' } });

const records = (from: StartedPortal) =>
  from.store.run(db => db.selectFrom('audit').selectAll().orderBy('id').execute());

/** Sends a request again and again, twenty at a time; gives how often each status came. */
async function flood(times: number, send: (index: number) => Promise<{ readonly status: number }>) {
  const statuses = new Map<number, number>();
  for (let sent = 0; sent < times; sent += 20)
    for (const { status } of await Promise.all(Array.from({ length: 20 }, (_, index) => send(sent + index))))
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
  return statuses;
}

test('requests that no page of the portal sends are refused before anything is written, beyond a minute’s worth', async () => {
  const stranger = portal.client({}, attacker);
  const kinds: Record<string, string>[] = [
    { 'x-portal': '' },
    { origin: 'https://evil.test' },
    { 'sec-fetch-site': 'cross-site' },
  ];
  const before = await records(portal);
  const statuses = await flood(1200, index => stranger.post('/auth/login', {}, kinds[index % 3]));
  assert.deepEqual([...statuses.keys()].sort(), [403, 429]);
  assert.ok((statuses.get(429) ?? 0) >= 1000, String([...statuses]));
  const written = (await records(portal)).slice(before.length);
  assert.ok(written.length > 0 && written.length <= 120, String(written.length));
  // Of others each refusal is still recorded.
  const reply = await portal.client({}, other).post('/auth/login', {}, { origin: 'https://evil.test' });
  assert.equal(reply.status, 403);
  assert.equal((await records(portal)).at(-1)?.address, other);
});

test('whatever an address without an account is refused, its records have a bound, and what is beyond is counted', async t => {
  const own = await startPortal({ cloudUrl: sandbox.url, env: { RATE_LIMIT: '' } });
  let isOpen = true;
  t.after(async () => {
    if (isOpen) await own.close();
  });
  const stranger = own.client({}, attacker);
  const { hash } = (await stranger.page('/login')).screen as { hash: string };
  const statuses = await flood(600, index =>
    index % 2
      ? stranger.get('/ui/data/customers.list')
      : stranger.post('/auth/login', { node: 'login', layout: hash, body: { Username: `nobody-${index}@x.test` } }),
  );
  assertEvery([...statuses.keys()], status => [401, 422, 429].includes(status));
  const refused = (await records(own)).filter(({ outcome }) => outcome === 'refused');
  assert.ok(refused.length >= 60 && refused.length <= 120, String(refused.length));
  // What was counted is written at the end of the minute, or of the portal.
  await own.app.close();
  const after = (await records(own)).slice((await records(own)).findIndex(({ id }) => id === refused.at(-1)?.id) + 1);
  const more = after.map(({ detail }) => (detail as unknown as { more?: number }).more ?? 0);
  assert.ok(more.length > 0 && more.length <= 4);
  assert.ok(more.reduce((sum, count) => sum + count, 0) >= 200, String(more));
  isOpen = false;
  await own.store.close();
});

test('what is beyond the bound is counted for a network, named as it is written', async t => {
  const own = await startPortal({ cloudUrl: sandbox.url, env: { RATE_LIMIT: '', TRUSTED_PROXIES: '127.0.0.1' } });
  let isOpen = true;
  t.after(async () => {
    if (isOpen) await own.close();
  });
  const statuses = await flood(80, index =>
    own.client({ 'x-forwarded-for': `2001:db8:ab:cd::${index + 1}` }).get('/ui/data/customers.list'),
  );
  assert.deepEqual([...statuses.keys()], [401]);
  await own.app.close();
  const summed = (await records(own)).filter(({ detail }) => Object.hasOwn(Object(detail), 'more'));
  assert.deepEqual(
    summed.map(({ action, address, detail }) => [action, address, detail as unknown]),
    [['request.denied', '2001:db8:ab:cd::/64', { more: 20 }]],
  );
  isOpen = false;
  await own.store.close();
});
