import assert from 'node:assert/strict';
import { test } from 'node:test';
import { confirmTokens } from '../fixtures/mail-links.ts';
import { type Client, withPortal } from '../fixtures/portal.ts';
import { assertEvery } from '../fixtures/rows.ts';
import { withSandbox } from '../fixtures/sandbox.ts';

const sandbox = withSandbox();
const portal = withPortal(sandbox, { env: { TRUSTED_PROXIES: '127.0.0.1' } });
const company = { Company: 'Brook', Name: 'Bea', Phone: '01134960123', Country: 'GB', Agreed: true, NotRobot: true };

const from = (address: string) => portal.client({ 'x-forwarded-for': address });
const ask = (Email: string, browser: Client, given: object = {}) =>
  browser.press('/signup', 'sign-up', 'command:sign-up.ask', { body: { ...company, Email, ...given } });
const confirm = (token: string, browser = portal.client()) =>
  browser.press('signup', 'confirm', 'command:sign-up.confirm', { with: { token } });

test('whoever asks for an account has one reply, be the address known or not', async () => {
  const told: string[] = [];
  for (const email of ['reseller@northwind.test', 'new@nobody.test']) {
    const { status, text } = await ask(email, from('198.51.100.1'));
    told.push(`${status} ${text}`);
  }
  assert.equal(told[0], told[1]);
  assert.match(told[0]!, /^200 /);
});

test('a request without the tick of a person, or without the agreement, is refused by its field', async () => {
  for (const name of ['NotRobot', 'Agreed', 'Company', 'Country']) {
    const { status, body } = await ask('refused@nobody.test', from('198.51.100.2'), { [name]: undefined });
    assert.deepEqual([status, Object.keys(body.Errors)], [422, [name]], name);
  }
  assert.deepEqual(await confirmTokens(sandbox, 'refused@nobody.test'), []);
});

test('reading the page of a link confirms nothing; its press does, once', async () => {
  await ask('bea@brook.test', from('198.51.100.3'));
  const [token = ''] = await confirmTokens(sandbox, 'bea@brook.test');
  await portal.client().get(`/signup?confirm=${token}`, { accept: 'text/html' });
  const outcomes = [];
  for (const given of [token, token, 'nonsense', 'x'.repeat(500)])
    outcomes.push((await confirm(given)).body.Result.Outcome);
  assert.deepEqual(outcomes, ['Confirmed', 'Already', 'Ended', 'Ended']);
  const records = await portal.store.run(db =>
    db.selectFrom('audit').select('detail').where('action', 'like', 'signup.%').execute(),
  );
  assertEvery(records, ({ detail }) => !JSON.stringify(detail).includes(token));
});

test('a network that asks again and again has to wait, and no other', async () => {
  const statuses = [];
  for (let count = 0; count < 11; count++)
    statuses.push((await ask('much@nobody.test', from('198.51.100.4'), { Country: count < 10 ? 'XX' : 'GB' })).status);
  assert.deepEqual(new Set(statuses), new Set([422, 200]), 'what is malformed costs nothing');
  for (let count = 0; count < 10; count++) await ask(`n${count}@nobody.test`, from('198.51.100.5'));
  const { status, body } = await ask('one-more@nobody.test', from('198.51.100.5'));
  assert.deepEqual([status, body.Resources?.code ?? body.Error], [429, 'TOO_MANY'], JSON.stringify(body));
  assert.equal((await ask('other@nobody.test', from('198.51.100.6'))).status, 200);
});
