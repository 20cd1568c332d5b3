import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createExportJobs, type ExportRequest } from '../../server/exports/export-jobs.ts';
import type { Caller } from '../../server/operations/caller.ts';
import type { Services } from '../../server/operations/services.ts';
import { createExportFiles } from '../../server/store/export-files.ts';
import { eventually } from '../fixtures/eventually.ts';
import { withPortal } from '../fixtures/portal.ts';
import { withRecordingProxy } from '../fixtures/recording-proxy.ts';

const portal = withPortal(withRecordingProxy({ url: 'http://127.0.0.1:9' }));

const silent = { info() {}, warn() {} };
const caller = {
  session: { key: 'a session', account: 'someone@fernhill.test' },
  principal: { facts: { identity: 'someone@fernhill.test' } },
} as unknown as Caller;

/** Makes a file of so many equal rows and gives what has become of it. */
async function make(rows: number, format: ExportRequest['format'], cell = 'a') {
  const files = createExportFiles(portal.store, Date.now);
  const sessions = { onChange: () => () => undefined };
  const services = { audit: async () => undefined, log: silent, sessions } as unknown as Services;
  const jobs = createExportJobs({ services, files, store: portal.store });
  async function* pages() {
    for (let left = rows; left > 0; left -= 1000) yield Array.from({ length: Math.min(left, 1000) }, () => [cell]);
  }
  const table = { title: 'Rows', titles: ['One'], paths: ['row.One'], total: rows, isExact: true, pages: pages() };
  const stop = new AbortController();
  await jobs.start(caller, { table, format, path: '/rows', tableId: 'rows', stop });
  const list = () => files.list('someone@fernhill.test');
  await eventually(async () => (await list()).every(({ state }) => state !== 'running'), 'the file is made');
  const [made] = await list();
  await files.drop('someone@fernhill.test', made!.id);
  return made!;
}

test('a workbook holds 50,000 rows; one of more is not cut but refused, with the reason', async () => {
  const { state, reason } = await make(50_001, 'xlsx');
  assert.deepEqual([state, reason], ['failed', 'rows']);
});

test('a file of more than 32 MiB is refused, with the reason', async () => {
  const { state, reason } = await make(1100, 'csv', 'a'.repeat(32_000));
  assert.deepEqual([state, reason], ['failed', 'bytes']);
});

test('a file of a few megabytes is kept in parts and read back whole', async () => {
  const files = createExportFiles(portal.store, Date.now);
  const at = new Date();
  const id = await files.begin({
    ...{ owner: 'other@fernhill.test', session: 'a session', title: 'Rows', format: 'csv', path: '/rows' },
    ...{ table_id: 'rows', columns: '[]', total: null, sight: null },
  });
  const parts = [1, 2, 3].map(fill => Buffer.alloc(300_000, fill));
  for (const [index, part] of parts.entries()) assert.equal(await files.addPart(id!, index, part), true);
  await files.finish(id!, { rows: 3, bytes: 900_000 });
  const read: Buffer[] = [];
  for await (const part of files.read(id!)) read.push(part);
  assert.ok(Buffer.concat(read).equals(Buffer.concat(parts)));
  assert.equal(await files.addPart(id!, 3, Buffer.from('late')), false, 'nothing is added to a file that is ready');
  const found = await files.find('other@fernhill.test', id!);
  assert.ok(found && found.expires_at > at);
});
