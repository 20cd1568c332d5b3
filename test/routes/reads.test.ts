import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import type { Boot } from '../../shared/contract/boot.ts';
import { type Client, type StartedPortal, withPortal } from '../fixtures/portal.ts';
import { type Route, registeredRoutes } from '../fixtures/routes.ts';
import { withSandbox } from '../fixtures/sandbox.ts';

const sandbox = withSandbox();
const portal = withPortal(sandbox);

type Runs = {
  run<T>(work: (db: Parameters<Parameters<StartedPortal['store']['run']>[0]>[0]) => Promise<T>): Promise<T>;
};

/** Every row of a database, but logs and the moment at which a session was last used. */
async function contents(run: Runs['run'], schema: string, logs: readonly string[]): Promise<Map<string, string>> {
  return run(async db => {
    const { rows: tables } = await sql<{ name: string }>`
      select table_name as name from information_schema.tables
      where table_schema = ${schema} and table_type = 'BASE TABLE' order by 1`.execute(db);
    const found = new Map<string, string>();
    // When somebody was seen, and when the cloud was last asked who that is, are not what is meant.
    for (const { name } of tables.filter(table => !logs.includes(table.name))) {
      const { rows } = await sql<{ row: Record<string, unknown> }>`
        select to_jsonb(t) as row from ${sql.id(schema, name)} t`.execute(db);
      found.set(
        name,
        rows
          .map(({ row: { seen_at: _, principal_at: __, last_used: ___, ...rest } }) => JSON.stringify(rest))
          .sort()
          .join('\n'),
      );
    }
    return found;
  });
}

async function everything(): Promise<Map<string, string>> {
  const own = await contents(portal.store.run, 'portal', ['audit', 'kysely_migration', 'kysely_migration_lock']);
  const sandboxDb = sandbox.db as unknown as Parameters<Parameters<Runs['run']>[0]>[0];
  // What the cloud keeps of a business system is read again when it is old; its matches and its connection are not.
  const copies = ['syncs', 'records', 'contracts', 'lines', 'reports', 'report_rows'].map(name => `psa_${name}`);
  // Words that were searched in vain are a log.
  const cloud = await contents(work => work(sandboxDb), 'sandbox', [...copies, 'kb_misses']);
  assert.ok(own.size > 3 && cloud.size > 20, `${own.size} ${cloud.size}`);
  return new Map([...own, ...[...cloud].map(([name, text]) => [`cloud ${name}`, text] as const)]);
}

/** Tells which operations stand in a layout of a caller. */
async function mentionedTo(browser: Client): Promise<(operation: string) => boolean> {
  const { routes, popups } = (await browser.get('/ui/boot')).body as Boot;
  const texts: string[] = [];
  for (const hash of [...routes.map(([, , hash]) => hash), ...Object.values(popups)])
    texts.push((await browser.get(`/ui/layouts/${hash}`)).text);
  const all = texts.join();
  return operation => all.includes(`"${operation}"`);
}

/** Addresses that a stranger may lead somebody to. */
const lures = [
  ...['/incomplete-link', '/spam-release', '/spam-release/a', '/spam-release/a/1', '/logout', '/sign-out'],
  ...['/verify-email-archive-access/search', '/verify-email-archive-access/search/x', '/jump?cmtoken=a&adminid=1'],
  ...['/auth/sign-out', '/auth/login', '/auth/switch-user', '/auth/callback?code=a&state=b', '/auth/callback?error=x'],
  ...[
    '/redirect?redirectUrl=https://evil.test',
    '/login?notice=session-ended',
    '/other-organisation?return=/customers',
  ],
  ...['/ui/command/links.release-spam', '/ui/call/customers.suspend', '/ui/command/auth.sign-in-anew'],
];

/** Screens with the parameters of their addresses filled in, and where a stranger may lead somebody. */
async function addressesOf(browser: Client): Promise<string[]> {
  const { routes } = (await browser.get('/ui/boot')).body as { routes: [string][] };
  const screens = routes.map(([pattern]) => pattern.replaceAll(/\{\w+\}/g, '10001'));
  return [...screens, ...screens.map(path => `/ui/screen?path=${encodeURIComponent(path)}`), ...lures];
}

for (const username of ['reseller@northwind.test', 'admin@contoso.test', 'user@contoso.test'])
  test(`no GET changes a session, a record or a setting of ${username}, whatever is asked for`, async () => {
    const browser = await portal.signIn(username);
    const { cookie } = browser;
    const routes = (await registeredRoutes(portal.app)).filter(({ method }: Route) => method === 'GET');
    const mayAsk = await mentionedTo(browser);
    const examples = new Set((await registeredRoutes(portal.app, 'examples')).map(({ path }) => path));
    // What a caller may not ask for is refused before anything is done, for which some examples are enough.
    const asked = routes
      .map(({ path }) => path)
      .filter(path => examples.has(path) || mayAsk(path.split('/').at(-1) ?? ''));
    const paths = [...asked, ...(await addressesOf(browser))];
    assert.ok(asked.length > 50, `only ${asked.length}`);
    let answered = 0;
    const before = await everything();
    for (const more of ['', '; portal-organisation=4711'])
      for (const path of more === '' ? paths : lures.filter(one => !one.startsWith('/ui/'))) {
        browser.cookie = cookie + more;
        const reply = await browser.get(path, { accept: 'text/html, */*', 'sec-fetch-site': 'cross-site' });
        const ended = reply.headers.getSetCookie().filter(line => /^(?:__Host-portal|portal-organisation)=/.test(line));
        assert.deepEqual(ended, [], path);
        if (reply.status === 200 && path.startsWith('/ui/data/')) answered += 1;
      }
    assert.ok(answered > 5, `only ${answered} operations answered`);
    const after = await everything();
    for (const [table, rows] of before) assert.equal(after.get(table), rows, table);
    browser.cookie = cookie;
    assert.notEqual((await browser.get('/ui/boot')).body.principal.type, 'public');
  });
