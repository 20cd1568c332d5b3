import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { shadesOf } from '../../shared/rules/accent.ts';
import { axe, newPage } from '../fixtures/browser.ts';
import { withBrowserPortal } from '../fixtures/browser-portal.ts';
import { unhurried } from '../fixtures/built-portal.ts';
import { eventually } from '../fixtures/eventually.ts';
import { inspect } from '../fixtures/inspect.ts';
import { linksTo } from '../fixtures/mail-links.ts';
import { readPdf } from '../fixtures/pdf-text.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { openListeningPageAs } from '../fixtures/signed-in-page.ts';

// Their own, since a brand is seen by everybody of the reseller.
const sandbox = withSandbox();
const portal = withBrowserPortal(() => ({ ...unhurried, CLOUD_API_URL: sandbox.url }));
const phone = { viewport: { width: 390, height: 844 } };

const accentOf = (page: Page): Promise<string> =>
  page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--accent').trim());
/** A colour of the look as the browser computes it, as hexadecimal digits. */
const computed = (page: Page, token: string): Promise<string> =>
  page.evaluate(name => {
    const canvas = document.createElement('canvas').getContext('2d')!;
    const probe = document.body.appendChild(document.createElement('i'));
    probe.style.color = `var(--${name})`;
    canvas.fillStyle = getComputedStyle(probe).color;
    canvas.fillRect(0, 0, 1, 1);
    probe.remove();
    return [...canvas.getImageData(0, 0, 1, 1).data.slice(0, 3)]
      .map(byte => byte.toString(16).padStart(2, '0'))
      .join('');
  }, token);

const partsOf = (accent: string): number[] => [0, 2, 4].map(at => Number.parseInt(accent.slice(at, at + 2), 16));
const inRgb = (accent: string): string => `rgb(${partsOf(accent).join(', ')})`;
/** How a PDF chooses a colour to fill with (ISO 32000-1, section 8.6.8), to the third decimal. */
const inPdf = (accent: string): RegExp =>
  new RegExp(
    partsOf(accent)
      .map(part => `${(Math.floor((part / 255) * 1000) / 1000).toString().replace('.', '\\.')}\\d*`)
      .join(' '),
  );

const drawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 144 36"><rect x="2" y="5" width="26" height="26" rx="7" fill="#a3341f"/><path d="M9 21c3-6 9-6 12-10" stroke="#fff" fill="none"/></svg>`;
const file = (text: string) => ({ name: 'redbrook.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(text) });

test('a brand is tried on a phone by its author alone, saved, and seen by everybody, in a mail and on an invoice', async t => {
  const page = await openListeningPageAs(t, portal, 'reseller@northwind.test', '/account-setting/whitelabel', phone);
  await page.getByRole('heading', { level: 1, name: 'Whitelabelling' }).waitFor();
  await page.getByTestId('accent').fill('ffff00');
  await page.getByText('They need 3 to 1.').waitFor();
  await page.getByTestId('accent-nearest').click();
  assert.equal(await page.getByTestId('accent').inputValue(), '948f00');
  await page.getByTestId('accent').fill('a3341f');
  await page.getByTestId('theme-light').check();
  await page.getByTestId('footer').fill('Redbrook IT Ltd, company 01234567');
  await page.getByRole('button', { name: 'Try it on every page' }).click();
  await page.getByTestId('brand-trial').waitFor();
  await eventually(async () => (await accentOf(page)) === '#a3341f');

  await page.getByTestId('choose-desktop-logo').click();
  await page.getByTestId('logo-file').setInputFiles(file(drawing.replace('<path', '<script>alert(1)</script><path')));
  await page.getByRole('button', { name: 'Try this logo' }).click();
  await page.getByText('This SVG holds a script or a link.').waitFor();
  await page.getByTestId('logo-file').setInputFiles(file(drawing));
  await page.getByRole('button', { name: 'Try this logo' }).click();
  await page.getByTestId('logo').getByRole('img', { name: 'Northwind' }).waitFor();
  await axe(page);
  await inspect(page, 'whitelabelling');
  const { darker, text } = shadesOf('a3341f');
  assert.deepEqual([await computed(page, 'accent-fill-hover'), await computed(page, 'accent-text')], [darker, text]);

  await page.goto(`${portal.url}/customers`);
  await page.getByTestId('brand-trial').waitFor();
  assert.equal(await accentOf(page), '#a3341f');
  await page.getByTestId('save-brand').click();
  await page.getByTestId('brand-trial').waitFor({ state: 'detached' });
  assert.equal(await page.getByTestId('footer-company').count(), 0);
  await page.getByText('Redbrook IT Ltd, company 01234567').waitFor();
  await page.getByTestId('footer-terms').click();
  await page.getByTestId('policies').getByRole('link', { name: 'Privacy' }).first().waitFor();
  assert.equal(await page.getByRole('link', { name: 'Company details' }).count(), 0);

  const visitor = await newPage(t, portal.browser, phone);
  await visitor.goto(`${portal.url}/login`);
  assert.equal(await accentOf(visitor), '#0b6472');
  const reply = await visitor.goto(`${portal.url}/with/northwind`);
  await visitor.getByTestId('username').waitFor();
  assert.equal(await accentOf(visitor), '#a3341f');
  await visitor.getByRole('img', { name: 'Northwind' }).waitFor();
  assert.equal(await visitor.title(), 'Sign in · Northwind');
  assert.match(reply?.headers()['content-security-policy'] ?? '', /style-src 'self' 'sha256-[^']+'/);
  await axe(visitor);
  await inspect(visitor, 'branded-sign-in');

  await visitor.getByTestId('username').fill('user@contoso.test');
  await visitor.getByTestId('username').press('Enter');
  await visitor.getByTestId('password').fill('Demo-portal-2026');
  await visitor.getByTestId('password').press('Enter');
  await visitor.getByTestId('menu-account').waitFor();
  assert.equal(await accentOf(visitor), '#a3341f');

  // Things that leave the portal have the brand too: a mail, and an invoice on paper.
  const forgetful = await newPage(t, portal.browser, phone);
  await forgetful.goto(`${portal.url}/reset-password`);
  await forgetful.getByTestId('user-name').fill('user@contoso.test');
  await forgetful.getByTestId('user-name').press('Enter');
  await eventually(async () => (await linksTo(sandbox, 'user@contoso.test', 'change-password')).length > 0);
  await forgetful.goto(`${sandbox.url}/outbox`);
  const mail = forgetful.getByRole('article').first();
  await mail.getByText('user@contoso.test').first().waitFor();
  const name = mail.getByText('Northwind', { exact: true });
  assert.equal(await name.evaluate(element => getComputedStyle(element).color), inRgb(text));

  await page.goto(`${portal.url}/billing/invoices`);
  await page.getByTestId('invoices-list').getByRole('link', { name: /^FH-/ }).first().click();
  await page.getByRole('heading', { level: 1, name: /^Invoice FH-/ }).waitFor();
  const downloading = page.waitForEvent('download');
  await page.getByTestId('invoice-pdf').click();
  const paper = readPdf(await buffer(await (await downloading).createReadStream()));
  assert.match(paper.text, /^Northwind/);
  assert.match(paper.pages[0] ?? '', inPdf(text));
});
