import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { eventually } from '../fixtures/eventually.ts';
import { type Client, type StartedPortal, withClient, withPortal } from '../fixtures/portal.ts';
import { findPostgres, freshDatabase, startPostgres } from '../fixtures/postgres.ts';
import { withRecordingProxy } from '../fixtures/recording-proxy.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { withStarted } from '../fixtures/set-up.ts';

const paper = '/ui/downloads/agreements.download?agreementId=2';
const binaries = findPostgres();

/** Two processes on one database are what only PostgreSQL can do. */
if (binaries !== undefined) {
  const sandbox = withSandbox();
  const proxy = withRecordingProxy(sandbox);
  const database = withStarted(
    'The database of two portals',
    async () => {
      const postgres = await startPostgres(binaries);
      const { url, drop } = await freshDatabase(postgres.url);
      return { url, close: () => drop().finally(postgres.stop) };
    },
    ({ close }) => close(),
  );
  const options = () => ({ env: { DATABASE_URL: database.url } });
  const one = withPortal(proxy, options);
  const other = withPortal(proxy, options);
  const reseller = withClient(one, 'reseller@northwind.test');
  const engineer = withClient(one, 'engineer@northwind.test');

  /** The same browser at another process. */
  const at = (portal: StartedPortal, { cookie }: Client): Client => Object.assign(portal.client(), { cookie });

  /** A link that is good for longer than its second, as a busy machine may take that long. */
  const lasting = async (who: Client): Promise<string> => {
    const link = await who.linkTo(paper);
    await setLife(`1 hour`);
    return link;
  };
  const setLife = (life: string) =>
    one.store.run(db =>
      db
        .updateTable('download_links')
        .set({ expires_at: sql<Date>`now() + ${life}::interval` })
        .execute(),
    );

  test('of many requests for one link on two processes at the same time exactly one has the file', async () => {
    const link = await lasting(reseller);
    const second = at(other, reseller);
    const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => (n % 2 ? second : reseller).get(link)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(9).fill(410)]);
    const lost = answers.find(({ status }) => status === 410);
    assert.equal(lost?.body.Resources.code, 'DOWNLOAD_LINK_ENDED');
    assert.match(lost?.body.Error, /used or is too old/);
  });

  test('looking and fetching ahead leave a link good, and ask nothing of the cloud', async () => {
    const link = await lasting(reseller);
    proxy.exchanges.length = 0;
    const head = await fetch(one.url + link, { method: 'HEAD', headers: { cookie: reseller.cookie } });
    assert.equal(head.status, 204);
    for (const headers of [{ 'sec-purpose': 'prefetch;prerender' }, { purpose: 'prefetch' }, { 'x-moz': 'prefetch' }])
      assert.equal((await at(other, reseller).get(link, headers)).status, 204, JSON.stringify(headers));
    assert.deepEqual(proxy.exchanges, []);
    assert.equal((await reseller.get(link)).status, 200);
  });

  test('a link is nothing to another session, another user or nobody, and stays good for its own', async () => {
    const link = await lasting(reseller);
    const again = await one.signIn('reseller@northwind.test');
    for (const who of [again, engineer]) assert.equal((await who.get(link)).status, 410);
    assert.equal((await one.client().get(link)).status, 401);
    for (const guess of ['none', '00000000-0000-4000-8000-000000000000', '%00'])
      assert.equal((await reseller.get(`/ui/downloads/${guess}`)).status, 410, guess);
    assert.equal((await reseller.get(link)).status, 200);
  });

  test('a link is over after its second, on the clock of the database, and is kept as a hash alone', async () => {
    const link = await reseller.linkTo(paper);
    const rows = await one.store.run(db => db.selectFrom('download_links').selectAll().execute());
    assert.doesNotMatch(JSON.stringify(rows), new RegExp(link.split('/').at(-1) ?? ''));
    const { rows: lives } = await one.store.run(db =>
      sql<{ left: number }>`select extract(epoch from max(expires_at) - now())::float as left
        from portal.download_links`.execute(db),
    );
    assert.ok((lives[0]?.left ?? 2) <= 1);
    await setLife('-1 second');
    assert.equal((await reseller.get(link)).status, 410);
  });

  test('what may be had is judged when it is fetched, and a link goes with its session', async () => {
    const own = await one.signIn('reseller@northwind.test');
    const link = await lasting(own);
    await at(other, own).post('/auth/sign-out');
    await eventually(async () => (await own.get(link)).status === 401);
    assert.equal((await engineer.post('/ui/downloads/billing.invoiceFile?documentId=1')).status, 403);
  });
}
