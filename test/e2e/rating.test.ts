import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { axe } from '../fixtures/browser.ts';
import { eventually } from '../fixtures/eventually.ts';
import { inspect } from '../fixtures/inspect.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { withPortalBefore } from '../fixtures/shared-portal.ts';
import { openPageAs } from '../fixtures/signed-in-page.ts';

const cloud = withSandbox();
const portal = withPortalBefore(cloud);
const phone = { viewport: { width: 390, height: 844 } };

/** Has somebody read three articles an hour ago, as if asking had begun before. */
async function haveRead(username: string): Promise<void> {
  await sql`update rating_features set since = now() - interval '1 day'`.execute(cloud.db);
  await sql`insert into kb_openings (account_id, article_id, opened)
    select a.id, k.id, now() - interval '1 hour' from accounts a, (select id from kb_articles order by id limit 3) k
    where a.username = ${username}`.execute(cloud.db);
}
const said = () => cloud.db.selectFrom('ratings').select(['rating', 'comments']).orderBy('at').execute();

test('a rating is asked for once in a browser, on a phone and by keyboard, and is sent with words', async t => {
  await haveRead('user@contoso.test');
  const page = await openPageAs(t, portal, 'user@contoso.test', '/knowledge-base', phone);
  const popup = page.getByTestId('popup-rate-it');
  await popup.getByTestId('up').waitFor();
  await axe(page);
  assert.equal(await popup.getByRole('textbox').count(), 0, 'a thumb comes first');
  await popup.getByTestId('down').press('Enter');
  await popup.getByRole('textbox').fill('Show me more pictures.');
  await inspect(page, 'rate-it-phone');
  await popup.getByTestId('up').click();
  await popup.getByRole('button', { name: 'Send' }).press('Enter');
  await popup.waitFor({ state: 'detached' });
  assert.deepEqual(await said(), [{ rating: 'Up', comments: 'Show me more pictures.' }]);
});

test('later hides the question from this browser, and another one closes it without a rating', async t => {
  await haveRead('admin@contoso.test');
  const page = await openPageAs(t, portal, 'admin@contoso.test', '/knowledge-base');
  const popup = page.getByTestId('popup-rate-it');
  await popup.getByTestId('later').click();
  await popup.waitFor({ state: 'detached' });
  await page.clock.install();
  await page.goto(`${portal.url}/knowledge-base`);
  await page.getByTestId('categories').waitFor();
  await page.clock.runFor(60_000);
  assert.equal(await popup.count(), 0);

  const elsewhere = await openPageAs(t, portal, 'admin@contoso.test', '/knowledge-base');
  const question = elsewhere.getByTestId('popup-rate-it');
  await question.getByTestId('down').waitFor();
  await elsewhere.keyboard.press('Escape');
  await question.waitFor({ state: 'detached' });
  await eventually(async () => (await said()).some(({ rating }) => rating === null), 'it is closed without a rating');
});

test('nobody is asked over a form, until it is left', async t => {
  await haveRead('reseller@northwind.test');
  const page = await openPageAs(t, portal, 'reseller@northwind.test', '/customers/add');
  await page.clock.install();
  await page.reload();
  await page.getByTestId('customer-name').fill('Harbour Cafe');
  await page.clock.runFor(60_000);
  const popup = page.getByTestId('popup-rate-it');
  assert.equal(await popup.count(), 0);
  await page.getByTestId('customer-name').fill('');
  await page.getByTestId('nav-dashboard').click();
  await page.clock.resume();
  await popup.getByTestId('later').waitFor();
});

test('of two windows that are opened at the same moment one asks, and the other has heard of it', async t => {
  await haveRead('engineer@northwind.test');
  const page = await openPageAs(t, portal, 'engineer@northwind.test', '/knowledge-base');
  const other = await page.context().newPage();
  await page.context().clock.install();
  const pages = [page, other];
  await Promise.all(pages.map(one => one.goto(`${portal.url}/knowledge-base`)));
  await Promise.all(pages.map(one => one.getByTestId('categories').waitFor()));
  // The task begins once the answer is there that names what is to be rated.
  const asking = () => Promise.all(pages.map(one => one.getByTestId('popup-rate-it').count()));
  await eventually(async () => {
    await page.context().clock.runFor(4000);
    return (await asking()).some(count => count > 0);
  }, 'one window asks');
  await page.context().clock.runFor(60_000);
  assert.deepEqual((await asking()).sort(), [0, 1]);
});
