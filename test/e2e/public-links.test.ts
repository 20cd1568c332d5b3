import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { asSubject } from '../fixtures/as-subject.ts';
import { axe, newPage } from '../fixtures/browser.ts';
import { withBrowserPortal } from '../fixtures/browser-portal.ts';
import { freePort } from '../fixtures/free-port.ts';
import { setUp } from '../fixtures/set-up.ts';
import { openPageAs } from '../fixtures/signed-in-page.ts';

const user = 'user@contoso.test';

let port: string;
let outbox: string;
let partner: Server;
let partnerUrl: string;
setUp(
  async () => {
    partner = createServer((_, reply) => reply.setHeader('content-type', 'text/html').end('<h1>Partners</h1>'));
    await new Promise<void>(resolve => partner.listen(0, '127.0.0.1', resolve));
    partnerUrl = `http://127.0.0.1:${(partner.address() as AddressInfo).port}`;
    port = String(await freePort());
    outbox = `http://127.0.0.1:${port}/outbox`;
  },
  () => partner?.close(),
);
const portal = withBrowserPortal(() => ({ SANDBOX_PORT: port, REDIRECT_ALLOW: partnerUrl, FIRST_DATA_MS: '20000' }));

/** Paths of the links in the outbox to the end user that have not been used here. */
async function unusedLinks(word: string): Promise<string[]> {
  const text = await (await fetch(outbox)).text();
  const mails = text.split('<article>').filter(mail => mail.includes(user));
  return mails.flatMap(mail => new RegExp(`/${word}/[^\\s<"]+`).exec(mail) ?? []);
}

const dialogOf = (page: Page, name: string) => page.getByRole('dialog', { name });

test('a link from the outbox releases an email once; without JavaScript nothing happens and a line says so', async t => {
  const [path] = (await unusedLinks('spam-release')) as [string];
  const bare = await newPage(t, portal.browser, { javaScriptEnabled: false });
  await bare.goto(portal.url + path);
  const line = bare.locator('noscript');
  await line.waitFor();
  assert.match((await line.textContent()) ?? '', /nothing happens here/);

  const page = await newPage(t, portal.browser);
  await page.goto(portal.url + path);
  await page.getByRole('heading', { name: 'Email released' }).waitFor();
  await page
    .getByText('Spam email has been successfully scheduled for release and will arrive shortly.', { exact: true })
    .waitFor();
  await axe(page);
  await page.reload();
  await page.getByRole('heading', { name: 'Released already' }).waitFor();
  await page.getByText(/This email was released on \d/).waitFor();
  await page.getByTestId('go-home').click();
  await page.waitForURL('**/login');
});

test('access to the archive is confirmed or refused with an icon, a title and a message', async t => {
  const [path] = (await unusedLinks('verify-email-archive-access')) as [string];
  const page = await newPage(t, portal.browser);
  await page.goto(portal.url + path);
  await page.getByTestId('verified').locator('svg').waitFor();
  await page.getByRole('heading', { name: 'Access confirmed' }).waitFor();
  await page.goto(`${portal.url}/verify-email-archive-access/search/nonsense`);
  await page.getByTestId('not-verified').locator('svg').waitFor();
  await page.getByRole('heading', { name: 'We couldn’t confirm your access' }).waitFor();
});

test('a link that is incomplete or wrong says so to who is signed in, who stays signed in', async t => {
  const page = await openPageAs(t, portal, 'admin@contoso.test', '/opt-out');
  await page.getByTestId('opt-outs-form').waitFor();
  await page.goto(`${portal.url}/spam-release/only-one-part`);
  await page.getByRole('heading', { name: 'This link is incomplete' }).waitFor();
  await page.goto(`${portal.url}/spam-release/no-such/20003`);
  await page.getByRole('heading', { name: 'We couldn’t release that email' }).waitFor();
  await axe(page);
  await page.goto(`${portal.url}/opt-out`);
  await page.getByTestId('opt-outs-form').waitFor();
});

test('who is not signed in is led from such a link to the default sign-in, which says why', async t => {
  const page = await newPage(t, portal.browser);
  for (const path of ['/spam-release/only-one-part', '/spam-release/no-such/20003']) {
    await page.goto(`${portal.url}${path}`);
    await page.waitForURL('**/login?*');
    await page.getByText('That link is incomplete, wrong or too old. Nothing was done.').waitFor();
  }
});

test('a browser that another portal has signed in for another organisation is asked, and goes on or signs in anew', async t => {
  const page = await openPageAs(t, portal, 'admin@contoso.test', '/opt-out');
  const differ = () =>
    page.context().addCookies([{ name: 'portal-organisation', value: '4711', url: portal.url, httpOnly: true }]);
  await differ();
  await page.goto(`${portal.url}/opt-out`);
  await page.getByRole('heading', { name: 'You are signed in for another organisation' }).waitFor();
  await page.getByTestId('other-organisation').getByText('Contoso').waitFor();
  await axe(page);
  await page.getByTestId('other-organisation-stay').focus();
  await page.keyboard.press('Enter');
  await page.waitForURL('**/opt-out');
  await page.getByTestId('opt-outs-form').waitFor();
  await page.reload();
  await page.getByTestId('opt-outs-form').waitFor();
  await differ();
  await page.goto(`${portal.url}/opt-out`);
  await page.getByTestId('sign-in-anew').click();
  await page.waitForURL('**/login?return=%2Fopt-out');
  await page.getByTestId('username').waitFor();
});

test('a redirect shows where it leads and goes there after a second; one may stay, or is told that it leads nowhere', async t => {
  const page = await openPageAs(t, portal, user, `/redirect?redirectUrl=${encodeURIComponent(`${partnerUrl}/deals`)}`);
  await page.getByTestId('redirect-allowed').getByText(partnerUrl).waitFor();
  await page.waitForURL(`${partnerUrl}/deals`);
  await page.goto(`${portal.url}/redirect?redirectUrl=${encodeURIComponent(partnerUrl)}`);
  await page.getByTestId('stay').click();
  await page.getByTestId('redirect-stayed').waitFor();
  await axe(page);
  await page.waitForTimeout(asSubject(1300));
  assert.equal(new URL(page.url()).origin, portal.url);
  await page.goto(`${portal.url}/redirect?redirectUrl=${encodeURIComponent('javascript:alert(1)')}`);
  await page.getByRole('heading', { name: 'The portal does not lead there' }).waitFor();
  await page.getByTestId('go-home').click();
  await page.waitForURL('**/end-user');
});

test('the privacy policy opens from the sign-in page; its links move the focus, Escape gives it back', async t => {
  const page = await newPage(t, portal.browser);
  await page.goto(`${portal.url}/login`);
  await page.getByTestId('footer-privacy').focus();
  await page.keyboard.press('Enter');
  const dialog = dialogOf(page, 'Privacy and cookies policy');
  await dialog.getByRole('link', { name: 'Your rights' }).waitFor();
  await dialog.getByRole('link', { name: 'Your rights' }).focus();
  await page.keyboard.press('Enter');
  const target = page.locator('#section-your-rights');
  await target.and(page.locator(':focus')).waitFor();
  assert.ok(await target.evaluate(element => element.getBoundingClientRect().top < innerHeight));
  assert.equal(new URL(page.url()).hash, '');
  await dialog.getByText('Sign in to choose what you receive.').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.getByTestId('footer-privacy').and(page.locator(':focus')).waitFor();
  await page.getByTestId('footer-terms').click();
  await page.getByRole('heading', { level: 1, name: 'Terms and conditions' }).waitFor();
  await page.getByTestId('policies').getByRole('link', { name: 'Company details' }).click();
  await page.getByRole('heading', { level: 1, name: 'Company details' }).waitFor();
});

test('markup in the text of a policy stays text', async t => {
  const page = await newPage(t, portal.browser);
  const evil = '<img src=x onerror="document.title=1"><script>document.title=1</script>';
  await page.route('**/ui/data/policies.get*', async route => {
    const reply = await route.fetch();
    const body = (await reply.json()) as { Result: { Sections: Record<string, unknown>[] } };
    for (const section of body.Result.Sections)
      Object.assign(section, { Content: `${evil}|b`, ContentLabel: evil, AnchorText: evil, AnchorValue: `"${evil}` });
    await route.fulfill({ response: reply, json: body });
  });
  await page.goto(`${portal.url}/login`);
  const title = await page.title();
  await page.getByTestId('footer-data-protection').click();
  const dialog = dialogOf(page, 'Data protection statement');
  await dialog.getByText(evil).first().waitFor();
  assert.equal(await dialog.locator('img, script').count(), 0);
  assert.equal(await page.title(), title);
});

test('who is signed in chooses what to receive, and finds the choice again', async t => {
  const page = await openPageAs(t, portal, user, '/policies/privacy');
  await page.getByTestId('choose').click();
  await page.getByTestId('offers').check();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Your choices are saved.').waitFor();
  await page.reload();
  await page.getByTestId('offers').waitFor();
  assert.equal(await page.getByTestId('offers').isChecked(), true);
  assert.equal(await page.getByTestId('surveys').isChecked(), false);
});
