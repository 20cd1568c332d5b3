import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axe, newPage } from '../fixtures/browser.ts';
import { inspect } from '../fixtures/inspect.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { withPortalBefore } from '../fixtures/shared-portal.ts';
import { signInAs } from '../fixtures/sign-in.ts';

// A Tuesday on which support is there.
const sandbox = withSandbox({ now: () => new Date('2027-01-05T10:00:00Z') });
const portal = withPortalBefore(sandbox);
const phone = { viewport: { width: 390, height: 844 } };
const eicar = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR-', 'STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('');
const text = (name: string, content = name) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(content) });

test('of several files in one choice each has its own refusal and removal, and those that were taken are not sent again', async t => {
  const page = await newPage(t, portal.browser, phone);
  await signInAs(page, portal.url, 'engineer@northwind.test', 'Demo-portal-2026');
  await page.getByTestId('menu-new').waitFor();
  await page.goto(`${portal.url}/support/add-new-ticket`);
  await page.getByTestId('description').fill('See the files.');
  await page.getByTestId('attach-file').click();
  const attach = page.getByRole('dialog', { name: 'Attach files' });
  const input = attach.getByTestId('ticket-file');

  await input.setInputFiles([text('one.txt'), text('tool.exe'), text('none.txt', '')]);
  await attach.getByText('tool.exe: Choose a file of this kind').waitFor();
  await attach.getByText('none.txt: The file is empty').waitFor();
  assert.equal(await attach.getByTestId('ticket-file-chosen').count(), 1);
  await input.setInputFiles(Array.from({ length: 12 }, (_, index) => text(`log-${index}.txt`)));
  await attach.getByText('At most 10 files can be sent at once.').waitFor();
  assert.equal(await attach.getByTestId('ticket-file-chosen').count(), 10);
  for (let left = 10; left > 1; left -= 1) await attach.getByTestId('ticket-file-remove').last().click();

  await input.setInputFiles([text('bad.txt', eicar), text('two.txt')]);
  const send = attach.getByRole('button', { name: 'Attach', exact: true });
  await send.click();
  await attach.getByText('1 file was not taken').waitFor();
  await attach.getByText('Sent', { exact: true }).nth(1).waitFor();
  assert.deepEqual(await attach.getByTestId('ticket-file-chosen').locator('b').allTextContents(), [
    'one.txt',
    'bad.txt',
    'two.txt',
  ]);
  await axe(page);
  await inspect(page, 'attach-files-phone');

  let uploads = 0;
  page.on('request', request => {
    if (request.url().includes('/ui/uploads/')) uploads += 1;
  });
  await attach.getByRole('button', { name: 'Remove bad.txt' }).click();
  await send.click();
  await attach.waitFor({ state: 'detached' });
  assert.equal(uploads, 0);
  await page.getByRole('button', { name: 'Remove two.txt' }).waitFor();
  await page.getByText('two.txt, 1 kB').waitFor();
  assert.equal(await page.getByRole('button', { name: /^Remove .+\.txt$/ }).count(), 2);
  assert.equal(await page.getByTestId('description').inputValue(), 'See the files.');
});

test('a file whose upload breaks is sent again by the next press, and the text of the reply stays', async t => {
  const { id } = await sandbox.db
    .selectFrom('tickets')
    .select('id')
    .where('status', '=', 'Open')
    .where('reseller_id', '=', 1001)
    .orderBy('id')
    .executeTakeFirstOrThrow();
  const page = await newPage(t, portal.browser, { allow: [/ERR_CONNECTION_RESET/] });
  await signInAs(page, portal.url, 'reseller@northwind.test', 'Demo-portal-2026');
  await page.getByTestId('menu-new').waitFor();
  await page.goto(`${portal.url}/support/ticket-detail/${id}`);
  await page.getByTestId('reply-ticket').click();
  await page.getByTestId('message').fill('Here they are.');
  await page.getByTestId('attach-file').click();
  const attach = page.getByRole('dialog', { name: 'Attach files' });

  const dropped = await page.evaluateHandle(() => {
    const transfer = new DataTransfer();
    for (const name of ['first.txt', 'second.txt']) transfer.items.add(new File([name], name, { type: 'text/plain' }));
    return transfer;
  });
  await attach.getByTestId('ticket-file-zone').dispatchEvent('drop', { dataTransfer: dropped });
  await attach.getByRole('button', { name: 'Remove second.txt' }).waitFor();
  let isBroken = true;
  const sent: string[] = [];
  await page.route('**/ui/uploads/**', async route => {
    const name = JSON.parse(decodeURIComponent(route.request().headers()['x-portal-call'] ?? '')).with.name;
    sent.push(name);
    if (isBroken && name === 'second.txt') await route.abort('connectionreset');
    else await route.continue();
  });
  const send = attach.getByRole('button', { name: 'Attach', exact: true });
  await send.click();
  await attach.getByText('1 file was not taken').waitFor();
  assert.equal(await attach.getByText('Sent', { exact: true }).count(), 1);

  isBroken = false;
  await send.click();
  await attach.waitFor({ state: 'detached' });
  assert.deepEqual(sent, ['first.txt', 'second.txt', 'second.txt']);
  assert.equal(await page.getByTestId('message').inputValue(), 'Here they are.');
  await page.getByRole('button', { name: 'Remove first.txt' }).waitFor();
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByRole('button', { name: /^second\.txt, / }).waitFor();
});
