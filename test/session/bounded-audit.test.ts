import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLog } from '../../server/log.ts';
import { boundAudit } from '../../server/session/bounded-audit.ts';
import type { AuditRecord } from '../../server/store/audit.ts';

test('85: one account writes so many records of an action in a minute, and the rest is one record with their number', async () => {
  const written: AuditRecord[] = [];
  const bounded = boundAudit(async record => void written.push(record), createLog('silent'));
  const write = async (count: number, record: AuditRecord) => {
    for (let index = 0; index < count; index++) await bounded.audit({ ...record, address: '127.0.0.2' });
  };
  await write(100, { action: 'redirect', outcome: 'done', account: 'eve' });
  await write(700, { action: 'customers.suspend', outcome: 'done', account: 'eve' });
  await write(2, { action: 'customers.suspend', outcome: 'done', account: 'ada' });
  // Of nobody in particular, such as the portal itself.
  await write(700, { action: 'schemas.reloaded', outcome: 'done' });
  await bounded.close();
  const count = (action: string, account?: string) =>
    written.filter(record => record.action === action && record.account === account && !record.detail?.more).length;
  assert.deepEqual(
    [
      count('redirect', 'eve'),
      count('customers.suspend', 'eve'),
      count('customers.suspend', 'ada'),
      count('schemas.reloaded'),
    ],
    [60, 600, 2, 700],
  );
  assert.deepEqual(
    written.filter(({ detail }) => detail?.more),
    [
      { action: 'redirect', outcome: 'done', account: 'eve', detail: { more: 40 } },
      { action: 'customers.suspend', outcome: 'done', account: 'eve', detail: { more: 100 } },
    ],
  );
});
