import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sandboxLicence } from '../../server/sandbox/sites/live-chat/licence.ts';
import { longestMessage } from '../../server/sandbox/sites/live-chat/pages.ts';
import { withSandbox, withTokens } from '../fixtures/sandbox.ts';

// A Monday at noon in London: support is there.
let now = Date.UTC(2027, 0, 4, 12);
const sandbox = withSandbox({ now: () => new Date(now), tokenSeconds: 90 * 86_400 });
const tokens = withTokens(sandbox, ['reseller@northwind.test', 'engineer@northwind.test', 'rival@southridge.test']);

type Page = { readonly status: number; readonly text: string; readonly policy: string };
const send = async (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) => {
  const reply = await fetch(sandbox.liveChatUrl() + path, {
    method: 'POST',
    headers,
    body: new URLSearchParams(fields),
  });
  const policy = reply.headers.get('content-security-policy') ?? '';
  assert.equal(reply.headers.get('set-cookie'), null);
  return { status: reply.status, text: await reply.text(), policy } satisfies Page;
};
const issue = async (who = tokens.reseller!): Promise<string> =>
  (await sandbox.call(who, 'GET', '/api/support/live-chat-token')).body.Result.Token;
const enter = (token: string, licence = sandboxLicence) => send('/', { token, licence });
const visitOf = ({ text }: Page) => /name="visit" value="([^"]+)"/.exec(text)?.[1] ?? '';
const said = ({ text }: Page): string[] =>
  [...text.matchAll(/<li[^>]*><small>[^<]*<\/small>([^<]*)<\/li>/g)].map(([, content = '']) => content);
const write = (visit: string, text: string) => send('/message', { visit, text });

test('a token opens the chat once, within a minute, with its licence, and no other site', async () => {
  const token = await issue();
  const claims = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString());
  assert.deepEqual([claims.aud, claims.name, claims.email], ['live-chat', 'Priya Raman', 'reseller@northwind.test']);
  assert.match(claims.org, /^\d+$/);
  assert.equal(claims.exp - claims.iat, 60);
  assert.equal((await enter(token, '1')).status, 403, 'another licence');
  const elsewhere = await fetch(`${sandbox.url}/help-centre`, { method: 'POST', body: new URLSearchParams({ token }) });
  assert.equal(elsewhere.status, 403);
  const opened = await enter(token);
  assert.equal(opened.status, 200);
  assert.match(opened.text, /You are Priya Raman \(reseller@northwind\.test\), Northwind/);
  assert.match(opened.policy, /frame-ancestors http:\/\/127\.0\.0\.1:3000$/);
  assert.doesNotMatch(opened.policy, /unsafe|\*/);
  const again = await enter(token);
  assert.equal(again.status, 403, 'used');
  assert.doesNotMatch(again.text, /Priya|visit/);
  const old = await issue();
  now += 60_000;
  assert.equal((await enter(old)).status, 403, 'too old');
  for (const wrong of ['', 'a.b.c', `${await issue()}x`]) assert.equal((await enter(wrong)).status, 403);
});

test('the agent knows who writes, answers, and makes a ticket of what was written', async () => {
  const { db } = sandbox;
  await db.deleteFrom('chat_messages').execute();
  const opened = await enter(await issue());
  const visit = visitOf(opened);
  assert.match(said(opened)[0]!, /^Hello Priya.*reseller@northwind\.test.*Northwind.*open ticket/);
  const failed = await write(visit, 'An activation of Contoso failed');
  assert.match(said(failed).at(-1)!, /which reference number/);
  assert.match(said(await write(visit, 'Who am I?')).at(-1)!, /your name \(Priya Raman\)/);
  const made = await send('/ticket', { visit });
  const [, id = ''] = /ticket (\d+) with all/.exec(said(made).at(-1)!) ?? [];
  const { body } = await sandbox.call(tokens.reseller!, 'GET', `/api/support/GetDetailTicket/${id}`);
  assert.deepEqual(
    [body.Result.Subject, body.Result.Author],
    ['Live chat: An activation of Contoso failed', 'Priya Raman'],
  );
  const history = await sandbox.call(tokens.reseller!, 'GET', `/api/support/GetDetailHistorySupportTicket/${id}`);
  assert.match(history.body.Result[0].Content, /Priya Raman: An activation of Contoso failed\n\nSupport: I am sorry/);
  assert.match(said(await write(visit, `How is ${id}?`)).at(-1)!, /is with support/);
  // No message is in two tickets.
  await db.deleteFrom('chat_messages').where('content', 'like', 'How is%').execute();
  assert.match(said(await send('/ticket', { visit })).at(-1)!, /could not make a ticket/);

  const back = await enter(await issue());
  assert.match(said(back).at(-1)!, /^Welcome back, Priya/);
  assert.ok(said(back).includes('An activation of Contoso failed'), 'it goes on where it was');
  const other = await enter(await issue(tokens.rival));
  assert.ok(!other.text.includes('Contoso'), 'nobody else sees it');
});

test('bad input is told, and nothing that was typed is lost', async () => {
  const visit = visitOf(await enter(await issue()));
  assert.match((await write(visit, ' \n')).text, /Write a message first/);
  const long = await write(visit, 'x'.repeat(longestMessage + 1));
  assert.match(long.text, /at most 2000 characters/);
  assert.ok(long.text.includes('x'.repeat(longestMessage)));
  const markup = await write(visit, '<script>alert(1)</script>');
  assert.doesNotMatch(markup.text, /<script>alert/);
  assert.equal((await write('none', 'Hello')).status, 403);
  assert.equal((await send('/', {}, { host: 'evil.test' })).status >= 400, true);
  const huge = await send('/message', { visit, text: 'x'.repeat(100_000) });
  assert.equal(huge.status, 413);
});

test('what an account writes is bounded, and what is old goes', async () => {
  const { db } = sandbox;
  await db.deleteFrom('chat_messages').execute();
  const opened = await enter(await issue());
  const visit = visitOf(opened);
  const { account_id } = await db.selectFrom('chat_messages').select('account_id').executeTakeFirstOrThrow();
  const row = { account_id, at: new Date(now), by_agent: false, content: 'again' };
  await db
    .insertInto('chat_messages')
    .values(Array.from({ length: 100 }, () => row))
    .execute();
  const refused = await write(visit, 'One more');
  assert.match(refused.text, /many messages in an hour/);
  assert.match(refused.text, />One more<\/textarea>/);
  now += 3_600_001;
  assert.equal(said(await write(visit, 'One more')).at(-2), 'One more');
  await db
    .insertInto('chat_messages')
    .values(Array.from({ length: 200 }, () => row))
    .execute();
  assert.equal(said(await write(visit, 'Last')).length, 200);
  const kept = await db.selectFrom('chat_messages').select('id').execute();
  assert.equal(kept.length, 200);
  for (let left = 7; left > 0; left--) await enter(await issue());
  assert.equal(
    (await db.selectFrom('chat_visits').select('key').where('account_id', '=', account_id).execute()).length,
    5,
  );
  now += 31 * 86_400_000;
  assert.equal(said(await enter(await issue())).length, 1);
});

test('after hours the agent says that nobody reads along; without the right nobody gets a token', async () => {
  const visit = visitOf(await enter(await issue()));
  now = Date.parse('2027-03-26T12:00Z');
  const late = visitOf(await enter(await issue()));
  assert.match(said(await write(late, 'Hello')).at(-1)!, /Support has gone home/);
  assert.equal((await write(visit, 'Hello')).status, 403, 'the page is over');
  await sandbox.db
    .updateTable('account_permissions')
    .set({ permissions: ['addProducts'], own_permissions: ['addProducts'] })
    .where('account_id', '=', eb =>
      eb.selectFrom('accounts').select('id').where('username', '=', 'rival@southridge.test'),
    )
    .execute();
  const { status } = await sandbox.call(tokens.rival!, 'GET', '/api/support/live-chat-token');
  assert.equal(status, 403);
});
