import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axe, newPage } from '../fixtures/browser.ts';
import { withBrowserPortal } from '../fixtures/browser-portal.ts';
import { openPageAs } from '../fixtures/signed-in-page.ts';

const portal = withBrowserPortal();
const reseller = 'reseller@northwind.test';

test('a day is typed as the portal writes days, or chosen by keyboard from the one calendar of the portal', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers/customer/10001/cs/add-service/mail-migration');
  const day = page.getByTestId('order-details-StartDate');
  await day.fill('31/02/2031');
  await day.blur();
  await page.getByText('Must be a date').waitFor();
  await day.fill('31-1-2031');
  await day.blur();
  assert.equal(await day.inputValue(), '31/01/2031');
  await page.getByTestId('order-details-StartDate-pick').press('Enter');
  const calendar = page.getByRole('dialog', { name: 'Start on: choose a day' });
  await calendar.getByRole('grid', { name: 'January 2031' }).waitFor();
  for (const key of ['PageDown', 'Home', 'ArrowDown', 'ArrowLeft']) await page.keyboard.press(key);
  await calendar.getByRole('grid', { name: 'March 2031' }).waitFor();
  await axe(page);
  await page.keyboard.press('Enter');
  await calendar.waitFor({ state: 'detached' });
  assert.equal(await day.inputValue(), '02/03/2031');
  await page.keyboard.press('Enter');
  await calendar.waitFor();
  await page.keyboard.press('Escape');
  await calendar.waitFor({ state: 'detached' });
  assert.match((await page.evaluate(() => document.activeElement?.ariaLabel)) ?? '', /choose a day/);
  assert.equal(await page.locator('[type=date], [type=datetime-local]').count(), 0);
});

test('print has the content alone, dark on white whatever the theme', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers');
  await page.getByTestId('customers-table').getByRole('rowheader').nth(3).waitFor();
  await page.emulateMedia({ colorScheme: 'dark', media: 'print' });
  const hidden = ['banner', 'contentinfo'] as const;
  for (const role of hidden) assert.equal(await page.getByRole(role).count(), 0, role);
  assert.equal(await page.getByTestId('export-customers').isVisible(), false);
  assert.equal(await page.getByRole('rowheader').nth(3).isVisible(), true);
  const colour = await page.getByRole('heading', { level: 1 }).evaluate(heading => {
    const canvas = new OffscreenCanvas(1, 1).getContext('2d')!;
    canvas.fillStyle = getComputedStyle(heading).color;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data.slice(0, 3)];
  });
  assert.ok(Math.max(...colour) < 100, `the heading is dark: ${colour}`);
});

test('the footer is one line on a wide screen', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers');
  await page.setViewportSize({ width: 1440, height: 900 });
  const links = page.getByRole('contentinfo').getByRole('listitem');
  await links.nth(5).waitFor();
  const tops = await links.evaluateAll(items => items.map(item => Math.round(item.getBoundingClientRect().top)));
  assert.equal(new Set(tops).size, 1, tops.join());
});

test('in a dialog Cancel stands before the one primary button, for the eye and for the keyboard', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers/customer/10001');
  await page.getByTestId('rename-customer').click();
  const dialog = page.getByRole('dialog');
  const cancel = dialog.getByRole('button', { name: 'Cancel' });
  const primary = dialog.locator('.button--primary');
  await cancel.waitFor();
  assert.equal(await primary.count(), 1);
  const [left, right] = [await cancel.boundingBox(), await primary.boundingBox()];
  assert.ok(left && right && left.x + left.width <= right.x, 'Cancel is left of it');
  const names = await dialog.getByRole('button').evaluateAll(buttons => buttons.map(({ textContent }) => textContent));
  assert.equal(names.indexOf('Cancel'), names.length - 2, names.join());
});

test('Escape closes a popup at once while nothing was typed, and asks first where something was', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers/customer/10001');
  const popup = page.getByTestId('popup-rename-customer');
  const open = async () => {
    await page.getByTestId('rename-customer').click();
    await popup.getByRole('textbox').waitFor();
  };
  await open();
  await page.keyboard.press('Escape');
  await popup.waitFor({ state: 'detached' });
  await open();
  await popup.getByRole('textbox').fill('Contoso Foods');
  await page.keyboard.press('Escape');
  const question = page.getByRole('alertdialog');
  await question.waitFor();
  await page.keyboard.press('Escape');
  await question.waitFor({ state: 'detached' });
  assert.equal(await popup.getByRole('textbox').inputValue(), 'Contoso Foods');
});

test('a date in facts, lists and timelines says its exact moment too', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers/customer/10001');
  const places = [page.locator('.ledger time'), page.locator('.list time'), page.locator('.timeline li li time')];
  for (const [index, dates] of places.entries()) {
    await dates.first().waitFor();
    const title = (await dates.first().getAttribute('title')) ?? '';
    assert.match(title, /^\d{2}\/\d{2}\/\d{4}( \d{2}:\d{2})?$/, `${index}`);
    assert.match((await dates.first().getAttribute('datetime')) ?? '', /^\d{4}-\d{2}-\d{2}/);
  }
});

test('a friendly date in a table says its exact moment, to the machine and on hover', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers');
  const date = page.getByTestId('customers-table').locator('td time').first();
  await date.waitFor();
  assert.match((await date.getAttribute('title')) ?? '', /^\d{2}\/\d{2}\/\d{4} \d{2}:\d{2}$/);
  assert.match((await date.getAttribute('datetime')) ?? '', /^\d{4}-\d{2}-\d{2}T/);
});

test('what is copied is highlighted for half a second, and its button marked for a whole one', async t => {
  const page = await openPageAs(t, portal, 'noprices@kestrelfreight.test', '/account-setting/profile?tab=security', {
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await page.getByTestId('set-up-mfa').click();
  await page.getByTestId('own-password').fill('Demo-portal-2026');
  await page.getByTestId('own-password').press('Enter');
  const copy = page.getByRole('button', { name: 'Copy key' });
  await copy.waitFor();
  await page.evaluate(() => {
    const log: [element: string, name: string, at: number][] = [];
    Object.assign(window, { log });
    new MutationObserver(changes => {
      for (const { target, oldValue } of changes) {
        const { classList, tagName } = target as Element;
        for (const name of ['copied', 'copy-highlight'])
          if (classList.contains(name) !== (oldValue ?? '').split(' ').includes(name))
            log.push([tagName, name, performance.now()]);
      }
    }).observe(document.body, { subtree: true, attributeFilter: ['class'], attributeOldValue: true });
  });
  await copy.click();
  await page.getByText('The key was copied.').waitFor();
  await page.waitForFunction(() => (window as unknown as { log: unknown[] }).log.length === 4);
  const log = await page.evaluate(() => (window as unknown as { log: [string, string, number][] }).log);
  const lasted = (element: string, name: string): number => {
    const [start = 0, end = 0] = log.filter(entry => entry[0] === element && entry[1] === name).map(([, , at]) => at);
    return end - start;
  };
  // Timers may come late, and by a part of a millisecond early.
  assert.ok(lasted('DD', 'copy-highlight') > 498, 'the key');
  assert.ok(lasted('BUTTON', 'copied') > 998, 'the button');
});

test('a page is called by the name of what it is about, in its heading, its window and the last breadcrumb', async t => {
  const titles = [
    ['/account-setting/terms-conditions/2/false/false', /agreement/],
    ['/customers/customer/10001/distribution-groups', /^Distribution groups of Contoso/],
    ['/customers/customer/10001/import-users', /^Import users of Contoso/],
    ['/billing/psa/overview', /^ConnectWise$/],
    ['/billing/psa/match', /^Match with ConnectWise$/],
  ] as const;
  const page = await openPageAs(t, portal, reseller, '/');
  for (const [path, title] of titles) {
    await page.goto(portal.url + path);
    const heading = page.getByRole('heading', { level: 1, name: title });
    await heading.waitFor();
    const name = await heading.innerText();
    assert.ok((await page.title()).startsWith(`${name} · `), path);
    const crumbs = page.getByRole('navigation', { name: 'Breadcrumb' });
    assert.equal(await crumbs.getByRole('listitem').last().innerText(), name, path);
    const addresses = await crumbs.getByRole('link').evaluateAll(links => links.map(link => link.getAttribute('href')));
    assert.equal(new Set(addresses).size, addresses.length, path);
  }
});

test('a field is as wide as what is typed, and what is said of it stands below it', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers/add');
  await page.locator('input[name=Phone]').waitFor();
  const boxes = await page.locator('.field:has(.input)').evaluateAll(fields =>
    fields.map(field => {
      const input = field.querySelector('.input')!;
      const hints = [...field.querySelectorAll('.field__hint')].map(hint => hint.getBoundingClientRect().top);
      const { width, bottom } = input.getBoundingClientRect();
      return { name: input.getAttribute('name'), width, bottom, hints };
    }),
  );
  const of = (name: string) => boxes.find(box => box.name === name)!;
  assert.ok(of('Phone').width < of('Name').width * 0.6, JSON.stringify(boxes));
  const hints = boxes.flatMap(({ bottom, hints }) => hints.map(top => top - bottom));
  assert.ok(hints.length > 1);
  assert.ok(Math.min(...hints) >= 0, JSON.stringify(boxes));
});

test('help beside the heading says what the page is for and what its reader may do, and closes by Escape', async t => {
  const help = async (username: string) => {
    const page = await openPageAs(t, portal, username, '/customers');
    await page.getByTestId('help').click();
    const panel = page.getByRole('region', { name: 'Customers' });
    await panel.waitFor();
    if (username === reseller) await axe(page);
    const text = await panel.innerText();
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'hidden' });
    return text;
  };
  assert.match(await help(reseller), /You may add, rename, suspend/);
  assert.match(await help('engineer@northwind.test'), /You may look at everything here/);
});

test('every page has the logo, which leads to where one lands', async t => {
  const page = await openPageAs(t, portal, reseller, '/customers');
  await page.getByTestId('logo').click();
  await page.waitForURL('**/dashboard');
  const stranger = await newPage(t, portal.browser, { viewport: { width: 1440, height: 900 } });
  for (const path of ['/login', '/reset-password', '/not-found', '/policies/privacy']) {
    await stranger.goto(portal.url + path);
    await stranger.getByTestId('logo').waitFor();
    assert.equal(await stranger.getByTestId('logo').getAttribute('href'), '/login', path);
  }
});
