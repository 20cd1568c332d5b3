import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axe } from '../fixtures/browser.ts';
import { withBrowserPortal } from '../fixtures/browser-portal.ts';
import { openPageAs } from '../fixtures/signed-in-page.ts';

const portal = withBrowserPortal();

test('the community and the help centre know who comes, and no address that holds a token is left', async t => {
  const page = await openPageAs(t, portal, 'reseller@northwind.test', '/knowledge-base');
  const visited: string[] = [];
  page.on('framenavigated', frame => visited.push(frame.url()));
  await page.getByTestId('nav-support').click();
  await page.getByTestId('nav-academy').waitFor();
  await page.getByTestId('nav-community').press('Enter');
  await page.getByText('You are Priya Raman.').waitFor();
  assert.equal(new URL(page.url()).pathname, '/community');

  await page.goto(`${portal.url}/community/sign-on?sso=bm9uY2U9eA%3D%3D&sig=${'0'.repeat(64)}`);
  await page.getByTestId('community-refused').waitFor();
  await axe(page);
  await page.getByTestId('community-again').click();
  await page.getByText('You are Priya Raman.').waitFor();

  await page.goto(`${portal.url}/knowledge-base`);
  await page.getByTestId('help-centre').click();
  await page.getByText('You are Priya Raman.').waitFor();
  assert.equal(new URL(page.url()).pathname, '/help-centre');
  assert.deepEqual(
    visited.filter(url => /sso_login|token=/.test(url)),
    [],
  );
});
