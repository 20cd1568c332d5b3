import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sendWaitingLinks } from '../../server/sandbox/links/mails.ts';
import { linkLife } from '../../server/sandbox/links/tokens.ts';
import { linksTo } from '../fixtures/mail-links.ts';
import { type Answer, type Client, startPortal, withPortal } from '../fixtures/portal.ts';
import { assertEvery, notEmpty } from '../fixtures/rows.ts';
import { startSandbox, withSandbox } from '../fixtures/sandbox.ts';

const user = 'user@contoso.test';
const administrator = 'admin@contoso.test';
let cloudNow = Date.now();
let portalNow = Date.now();

const sandbox = withSandbox({ now: () => new Date(cloudNow) });
const portal = withPortal(sandbox, { now: () => portalNow, env: { TRUSTED_PROXIES: '127.0.0.1' } });

/** A browser somewhere else: what one address does leaves the others alone. */
let lastAddress = 0;
const stranger = (): Client => portal.client({ 'x-forwarded-for': `203.0.113.${++lastAddress}` });

const partsOf = (path: string): [string, string] =>
  path.split('/').slice(2).map(decodeURIComponent) as [string, string];

/** What the page of a link posts by itself. */
function release(browser: Client, path: string): Promise<Answer> {
  const [mid, uid] = partsOf(path);
  return browser.press('spam-release', 'release', 'command:links.release-spam', { with: { mid, uid } });
}

function verify(browser: Client, path: string): Promise<Answer> {
  const [accessType, token] = partsOf(path);
  return browser.press('verify-email-archive-access', 'verify', 'command:links.verify-archive-access', {
    with: { accessType, token },
  });
}

const isSignedOut = ({ body }: Answer): boolean =>
  body.Resources?.code === 'SESSION_CHANGED' && body.effects[0].to === '/login?notice=link-failed';

const firstLink = async (recipient: string, word: string): Promise<string> => {
  const [path] = await linksTo(sandbox, recipient, word);
  assert.ok(path, `no link of ${word} to ${recipient}`);
  return path;
};

const released = async (): Promise<number> => {
  const rows = await sandbox.db.selectFrom('quarantined_mails').selectAll().where('released', 'is not', null).execute();
  return rows.length;
};

const audited = async (action: string) =>
  portal.store.run(db =>
    db.selectFrom('audit').selectAll().where('action', '=', action).orderBy('id', 'desc').execute(),
  );

test('reading, fetching ahead or asking only for the head of a link releases nothing (promise 55)', async () => {
  const path = await firstLink(user, 'spam-release');
  const scanner = stranger();
  for (const headers of [
    { accept: 'text/html' },
    { accept: 'text/html', purpose: 'prefetch', 'sec-purpose': 'prefetch;prerender' },
    { accept: '*/*' },
  ])
    assert.equal((await scanner.get(path, headers)).status, 200);
  await fetch(portal.url + path, { method: 'HEAD' });
  await scanner.get(`/ui/screen?path=${encodeURIComponent(path)}`);
  await scanner.get('/ui/data/links.release-spam');
  await scanner.get('/ui/command/links.release-spam');
  assert.equal(await released(), 0);
});

test('the page says without JavaScript that nothing happens', async () => {
  const { text } = await stranger().get(await firstLink(user, 'spam-release'), { accept: 'text/html' });
  assert.match(text, /<noscript>[^<]*nothing happens here/);
});

test('a link works once, of twenty at the same time too, and the second use is told kindly when (promise 54)', async () => {
  const path = await firstLink(user, 'spam-release');
  const browsers = Array.from({ length: 20 }, stranger);
  const replies = await Promise.all(browsers.map(browser => release(browser, path)));
  const outcomes = replies.map(({ body }) => body.Result?.outcome);
  assert.deepEqual(outcomes.filter(one => one === 'done').length, 1);
  assert.deepEqual(outcomes.filter(one => one === 'already').length, 19);
  assert.equal(new Set(replies.map(({ body }) => body.Result.at)).size, 1);
  assert.equal(await released(), 1);
  const sent = await sandbox.db.selectFrom('outbox').selectAll().where('body', 'like', 'Released%').execute();
  assert.deepEqual(
    sent.map(({ recipient }) => recipient),
    [user],
  );
});

test('two portals, with a cloud each where they share a database, release it once', async t => {
  const isShared = 'databaseUrl' in sandbox.storage;
  const other = isShared ? await startSandbox({ storage: sandbox.storage }) : sandbox;
  if (isShared) t.after(() => other.app.close());
  const second = await startPortal({ cloudUrl: other.url });
  t.after(() => second.close());
  const path = await firstLink(administrator, 'spam-release');
  const replies = await Promise.all([release(stranger(), path), release(second.client(), path)]);
  assert.deepEqual(replies.map(({ body }) => body.Result.outcome).sort(), ['already', 'done']);
});

test('wrong links all look alike: unknown, changed, for another purpose or user, over-long, right to left', async () => {
  const path = (await linksTo(sandbox, administrator, 'spam-release')).at(-1) as string;
  const [mid, uid] = partsOf(path);
  const [, archiveToken] = partsOf(await firstLink(user, 'verify-email-archive-access'));
  const wrong = [
    [mid, '20003'],
    [uid, mid],
    [`${mid.slice(0, -1)}${mid.endsWith('A') ? 'B' : 'A'}`, uid],
    [archiveToken, '20003'],
    ['x'.repeat(5000), uid],
    [mid, '9'.repeat(150)],
    ['\u202Eabc', '😀'],
    ["' or 1=1 --", uid],
    ['__proto__', 'constructor'],
  ] as [string, string][];
  const before = await released();
  const told = new Set<string>();
  for (const [first, second] of wrong) {
    const reply = await release(stranger(), `/spam-release/${encodeURIComponent(first)}/${encodeURIComponent(second)}`);
    assert.ok(isSignedOut(reply), `${first} ${second}: ${reply.text}`);
    told.add(`${reply.status} ${reply.text} ${[...reply.headers.keys()].join()}`);
  }
  assert.equal(told.size, 1);
  assert.equal(await released(), before);
  assert.equal((await release(stranger(), path)).body.Result.outcome, 'done');
});

test('a link is of one purpose: one for searching does not export, and none of the archive releases mail', async () => {
  const paths = await linksTo(sandbox, user, 'verify-email-archive-access');
  const search = paths.find(path => path.includes('/search/')) as string;
  const [, token] = partsOf(search);
  for (const kind of ['export', 'SEARCH', 'archive-search', '../search']) {
    const reply = await verify(stranger(), `/x/${encodeURIComponent(kind)}/${token}`);
    assert.deepEqual(reply.body.Result, { outcome: 'refused' }, kind);
  }
  const done = await verify(stranger(), search);
  assert.equal(done.body.Result.outcome, 'done');
  const again = await verify(stranger(), search);
  assert.deepEqual(again.body.Result, { outcome: 'already', at: done.body.Result.at });
  const verified = await sandbox.db
    .selectFrom('archive_requests')
    .selectAll()
    .where('verified', 'is not', null)
    .execute();
  assert.deepEqual(
    verified.map(({ access_type }) => access_type),
    ['search'],
  );
});

test('a link that is incomplete or does not work says so, and leaves the session of whoever opened it alone', async () => {
  for (const given of [{}, { mid: 'x' }, { uid: '1' }, { mid: 'x', uid: '1' }, { mid: '', uid: '' }]) {
    const browser = await portal.signIn(user);
    await browser.get('/spam-release/x/1', { accept: 'text/html' });
    const reply = await browser.press('spam-release', 'release', 'command:links.release-spam', { with: given });
    assert.deepEqual(reply.body.Result, { outcome: 'refused' });
    assert.deepEqual(reply.headers.getSetCookie(), []);
    assert.equal((await browser.get('/ui/boot')).body.principal.type, 'endUser');
    assert.ok(isSignedOut(await release(stranger(), '/spam-release/x/1')));
  }
  assert.deepEqual(await audited('session.sign-out'), []);
});

test('a link to confirm that does not work or is incomplete says so and leaves the session', async () => {
  const browser = await portal.signIn(user);
  for (const path of ['/x/search/nonsense', '/x/search/'])
    assert.deepEqual((await verify(browser, path)).body.Result, { outcome: 'refused' });
  assert.equal((await browser.get('/ui/boot')).body.principal.type, 'endUser');
  assert.ok(isSignedOut(await verify(stranger(), '/x/search/')));
});

test('who is signed in can use a link too, and stays signed in', async () => {
  const browser = await portal.signIn(administrator);
  const [path] = (await linksTo(sandbox, administrator, 'verify-email-archive-access')) as [string];
  assert.equal((await verify(browser, path)).body.Result.outcome, 'done');
  assert.equal((await browser.get('/ui/boot')).body.principal.type, 'endUserAdmin');
  const [record] = await audited('link.archive-access');
  assert.deepEqual([record?.outcome, record?.account, record?.device], ['done', administrator, 'Unknown device']);
});

test('an incomplete address leads to a page that says so; who is signed in stays signed in', async () => {
  const browser = await portal.signIn(user);
  for (const path of ['/spam-release', '/spam-release/abc', '/verify-email-archive-access/search']) {
    const reply = await browser.get(path, { accept: 'text/html' });
    assert.equal(reply.status, 302, path);
    assert.match(reply.headers.get('location') ?? '', /^\/incomplete-link/);
  }
  assert.equal((await browser.get('/ui/boot')).body.principal.type, 'endUser');
  const reply = await browser.press('incomplete-link', 'leave', 'command:links.release-spam');
  assert.deepEqual(reply.body.Result, { outcome: 'refused' });
  assert.equal((await browser.get('/ui/boot')).body.principal.type, 'endUser');
  assert.ok(isSignedOut(await stranger().press('incomplete-link', 'leave', 'command:links.release-spam')));
});

test('an address that tries many links has to wait; waiting ends no session, and others are let through', async () => {
  const guesser = stranger();
  const statuses: number[] = [];
  for (let count = 0; count < 32; count++)
    statuses.push((await release(guesser, `/spam-release/guess${count}/20003`)).status);
  assertEvery(statuses.slice(0, 29), status => status === 200);
  const refused = await release(guesser, '/spam-release/guess/20003');
  assert.equal(refused.status, 429);
  assert.ok(!isSignedOut(refused));
  assert.equal((await release(stranger(), '/spam-release/guess/20003')).status, 200);
  portalNow += 16 * 60_000;
  assert.equal((await release(guesser, '/spam-release/guess/20003')).status, 200);
});

test('a cloud that cannot be reached ends no session and uses nothing up', async t => {
  const broken = await startPortal({ cloudUrl: 'http://127.0.0.1:9' });
  t.after(() => broken.close());
  const reply = await release(broken.client(), '/spam-release/x/1');
  assert.equal(reply.status, 502);
  assert.ok(!isSignedOut(reply));
});

test('the tokens of links stand in no table of the cloud but the mails', async () => {
  const [path] = (await linksTo(sandbox, administrator, 'spam-release')) as [string];
  const [token] = partsOf(path);
  await release(stranger(), path);
  const kept = await sandbox.db.selectFrom('link_tokens').selectAll().execute();
  assert.ok(!JSON.stringify(notEmpty(kept)).includes(token));
  assert.ok(Buffer.from(token, 'base64url').length >= 16);
});

test('a link is over after thirty days, and what still waits gets a new one at the configured address (promise 56)', async () => {
  const old = (await linksTo(sandbox, user, 'spam-release')).at(-1) as string;
  // What the cloud was seeded with may be newer than the moment this file began at.
  cloudNow += linkLife + 3_600_000;
  assert.ok(isSignedOut(await release(stranger(), old)));
  await sendWaitingLinks(sandbox.db, 'https://portal.example.test', new Date(cloudNow));
  const mails = await sandbox.db
    .selectFrom('outbox')
    .select('body')
    .where('body', 'like', '%portal.example.test%')
    .execute();
  assert.ok(mails.length > 0);
  await sendWaitingLinks(sandbox.db, 'https://portal.example.test', new Date(cloudNow));
  assert.equal(
    (await sandbox.db.selectFrom('outbox').select('id').where('body', 'like', '%portal.example.test%').execute())
      .length,
    mails.length,
  );
  assert.equal((await release(stranger(), await firstLink(user, 'spam-release'))).body.Result.outcome, 'done');
});
