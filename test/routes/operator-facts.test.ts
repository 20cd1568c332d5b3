import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withEditedSchemas } from '../fixtures/edited-schemas.ts';
import { signInAs, withClient, withPortal } from '../fixtures/portal.ts';
import { withSandbox } from '../fixtures/sandbox.ts';

const sandbox = withSandbox();
const schemas = withEditedSchemas();
const timeZone = 'Asia/Kathmandu';
const portal = withPortal(sandbox, () => ({
  schemasDir: schemas.folder,
  env: { LOCALE: 'en-US', TIME_ZONE: timeZone, CLOUD_DOMAIN: 'acme.example', RELEASE_LABEL: 'Release 7.2' },
}));
const reseller = withClient(portal, 'reseller@northwind.test');

test('an authenticator app shows the name of the product that the texts have', async () => {
  await schemas.editLive(portal, 'text/en/shell.json', text => text.replace('Fernhill Cloud', 'Acme & Sons'));
  const reply = await signInAs(portal.client(), 'newmfa@northwind.test', 'Demo-portal-2026');
  const { key, address } = reply.body.effects[0].with;
  assert.equal(
    address.value,
    `otpauth://totp/Acme%20%26%20Sons%3Anewmfa%40northwind.test?secret=${key.value}&issuer=Acme%20%26%20Sons`,
  );
  const page = await portal.client().get('/login', { accept: 'text/html' });
  assert.match(page.text, /<title>[^<]*Acme &amp; Sons<\/title>/);
});

test('the footer ends with the label of the release, and sibling portals are those of the domain', async () => {
  for (const browser of [portal.client(), reseller]) {
    const { navigation } = (await browser.get('/ui/boot')).body;
    if (navigation) assert.match(navigation.copyright, /^© .+ · Release 7\.2$/);
  }
  const visitor = portal.client();
  const { text } = await visitor.get(`/ui/layouts/${await visitor.hashOf('/sign-in')}`);
  const links = text.match(/https:[^"]+/g);
  assert.deepEqual(links, ['https://comms.acme.example', 'https://distribution.acme.example']);
});

test('under a brand the footer of the reseller ends with the label of the release too', async () => {
  const token = await sandbox.signIn('reseller@northwind.test');
  const base = '/api/whitelabel';
  const { Version } = (await sandbox.call(token, 'GET', `${base}/GetWhiteLabelForSetup`)).body.Result;
  const brand = { Color_1_1: 'dark', Color_2_1: 'a3341f', Footer: 'Redbrook IT Ltd', Version };
  assert.equal((await sandbox.call(token, 'POST', `${base}/SaveTheme`, brand)).status, 200);
  const branded = await portal.signIn('engineer@northwind.test');
  const { look } = (await branded.get('/ui/boot')).body.principal;
  assert.equal(look.footer, 'Redbrook IT Ltd · Release 7.2');
});

test('pages say the language of the locale, and their callers have the locale, signed in or not', async () => {
  for (const browser of [portal.client(), reseller]) {
    const { text } = await browser.get('/policies/privacy', { accept: 'text/html' });
    assert.match(text, /^<!doctype html>\n<html lang="en">/);
    assert.equal((await browser.get('/ui/boot')).body.principal.locale, 'en-US');
  }
});

test('times in a file are those of the time zone, written as in the locale', async () => {
  const { Items } = (await reseller.get('/ui/data/security.log')).body.Result;
  const path = encodeURIComponent('/account-setting/profile?tab=log&size=25');
  const hash = await reseller.hashOf('/account-setting/profile');
  const { text } = await reseller.get(`/ui/files/${hash}/log.csv?path=${path}`);
  const [, first = ''] = text.split('\r\n');
  const parts = new Intl.DateTimeFormat('en-US', { timeZone, day: '2-digit', month: '2-digit', year: 'numeric' });
  const minute = new Intl.DateTimeFormat('en-US', { timeZone, minute: '2-digit' }).format(new Date(Items[0].At));
  assert.ok(first.includes(parts.format(new Date(Items[0].At))), first);
  assert.match(first, new RegExp(`:${minute.padStart(2, '0')}\\b`));
});
