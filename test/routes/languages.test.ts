import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { withEditedSchemas } from '../fixtures/edited-schemas.ts';
import { eventually } from '../fixtures/eventually.ts';
import { type Client, withClient, withPortal } from '../fixtures/portal.ts';
import { withSandbox } from '../fixtures/sandbox.ts';
import { setUp } from '../fixtures/set-up.ts';

const texts: Record<string, Record<string, string>> = {
  'de/sign-in': { loginTitle: 'Anmelden', continue: 'Weiter' },
  'de/customers': { title: 'Kunden', spend: 'Im Monat', users: 'Benutzer', nameEmpty: 'Der Name fehlt.' },
  'de/server': {
    'error.NOT_FOUND': 'Das gibt es nicht.',
    'error.NOT_PERMITTED': 'Das dürfen Sie nicht.',
    'error.SESSION_ENDED': 'Ihre Sitzung ist zu Ende.',
    'password.weak': 'Zu schwach.',
    'page.noScript': 'Ohne JavaScript geht es nicht.',
  },
  'de/runtime': { yes: 'Ja', 'form.required': '{{field}} fehlt' },
  'de-AT/sign-in': { continue: 'Weiter geht’s' },
};

const sandbox = withSandbox();
const schemas = withEditedSchemas();

async function writeTexts(given: typeof texts): Promise<void> {
  for (const [file, entries] of Object.entries(given)) {
    const path = join(schemas.folder, 'text', `${file}.json`);
    await mkdir(join(path, '..'), { recursive: true });
    await writeFile(path, JSON.stringify({ $schema: '../../meta/texts.schema.json', ...entries }));
  }
}

setUp(async () => {
  await writeTexts(texts);
  for (const [username, locale] of [
    ['reseller@northwind.test', 'de-AT'],
    ['admin@contoso.test', 'de-CH'],
    ['engineer@northwind.test', 'en-GB'],
    ['buyer@zephyrcycles.test', 'cy'],
  ] as const)
    await sandbox.db.updateTable('accounts').set({ locale }).where('username', '=', username).execute();
});
const portal = withPortal(sandbox, () => ({ schemasDir: schemas.folder }));
const austrian = withClient(portal, 'reseller@northwind.test');
const swiss = withClient(portal, 'admin@contoso.test');
const welsh = withClient(portal, 'buyer@zephyrcycles.test');
const briton = withClient(portal, 'engineer@northwind.test');
const undecided = withClient(portal, 'bookkeeper@northwind.test');

const textsOf = (node: unknown): string => JSON.stringify(node);
const accepting = (language: string): Record<string, string> => ({ 'accept-language': language });

async function signInPage(accept?: string) {
  const browser = portal.client(accept === undefined ? {} : accepting(accept));
  const { text } = await browser.get('/login', { accept: 'text/html' });
  const { boot, screen } = await browser.page('/login');
  return { lang: /<html lang="([^"]*)">/.exec(text)?.[1], text, boot, layout: textsOf(screen) };
}

test('who is not signed in gets the language that the browser asks for, text by text, else English', async () => {
  const austria = await signInPage('de-AT,de;q=0.9,en;q=0.8');
  assert.equal(austria.lang, 'de-AT');
  assert.equal(austria.boot.principal.locale, 'de-AT');
  assert.match(austria.layout, /"Anmelden"/);
  assert.match(austria.layout, /Weiter geht’s/);
  assert.match(austria.layout, /"Username"/);
  assert.match(austria.text, /<noscript>Ohne JavaScript geht es nicht\.<\/noscript>/);
  assert.equal(austria.boot.words['yes'], 'Ja');
  assert.equal(austria.boot.words['no'], 'No');

  const germany = await signInPage('de');
  assert.deepEqual([germany.lang, germany.boot.principal.locale], ['de', 'de']);
  assert.match(germany.layout, /"Weiter"/);
});

test('a browser that asks for several languages gets the first that there is', async () => {
  for (const [accept, lang] of [
    ['fr-FR,fr;q=0.9,de;q=0.5', 'de'],
    ['en;q=0.3,de;q=0.7', 'de'],
    ['en-GB,en;q=0.9,de;q=0.8', 'en'],
    ['de;q=0', 'en'],
    ['fr', 'en'],
    ['*', 'en'],
    ['', 'en'],
    ['__proto__, constructor', 'en'],
    [`${'x-'.repeat(4000)},de`, 'en'],
  ] as const) {
    const page = await signInPage(accept);
    assert.equal(page.lang, lang, accept);
    assert.equal(page.boot.principal.locale, lang === 'en' ? 'en-GB' : lang, accept);
  }
});

test('who is signed in gets the language of the profile whatever the browser asks for, and of the browser without one', async () => {
  const localeOf = async (browser: Client, accept: string) =>
    (await browser.get('/ui/boot', accepting(accept))).body.principal.locale;
  assert.equal(await localeOf(austrian, 'en'), 'de-AT');
  assert.equal(await localeOf(swiss, 'en'), 'de');
  assert.equal(await localeOf(briton, 'de'), 'en-GB');
  assert.equal(await localeOf(welsh, 'de'), 'en-GB');
  assert.equal(await localeOf(undecided, 'de'), 'de');
  assert.equal(await localeOf(undecided, 'fr'), 'en-GB');
  const { text } = await austrian.get('/customers', { accept: 'text/html' });
  assert.match(text, /<html lang="de-AT">/);
  assert.match(text, /<title>Kunden · /);
});

test('a layout has another hash in another language, and is nobody’s who speaks another', async () => {
  const [english, german] = [portal.client(accepting('en')), portal.client(accepting('de'))];
  const own = await german.hashOf('/login');
  assert.notEqual(await english.hashOf('/login'), own);
  assert.equal((await german.get(`/ui/layouts/${own}`)).status, 200);
  assert.equal((await english.get(`/ui/layouts/${own}`)).status, 404);
});

test('what a caller may not see is in no language', async () => {
  const seen = textsOf((await briton.page('/customers')).screen);
  assert.doesNotMatch(seen, /MonthlySpend|Im Monat|Per month/);
  assert.match(textsOf((await austrian.page('/customers')).screen), /Im Monat/);
});

test('failures are told in the caller’s language, also where nobody knows who calls', async () => {
  assert.equal((await austrian.get('/ui/layouts/none')).body.Error, 'Das gibt es nicht.');
  assert.equal(
    (await briton.get('/ui/layouts/none', accepting('de'))).body.Error,
    'We could not find what you asked for.',
  );
  const stranger = portal.client(accepting('de'));
  assert.equal((await stranger.get('/ui/nothing-here')).body.Error, 'Das gibt es nicht.');
  assert.equal((await stranger.get('/ui/data/customers.list')).body.Error, 'Ihre Sitzung ist zu Ende.');
  const refused = await swiss.get('/ui/data/customers.list');
  assert.deepEqual([refused.status, refused.body.Error], [403, 'Das dürfen Sie nicht.']);
});

test('a field that is refused is told in the caller’s language', async () => {
  const reply = await austrian.press('/customers/add', 'add-customer', 'call:customers.create', { body: {} });
  assert.equal(reply.status, 422, JSON.stringify(reply.body));
  assert.match(JSON.stringify(reply.body.Errors), /fehlt/);
});

test('the head of a file is in the caller’s language, and its numbers and dates are written for it', async () => {
  const hash = await austrian.hashOf('/customers');
  const { text } = await austrian.get(`/ui/files/${hash}/customers.csv?path=${encodeURIComponent('/customers')}`);
  const [head = ''] = text.split('\r\n');
  assert.match(head, /Benutzer,Open orders,Im Monat \(GBP\)/);
  assert.match(text, /\d\d\.\d\d\.\d{4}/);
});

test('a language that comes while the portal runs is spoken from then on', async () => {
  assert.equal((await signInPage('cy')).lang, 'en');
  await writeTexts({ 'cy/sign-in': { loginTitle: 'Mewngofnodi' } });
  await eventually(async () => (await signInPage('cy')).lang === 'cy');
  assert.match((await signInPage('cy')).layout, /Mewngofnodi/);
  assert.equal((await welsh.get('/ui/boot')).body.principal.locale, 'cy');
});

test('a broken file of a second language harms neither the others nor a start', async () => {
  await writeFile(join(schemas.folder, 'text/de/sign-in.json'), '{ "loginTitle": ');
  await writeTexts({ 'cy/sign-in': { loginTitle: 'Croeso' } });
  await eventually(async () => (await signInPage('cy')).layout.includes('Croeso'));
  assert.match((await signInPage('de')).layout, /"Anmelden"/);
});
