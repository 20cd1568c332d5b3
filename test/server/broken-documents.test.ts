import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { copySchemas, type EditedSchemas } from '../fixtures/edited-schemas.ts';
import { eventually } from '../fixtures/eventually.ts';
import { createClient } from '../fixtures/portal.ts';
import { startProgram } from '../fixtures/started-portal.ts';
import { copyStore } from '../fixtures/store-template.ts';

let folder: string;
let schemas: EditedSchemas;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portal-broken-'));
  schemas = await copySchemas();
  if (!process.env.TEST_DATABASE_URL) await copyStore(folder);
});
after(async () => {
  await schemas?.remove();
  await rm(folder, { recursive: true, force: true });
});

const token = 'a-token-for-figures';

const broken = async (url: string): Promise<string | undefined> =>
  /^schemas_broken (\d+)$/m.exec(
    (await createClient(url).get('/metrics', { authorization: `Bearer ${token}` })).text,
  )?.[1];

test('a portal starts with the last good version of a document that was broken meanwhile, and says so', async t => {
  const environment = {
    CLOUD_API_URL: 'http://127.0.0.1:9',
    DATA_DIR: folder,
    SCHEMAS_DIR: schemas.folder,
    METRICS_TOKEN: token,
  };
  const first = await startProgram(t, environment);
  assert.equal(await broken(first.url), '0');
  await eventually(() =>
    readFile(join(folder, 'documents.json')).then(
      () => true,
      () => false,
    ),
  );
  await first.stop('SIGINT');

  await schemas.edit('customers/customers.json', text => text.replace('"type": "toolbar"', '"type": "tolbar"'));
  const second = await startProgram(t, environment);
  assert.equal((await createClient(second.url).get('/login', { accept: 'text/html' })).status, 200);
  assert.equal(await broken(second.url), '1');
  assert.match(second.log(), /customers\/customers\.json:\d+:\d+: .*\\"tolbar\\" not found/);
  assert.match(second.log(), /the last good version stays: customers\/customers\.json/);

  await schemas.edit('customers/customers.json', text => text.replace('"type": "tolbar"', '"type": "toolbar"'));
  await eventually(async () => (await broken(second.url)) === '0');
});
