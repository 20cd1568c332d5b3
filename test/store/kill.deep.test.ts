import assert from 'node:assert/strict';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { eventually } from '../fixtures/eventually.ts';
import { type Client, createClient, signInAs } from '../fixtures/portal.ts';
import { startPortalProcess } from '../fixtures/portal-process.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { setUp } from '../fixtures/set-up.ts';
import { copyStore } from '../fixtures/store-template.ts';

const read = '/ui/data/customers.list?pageSize=1';
const password = 'Demo-portal-2026';

const sandbox = withSandbox();
let folder: string;
setUp(
  async () => {
    folder = await mkdtemp(join(tmpdir(), 'portal-killed-'));
    await copyStore(folder);
  },
  () => rm(folder, { recursive: true, force: true }),
);

/** What the portal has said to be done: sessions that are open, and such that are not any more. */
type Acknowledged = { readonly open: string[]; readonly ended: string[] };

const isSignedIn = (answer: { body?: { Resources?: { code?: string } } }): boolean =>
  answer.body?.Resources?.code === 'SESSION_CHANGED';

async function signIn(url: string): Promise<Client | undefined> {
  const browser = createClient(url);
  const answer = await signInAs(browser, 'reseller@northwind.test', password, { NotRobot: true });
  return isSignedIn(answer) ? browser : undefined;
}

/** Signs in, and signs every second one out again, until nobody answers. */
async function work(url: string, acknowledged: Acknowledged): Promise<void> {
  for (let count = 0; ; count++) {
    try {
      const browser = await signIn(url);
      if (!browser) return;
      const { cookie } = browser;
      if (count % 2 === 1) {
        // While it is on its way, either is right.
        const { status } = await browser.post('/auth/sign-out');
        if (status === 200) acknowledged.ended.push(cookie);
      } else acknowledged.open.push(cookie);
    } catch {
      return;
    }
  }
}

async function checkAcknowledged(url: string, { open, ended }: Acknowledged): Promise<void> {
  const statusOf = async (cookie: string): Promise<number> => {
    const browser = createClient(url);
    browser.cookie = cookie;
    return (await browser.get(read)).status;
  };
  for (const cookie of open) assert.equal(await statusOf(cookie), 200, 'a session that was opened');
  for (const cookie of ended) assert.equal(await statusOf(cookie), 401, 'a session that was ended');
}

test('what the portal acknowledged survives kill -9 at any moment', async t => {
  const acknowledged: Acknowledged = { open: [], ended: [] };
  for (let round = 1; round <= 3; round++) {
    const portal = await startPortalProcess(sandbox.url, folder);
    t.after(portal.kill);
    await checkAcknowledged(portal.url, acknowledged);
    const working = Promise.all([1, 2, 3].map(() => work(portal.url, acknowledged)));
    // In the midst of it: the others are under way.
    await eventually(() => acknowledged.open.length >= round * 4 && acknowledged.ended.length >= round * 2);
    await portal.kill();
    await working;
  }
  const portal = await startPortalProcess(sandbox.url, folder);
  t.after(portal.kill);
  await checkAcknowledged(portal.url, acknowledged);
});

test('on a full disk nothing is acknowledged that is not kept; with room again the portal goes on by itself', async t => {
  const place = await mkdtemp(join(tmpdir(), 'portal-full-'));
  t.after(() => rm(place, { recursive: true, force: true }));
  await cp(folder, place, { recursive: true });
  const acknowledged: Acknowledged = { open: [], ended: [] };
  const portal = await startPortalProcess(sandbox.url, place);
  t.after(portal.kill);
  const first = await signIn(portal.url);
  acknowledged.open.push(first?.cookie ?? 'none');
  await portal.fillDisk(true);
  // Before anybody has tried to write.
  await eventually(async () => (await createClient(portal.url).get('/ready')).status === 503);
  const answers = await Promise.all(
    // Attempts that the kills above cut off count as failures, so the question may have to be answered.
    [1, 2, 3, 4, 5].map(() =>
      signInAs(createClient(portal.url), 'reseller@northwind.test', password, { NotRobot: true }),
    ),
  );
  for (const { status, body } of answers) assert.deepEqual([status, body.Resources.code], [503, 'STORE_DOWN']);
  assert.equal((await createClient(portal.url).get('/health')).status, 200);
  assert.equal((await createClient(portal.url).get('/ready')).status, 503);

  await portal.fillDisk(false);
  await eventually(async () => (await createClient(portal.url).get('/ready')).status === 200);
  const second = await signIn(portal.url);
  acknowledged.open.push(second?.cookie ?? 'none');
  await checkAcknowledged(portal.url, acknowledged);
  await portal.kill();
  const again = await startPortalProcess(sandbox.url, place);
  t.after(again.kill);
  await checkAcknowledged(again.url, acknowledged);
});
