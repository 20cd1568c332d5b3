import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { securityEvents } from '../../server/store/security-log.ts';
import { readLongForms } from '../fixtures/long-forms.ts';
import { type Client, signInAs, withPortal } from '../fixtures/portal.ts';
import { withSandbox } from '../fixtures/sandbox.ts';

const sandbox = withSandbox();
const portal = withPortal(sandbox);

type Item = { Event: string; Outcome: string; Device: string | null; Address: string | null };
const read = async (browser: Client, query = ''): Promise<{ Items: Item[]; Total: number }> =>
  (await browser.get(`/ui/data/security.log${query}`)).body.Result;
const told = ({ Event, Outcome, Device, Address }: Item): string => [Event, Outcome, Device, Address].join(', ');

test('a user reads their own sign-ins, failures and ended sessions, the newest first, and nothing of others', async () => {
  const phone = portal.client({ 'user-agent': 'iPhone Safari/604' });
  await signInAs(phone, 'ENGINEER@northwind.test', 'wrong \u202e🚀');
  await signInAs(phone, 'reseller@northwind.test', 'wrong');
  const first = await portal.signIn('engineer@northwind.test');
  await portal.signIn('rival@southridge.test');
  await first.post('/auth/sign-out');
  const { Items, Total } = await read(await portal.signIn('engineer@northwind.test'));
  assert.deepEqual(Items.map(told), [
    'session.sign-in, done, Unknown device, 127.0.0.1',
    'session.sign-out, done, Unknown device, 127.0.0.1',
    'session.sign-in, done, Unknown device, 127.0.0.1',
    'session.sign-in, refused, Safari on iPhone, 127.0.0.1',
  ]);
  assert.equal(Total, 4);
});

test('what is done to the data of the product is no matter of sign-in, and an unknown matter is told in general', async () => {
  const browser = await portal.signIn('admin@contoso.test');
  for (const action of ['customer.renamed', 'sessions.x', 'password.frozen'])
    await portal.store.run(db =>
      db
        .insertInto('audit')
        .values({
          action,
          outcome: 'done',
          account: 'admin@contoso.test',
          detail: '{}',
          address: null,
          actor: null,
          device: null,
        })
        .execute(),
    );
  assert.deepEqual(
    (await read(browser)).Items.map(({ Event }) => Event),
    ['other', 'session.sign-in'],
  );
});

test('the log comes in pages and as a file', async () => {
  const browser = await portal.signIn('noaccess@northwind.test');
  for (let count = 0; count < 4; count++) await portal.signIn('noaccess@northwind.test');
  const { Items, Total } = await read(browser, '?page=3&pageSize=2');
  assert.deepEqual([Items.length, Total], [1, 5]);
  assert.equal((await browser.get('/ui/data/security.log?page=0')).status, 400);
  assert.equal((await browser.get('/ui/data/security.log?account=engineer@northwind.test')).status, 400);
  const path = encodeURIComponent('/account-setting/profile?tab=log&size=25');
  const hash = await browser.hashOf('/account-setting/profile');
  const file = await browser.get(`/ui/files/${hash}/log.csv?path=${path}`);
  const lines = file.text.trim().split('\r\n');
  assert.equal(lines[0], 'Event,Way,Outcome,Device,Network address,When (Europe/London),By');
  assert.match(lines[1] ?? '', /^Sign-in,Password,Succeeded,Unknown device,127\.0\.0\.1,\d\d\/\d\d\/\d{4} \d\d:\d\d,$/);
  assert.equal(lines.length, 6);
});

test('every event that is told apart is one that is recorded, and has its words', async () => {
  const sources = ['server/commands', 'schemas'].flatMap(folder =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter(name => /(\.ts|operations\.json)$/.test(name))
      .map(name => readFileSync(`${folder}/${name}`, 'utf8')),
  );
  for (const event of securityEvents.filter(name => name !== 'other'))
    assert.ok(
      sources.some(source => source.includes(`'${event}'`) || source.includes(`"${event}"`)),
      event,
    );
  const catalogue = (await readLongForms()).find(({ file }) => file === 'catalogue/security-event.json');
  assert.deepEqual(
    (catalogue?.json.entries as { value: string }[] | undefined)?.map(({ value }) => value),
    [...securityEvents],
  );
});
