import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { axe, hasTestIds } from '../fixtures/browser.ts';
import { withBrowserPortal } from '../fixtures/browser-portal.ts';
import { unhurried } from '../fixtures/built-portal.ts';
import { eventually } from '../fixtures/eventually.ts';
import { readLongForm } from '../fixtures/long-forms.ts';
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

test('an operator adds a step to the order of hosted voice: an open page shows it, and keeps what was typed', async t => {
  const page = await openPageAs(t, portal, accounts.reseller, '/customers/add');
  const customer = await addCustomer(page, portal.url, uniqueName('Voice'));
  const address = `/customers/customer/${customer}/add-service/hosted-voice`;
  await openListeningPage(page, portal.url + address);
  await page.getByRole('radio', { name: /^Voice Handsets/ }).check();
  const journey: Json = JSON.parse(await readLongForm(portal.schemas, 'voice/voice.json'));
  await save('voice/voice.json', () => {
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
  await page.getByRole('listitem').filter({ hasText: 'Telephone' }).waitFor();
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
