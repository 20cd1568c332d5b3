import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import type { NavigationLayout } from '../../shared/language/types.ts';
import { type Client, withPortal } from '../fixtures/portal.ts';
import { withSandbox } from '../fixtures/sandbox.ts';

// The Support dropdown (document 1, section 2.6) by the views and flags that decide on its entries.

const sandbox = withSandbox();
const portal = withPortal(sandbox, () => ({
  env: { SITE_ORIGINS: sandbox.url, LIVE_CHAT_URL: `${sandbox.url}/live-chat`, LIVE_CHAT_LICENCE: '7' },
}));
const username = 'reseller@northwind.test';

type Without = { readonly views?: readonly string[]; readonly permissions?: readonly string[]; readonly flag?: string };

/** Does something as the reseller, signed in without some views, permissions or a flag. */
async function without(
  { views = [], permissions = [], flag }: Without,
  work: (client: Client) => Promise<void>,
): Promise<void> {
  const { db } = sandbox;
  const account = sql`(select id from accounts where username = ${username})`;
  await sql`drop table if exists held`.execute(db);
  await sql`create table held as select * from account_permissions where account_id = ${account}`.execute(db);
  try {
    await sql`
      update account_permissions set
        views = array(select unnest(views) except select unnest(${views}::text[])),
        permissions = array(select unnest(permissions) except select unnest(${permissions}::text[]))
      where account_id = ${account}`.execute(db);
    if (flag)
      await sql`insert into feature_overrides (account_id, feature_name, enabled) values (${account}, ${flag}, false)`.execute(
        db,
      );
    await work(await portal.signIn(username));
  } finally {
    await sql`update account_permissions p set views = h.views, permissions = h.permissions
      from held h where p.account_id = h.account_id`.execute(db);
    if (flag) await sql`delete from feature_overrides where feature_name = ${flag}`.execute(db);
  }
}

/** The entries of the dropdown, in their order, by what they are told apart by in tests. */
async function entriesOf(client: Client): Promise<string[]> {
  const { body } = await client.get('/ui/boot');
  const { main } = (body as { navigation: NavigationLayout }).navigation;
  const support = main?.find(({ testId }) => testId === 'nav-support');
  return (support?.items ?? []).map(({ testId = '' }) => testId.replace('nav-', ''));
}

const all = [
  ...['support-overview', 'tickets', 'network-status', 'community', 'knowledge-base', 'academy'],
  ...['support-callback', 'live-chat'],
];
const but = (...gone: string[]) => all.filter(name => !gone.includes(name));

test('Support has overview, tickets, status page, community, knowledge base, academy, then how else to reach us', async () => {
  await without({}, async client => assert.deepEqual(await entriesOf(client), all));
});

for (const [what, lacking, entries] of [
  ['the view community', { views: ['community'] }, but('community')],
  ['the view knowledgeBase', { views: ['knowledgeBase'] }, but('knowledge-base')],
  ['the view academy', { views: ['academy'] }, but('academy')],
  ['the view support', { views: ['support'] }, but('network-status')],
  [
    'the view support and the permission for tickets',
    { views: ['support'], permissions: ['submitAndRespondToAllTickets'] },
    but('support-overview', 'tickets', 'network-status', 'support-callback', 'live-chat'),
  ],
  ['the permission liveChat', { permissions: ['liveChat'] }, but('live-chat')],
  ['the flag LiveChat', { flag: 'LiveChat' }, but('live-chat')],
  [
    'the flag NewStatusPage',
    { flag: 'NewStatusPage' },
    all.map(name => (name === 'network-status' ? 'status-page' : name)),
  ],
  [
    'the flag of the knowledge base',
    { flag: 'KnowledgeBase' },
    all.map(name => (name === 'knowledge-base' ? 'help-centre' : name)),
  ],
] as const)
  test(`Support without ${what}`, async () => {
    await without(lacking, async client => assert.deepEqual(await entriesOf(client), entries));
  });

test('without the flag NewStatusPage the status page is that of the cloud', async () => {
  await without({ flag: 'NewStatusPage' }, async client => {
    const pressed = { node: 'status-page', layout: 'navigation' };
    const { status, body } = await client.post('/ui/command/site.status-page', pressed);
    assert.deepEqual([status, body.effects], [200, [{ do: 'leave', to: `${sandbox.url}/status` }]]);
  });
});
