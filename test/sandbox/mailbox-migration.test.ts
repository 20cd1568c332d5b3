import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import { openDatabase, type Storage } from '../../server/sandbox/database/connect.ts';
import { migrations } from '../../server/sandbox/migrations.ts';
import type { Tables } from '../../server/sandbox/tables.ts';
import { freshDatabase } from '../fixtures/postgres.ts';

async function makeStorage(t: TestContext): Promise<Storage> {
  const server = process.env.TEST_DATABASE_URL;
  if (server !== undefined) {
    const { url, drop } = await freshDatabase(server);
    t.after(drop);
    return { databaseUrl: url };
  }
  const folder = await mkdtemp(join(tmpdir(), 'portal-mailboxes-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return { folder };
}

/** The rows of a database before there was a table of mailboxes. */
const before = Object.fromEntries(Object.entries(migrations).filter(([name]) => /^\d/.test(name) && name < '200'));
const customer = '00000000-0000-4000-8000-000000000001';
const kept = {
  links: {},
  rows: {
    users: [
      {
        ...{ id: 7, customer_id: customer, mailbox_address: 'gone@harbour.test', mailbox_quota_mb: 100 },
        ...{ mailbox_used_mb: 3, created: '2026-01-01T00:00:00Z', groups: ['Staff'] },
      },
    ],
    mailbox_aliases: [{ id: 2, user_id: 7, alias: 'left@harbour.test', created: '2026-01-02', delayed_domain: false }],
    mailbox_permissions: [{ mailbox_id: 7, user_id: 5, kind: 'SendAs' }],
  },
};

test('mailboxes of before are taken over, each address once, also those that are kept of a deleted user', async t => {
  const storage = await makeStorage(t);
  const old = await openDatabase<Tables>(storage, before);
  await sql
    .raw(`insert into resellers (id, name, currency) values (1, 'Harbour', 'GBP');
      insert into customers (id, organisation_id, reseller_id, name, domain, created, last_change)
      values ('${customer}', 10001, 1, 'Harbour', 'harbour.test', now(), now());
      insert into users (id, customer_id, first_name, last_name, display_name, email, type, created, mailbox_address,
        mailbox_quota_mb, mailbox_used_mb, groups)
      values (5, '${customer}', 'A', 'A', 'A A', 'a@harbour.test', 'endUser', now(), 'a@harbour.test', 100, 9,
          '{Staff,Night shift}'),
        (6, '${customer}', 'S', 'S', 'S S', 'staff@harbour.test', 'endUser', now(), 'staff@harbour.test', 100, 0, '{Staff}'),
        (8, '${customer}', 'N', 'N', 'N N', 'none@harbour.test', 'endUser', now(), null, null, null, '{night shift}');
      insert into mailbox_aliases (user_id, alias, created, delayed_domain)
      values (5, 'Sales@harbour.test', now(), false), (6, 'sales@harbour.test', now(), true),
        (6, 'post@harbour.test', now(), true);
      insert into distribution_groups (customer_id, name, address)
      values ('${customer}', 'Staff', 'Staff@harbour.test');
      insert into mailbox_permissions values (5, 6, 'FullAccess');
      insert into deleted_users (customer_id, user_id, display_name, email, type, services, deleted, deleted_by, until, kept)
      values ('${customer}', 7, 'G G', 'gone@harbour.test', 'endUser', 0, now(), 'x', now(), '${JSON.stringify(kept)}')`)
    .execute(old.db);
  await old.close();
  const { db, close } = await openDatabase<Tables>(storage, migrations);
  t.after(close);
  const boxes = await db.selectFrom('mailboxes').select(['id', 'user_id', 'used_mb']).orderBy('id').execute();
  assert.deepEqual(boxes, [
    { id: 5, user_id: 5, used_mb: 9 },
    { id: 6, user_id: 6, used_mb: 0 },
  ]);
  const { rows } = await sql<Record<string, unknown>>`
    select address, mailbox_id, group_id, is_primary from mail_addresses
    order by address collate "C"`.execute(db);
  assert.deepEqual(
    rows.map(row => Object.values(row)),
    [
      ['Sales@harbour.test', 5, null, false],
      ['Staff-70001@harbour.test', null, 70001, true],
      ['a@harbour.test', 5, null, true],
      ['night-shift-70002@harbour.test', null, 70002, true],
      ['post@harbour.test', 6, null, false],
      ['staff@harbour.test', 6, null, true],
    ],
  );
  assert.equal((await db.selectFrom('mailbox_permissions').selectAll().execute()).length, 1);
  const members = await db
    .selectFrom('group_members as m')
    .innerJoin('distribution_groups as g', 'g.id', 'm.group_id')
    .select(['g.name', 'm.user_id'])
    .orderBy('g.id')
    .orderBy('m.user_id')
    .execute();
  assert.deepEqual(
    members.map(({ name, user_id }) => `${name.toLowerCase()} ${user_id}`),
    ['staff 5', 'staff 6', 'night shift 5', 'night shift 8'],
  );
  const { kept: moved } = await db.selectFrom('deleted_users').select('kept').executeTakeFirstOrThrow();
  const [box] = moved.rows.mailboxes ?? [];
  assert.deepEqual([box?.id, box?.user_id, box?.quota_mb, box?.used_mb], [7, 7, 100, 3]);
  const named = (moved.rows.mail_addresses ?? []).map(row => [row.address, row.mailbox_id, row.is_primary]);
  assert.deepEqual(named, [
    ['gone@harbour.test', 7, true],
    ['left@harbour.test', 7, false],
  ]);
  assert.deepEqual(moved.rows.group_members, [{ group_id: 70001, user_id: 7 }]);
  const made = { customer_id: customer, kind: 'shared' as const, quota_mb: 1, created: new Date() };
  const { id } = await db.insertInto('mailboxes').values(made).returning('id').executeTakeFirstOrThrow();
  assert.ok(id > 90_000, 'a new mailbox has no number that a kept one has');
});
