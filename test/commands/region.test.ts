import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withClient, withPortal } from '../fixtures/portal.ts';
import { withSandbox } from '../fixtures/sandbox.ts';

const portal = withPortal(withSandbox());
const engineer = withClient(portal, 'codes@northwind.test');
const zones = async (search: string) => {
  const { body } = await engineer.get(`/ui/data/region.timeZones?search=${encodeURIComponent(search)}`);
  return body.Result as { Items: { Zone: string; Name: string; Detail: string }[]; Total: number };
};

test('a time zone is found by its city, as it is called now or was before, its region and its name', async () => {
  assert.equal((await zones('new york')).Items[0]?.Zone, 'America/New_York');
  for (const words of ['Kathmandu', 'katmandu', 'nepal time'])
    assert.deepEqual(
      (await zones(words)).Items.map(({ Name }) => Name),
      ['Kathmandu'],
      words,
    );
  assert.match((await zones('nepal')).Items[0]?.Detail ?? '', /UTC\+05:45, now \d\d:\d\d$/);
  assert.deepEqual(await zones('atlantis'), { Items: [], Total: 0 });
  const all = await zones('');
  assert.equal(all.Items.length, 50);
  assert.ok(all.Total > 400);
});

test('the chosen time zone is a fact of the caller, and files are written in it whatever the browser says', async () => {
  const choose = (TimeZone: string) =>
    engineer.press('choose-time-zone', 'use-time-zone', 'call:region.save', { body: { TimeZone } });
  const wrong = await choose('Mars/Olympus');
  assert.deepEqual(wrong.body.Errors, { TimeZone: ['There is no such time zone.'] });
  assert.equal((await choose('America/New_York')).body.Succeed, true);
  const again = await portal.signIn('codes@northwind.test');
  assert.equal((await again.get('/ui/boot')).body.principal.timeZone, 'America/New_York');
  const path = encodeURIComponent('/account-setting/profile?tab=log');
  const { text } = await again.get(`/ui/files/none/log.csv?path=${path}&zone=UTC`);
  assert.match(text, /When \(America\/New_York\)/);
});

test('the languages are those that have texts, each named in itself', async () => {
  const { body } = await engineer.get('/ui/data/region.languages');
  assert.deepEqual(body.Result, [{ Language: 'en', Name: 'English', IsChosen: false }]);
});
