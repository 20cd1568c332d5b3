import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { axe, hasTestIds } from '../fixtures/browser.ts';
import { withBrowserPortal } from '../fixtures/browser-portal.ts';
import { unhurried } from '../fixtures/built-portal.ts';
import { eventually } from '../fixtures/eventually.ts';
import { readGuideEdits, takeGuideEdit } from '../fixtures/guide-edits.ts';
import { accounts } from '../fixtures/sign-in.ts';
import { addCustomer, openListeningPage, openPageAs, uniqueName } from '../fixtures/signed-in-page.ts';

// biome-ignore lint/suspicious/noExplicitAny: a document that is being edited
type Json = any;

const portal = withBrowserPortal(unhurried);

async function save(file: string, change: (document: Json) => unknown): Promise<void> {
  const path = join(portal.schemas, file);
  const document = await readFile(path, 'utf8').then(JSON.parse, () => undefined);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, JSON.stringify(change(document)));
}

test('the wizard of the guide is written while the portal runs, gone through, and adds one customer', async t => {
  const files = new Map<string, Json>();
  for (const edit of readGuideEdits(await readFile('schemas/README.md', 'utf8'))) {
    if (!files.has(edit.file) && edit.does !== 'file')
      files.set(edit.file, JSON.parse(await readFile(join(portal.schemas, edit.file), 'utf8')));
    takeGuideEdit(files, edit);
  }
  for (const [file, document] of [...files].sort(([a]) => (a.includes('hello.json') && !a.includes('text') ? 1 : -1)))
    await save(file, () => document);
  const page = await openPageAs(t, portal, accounts.reseller, '/customers');
  await eventually(async () => {
    await page.goto(`${portal.url}/hello`);
    return (await page.getByTestId('new-customer').count()) > 0;
  }, 'the wizard is on the page');
  const name = uniqueName('Guide');
  const next = page.getByRole('button', { name: 'Next', exact: true });
  await page.getByLabel('Customer name').fill(name);
  await page.getByLabel('Domain').fill('guide.test');
  assert.equal(await page.getByRole('listitem').filter({ hasText: 'Phone' }).count(), 0, 'a hidden step is not listed');
  await page.getByLabel('There is a phone number').check();
  await next.click();
  await page.getByLabel('Phone').fill('12');
  await next.click();
  await page.getByLabel('Phone').and(page.locator('[aria-invalid=true]')).waitFor();
  await page.getByLabel('Phone').fill('01632960123');
  await next.click();
  await page.getByLabel('Contact name').fill('Grace');
  await page.getByLabel('Contact email').fill('grace@guide.test');
  await next.click();
  await page.getByText('01632960123').waitFor();
  await axe(page);
  await page.getByTestId('new-customer').getByRole('button', { name: 'Back' }).click();
  assert.equal(await page.getByLabel('Contact name').inputValue(), 'Grace');
  await next.click();
  await page.getByRole('button', { name: 'Add the customer' }).dblclick();
  await page.getByRole('heading', { level: 1, name }).waitFor();
  await page.goto(`${portal.url}/customers?search=${encodeURIComponent(name)}`);
  await page.getByTestId('customers-table').locator('tbody tr').first().waitFor();
  assert.equal(await page.getByTestId('customers-table').getByText(name, { exact: true }).count(), 1);
});

test('an operator adds a step to the order of hosted voice: an open page shows it, and keeps what was typed', async t => {
  const page = await openPageAs(t, portal, accounts.reseller, '/customers/add');
  const customer = await addCustomer(page, portal.url, uniqueName('Voice'));
  const address = `/customers/customer/${customer}/add-service/hosted-voice`;
  await openListeningPage(page, portal.url + address);
  await page.getByRole('radio', { name: /^Voice Handsets/ }).check();
  await save('voice/voice.json', journey => {
    const delivery = journey.steps.find(({ id }: Json) => id === 'delivery');
    const telephone = delivery.children.pop();
    const driver = {
      id: 'driver',
      title: 'voice.telephone',
      submit: 'voice.next',
      when: delivery.when,
      children: [telephone],
    };
    journey.steps.splice(-1, 0, driver);
    journey.steps.at(-1).quote.quote.body.HardwareAddress.use.Telephone = 'answers.driver.Telephone';
    return journey;
  });
  await eventually(async () => {
    const screen = await page.request.get(`${portal.url}/ui/screen?path=${encodeURIComponent(address)}`);
    return (await screen.text()).includes('"driver"');
  }, 'the portal has taken the edit over');
  assert.equal(await page.getByRole('radio', { name: /^Voice Handsets/ }).isChecked(), true);
  // The list of steps is the server's to say: it comes with the next answer.
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await page.getByRole('listitem').filter({ hasText: 'Telephone' }).waitFor({ timeout: 30_000 });
  await page.getByTestId('voice-hardware').getByRole('textbox').first().fill('2');
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await page.getByLabel('Address line 1').fill('Unit 4, Mill Lane');
  await page.getByLabel('Town').fill('Manchester');
  await page.getByLabel('Postcode').fill('M2 5DB');
  await page.getByRole('radio').first().check();
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await page.getByLabel('Telephone').fill('01614960101');
  await Promise.all([axe(page), hasTestIds(page)]);
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await page.getByTestId('voice-quote').waitFor();
  await page.getByText('01614960101').waitFor();
  await page.getByRole('button', { name: /^Place order for/ }).click();
  await page.getByText(/^Order \S+ was placed$/).waitFor();
});
