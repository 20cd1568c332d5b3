import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPayload, signPayload, writePayload } from '../../server/sandbox/sites/discourse-connect.ts';
import { readSecret } from '../../server/sandbox/sites/secrets.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { setUp } from '../fixtures/set-up.ts';

let now = Date.now();
const sandbox = withSandbox({ now: () => new Date(now), tokenSeconds: 86_400 });
let token: string;
setUp(async () => {
  token = await sandbox.signIn('reseller@northwind.test');
});

test('a payload is signed as the published example of DiscourseConnect', () => {
  const payload = 'bm9uY2U9Y2I2ODI1MWVlZmI1MjExZTU4YzAwZmYxMzk1ZjBjMGI=\n';
  const signature = '2828aa29899722b35a2f191d34ef9b3ce695e0e6eeec47deb46d588d70c7cb56';
  const secret = 'd836444a9e4084d5b224a60c208dce14';
  assert.equal(signPayload(secret, payload), signature);
  assert.equal(readPayload(secret, payload, signature)?.get('nonce'), 'cb68251eefb5211e58c00ff1395f0c0b');
  for (const [other, changed] of [
    [payload, signature.replace('2', '3')],
    [payload.trim(), signature],
    [payload, ''],
    [`${payload}x`, signature],
  ] as const)
    assert.equal(readPayload(secret, other, changed), undefined);
});

const answer = ({ sso, sig }: { sso: string; sig: string }, who = token) =>
  sandbox.call(who, 'GET', `/api/forum/token?${new URLSearchParams({ sso, sig })}`);
/** The question of the forum as it sends a browser to the portal with it. */
async function question() {
  const reply = await fetch(`${sandbox.url}/community/session/sso`, { redirect: 'manual' });
  const { searchParams } = new URL(reply.headers.get('location') ?? '');
  return { sso: searchParams.get('sso') ?? '', sig: searchParams.get('sig') ?? '' };
}
const enter = async (address: string) => {
  const reply = await fetch(address, { redirect: 'manual' });
  return [reply.status, reply.headers.get('location')];
};

test('a question of the forum is answered once, and the answer lets in once, for ten minutes', async () => {
  const asked = await question();
  const { Address } = (await answer(asked)).body.Result;
  assert.equal((await answer(asked)).status, 404, 'a nonce is answered once');
  assert.equal(new URL(Address).origin, sandbox.url);
  assert.deepEqual(await enter(Address), [302, '/community']);
  assert.equal((await enter(Address))[0], 403);

  const late = (await answer(await question())).body.Result.Address;
  now += 10 * 60_000 + 1;
  assert.equal((await enter(late))[0], 403);
  await question();
  const kept = await sandbox.db.selectFrom('forum_questions').select('cookie').execute();
  assert.deepEqual(kept.map(({ cookie }) => cookie !== null).sort(), [false, true], 'the late one is forgotten');
});

test('only what the forum has signed is answered, and it leads back to the forum alone', async () => {
  const secret = await readSecret(sandbox.db, 'forum');
  const nonce = 'cb68251eefb5211e58c00ff1395f0c0b';
  for (const return_sso_url of ['https://evil.test/', `${sandbox.url}.evil.test/`, 'javascript:alert(1)', ''])
    assert.equal((await answer(writePayload(secret, { nonce, return_sso_url }))).status, 404, return_sso_url);
  const asked = await question();
  const forged = writePayload('another', { nonce, return_sso_url: `${sandbox.url}/community/session/sso_login` });
  assert.equal((await answer(forged)).status, 404);
  assert.equal((await answer({ ...asked, sig: forged.sig })).status, 404);
  const outsider = await sandbox.signIn('noaccess@northwind.test');
  assert.equal((await answer(asked, outsider)).status, 403);
  assert.equal((await answer(asked)).status, 200, 'what was refused has used nothing up');
});

const send = (site: string, sent: string) =>
  fetch(`${sandbox.url}/${site}`, { method: 'POST', body: new URLSearchParams({ token: sent }) });

test('a token opens its own site once, within a minute, and nothing that was changed does', async () => {
  const issue = async (path: string) => (await sandbox.call(token, 'GET', path)).body.Result.Token as string;
  const help = await issue('/api/knowledge-base/help-juice-token');
  assert.equal((await send('server-portal', help)).status, 403, 'another site');
  const [head, body = '', signature] = help.split('.');
  const other = Buffer.from(body, 'base64url').toString().replace('Priya', 'Maria');
  for (const wrong of [`${head}.${Buffer.from(other).toString('base64url')}.${signature}`, `${help}x`, '', 'a.b.c'])
    assert.equal((await send('help-centre', wrong)).status, 403);
  const opened = await send('help-centre', help);
  assert.equal(opened.status, 200);
  assert.match(await opened.text(), /You are Priya Raman/);
  assert.equal((await send('help-centre', help)).status, 403, 'used');
  const servers = await issue('/api/cloud-server/token');
  now += 60_000;
  assert.equal((await send('server-portal', servers)).status, 403, 'too old');
});
