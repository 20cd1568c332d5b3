import assert from 'node:assert/strict';
import { test } from 'node:test';
import { notify } from '../../server/sandbox/notifications/store.ts';
import { withPortal } from '../fixtures/portal.ts';
import { withSandbox } from '../fixtures/sandbox.ts';

const who = 'reseller@northwind.test';
const sandbox = withSandbox();
const portal = withPortal(sandbox);
const oneClick = 'List-Unsubscribe=One-Click';
const form = { 'content-type': 'application/x-www-form-urlencoded' };

const account = () =>
  sandbox.db.selectFrom('accounts').select('id').where('username', '=', who).executeTakeFirstOrThrow();
/** Whether mails about dangers are sent. */
async function isMailed(): Promise<boolean | undefined> {
  const { id } = await account();
  const rows = await sandbox.db.selectFrom('notification_ways').selectAll().where('account_id', '=', id).execute();
  return rows.find(({ category }) => category === 'danger')?.mail;
}

/** Path of the link in a new mail about a danger. */
async function newLink(): Promise<string> {
  const { id } = await account();
  const row = { account_id: id, category: 'danger' as const, bell: true, mail: true, digest: false };
  await sandbox.db
    .insertInto('notification_ways')
    .values(row)
    .onConflict(conflict =>
      conflict.columns(['account_id', 'category']).doUpdateSet({ mail: true, mail_stopped: null }),
    )
    .execute();
  const note = { service_name: 'Backup', message: 'Backup', content: 'One failed', category: 'danger' as const };
  await sandbox.db.transaction().execute(trx => notify(trx, [id], note, new Date()));
  const { unsubscribe } = await sandbox.db
    .selectFrom('outbox')
    .select('unsubscribe')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
  return new URL(unsubscribe ?? '').pathname;
}

const post = (url: string, payload: string, headers: Record<string, string> = form) =>
  portal.app.inject({ method: 'POST', url, payload, headers });

test('a mail program stops mails with one press, without a cookie or a page, and again without harm', async () => {
  const link = await newLink();
  for (let count = 0; count < 2; count++) {
    const { statusCode, body, headers } = await post(link, oneClick);
    assert.deepEqual([statusCode, body, headers['set-cookie']], [200, 'Unsubscribed.', undefined]);
    assert.equal(await isMailed(), false);
  }
  const multipart = '--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n';
  const again = await newLink();
  assert.equal((await post(again, multipart, { 'content-type': 'multipart/form-data; boundary=b' })).statusCode, 200);
  assert.equal(await isMailed(), false);
});

test('looking at the link stops nothing; its page does, says so, and takes it back', async () => {
  const link = await newLink();
  const browser = portal.client();
  assert.equal((await browser.get(link, { accept: 'text/html' })).status, 200);
  assert.equal(await isMailed(), true);
  const token = link.split('/').at(-1) ?? '';
  const press = (node: string, undo: boolean) =>
    browser.press('unsubscribe', node, 'command:links.unsubscribe', { with: { token, undo } });
  assert.deepEqual((await press('unsubscribe', false)).body.Result, { outcome: 'stopped', mails: 'danger' });
  assert.equal(await isMailed(), false);
  assert.deepEqual((await press('undo-notifications', true)).body.Result, { outcome: 'resumed', mails: 'danger' });
  assert.equal(await isMailed(), true);
});

test('what is no press of a mail program, too large or wrong stops nothing, and many wrong links have to wait', async () => {
  const link = await newLink();
  assert.equal((await post(link, 'a=b')).statusCode, 400);
  assert.equal((await post(link, `${oneClick}&a=${'b'.repeat(2000)}`)).statusCode, 413);
  assert.equal((await post(`/unsubscribe/${'a'.repeat(150)}`, oneClick)).statusCode, 404);
  assert.equal(await isMailed(), true);
  const statuses: number[] = [];
  for (let count = 0; count < 40; count++)
    statuses.push((await post('/unsubscribe/1.danger.nothing', oneClick)).statusCode);
  assert.deepEqual([...new Set(statuses)], [404, 429]);
});
