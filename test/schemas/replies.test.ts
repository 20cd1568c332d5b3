import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { describeReplies } from '../../scripts/schemas/replies.ts';
import { withSandbox } from '../fixtures/sandbox.ts';

const sandbox = withSandbox();

test('what the check knows of the replies of the cloud is what the cloud says of them', async () => {
  const openApi = await (await fetch(`${sandbox.url}/openapi.json`)).json();
  const written = await readFile('server/layouts/check/cloud-replies.json', 'utf8');
  assert.equal(written, describeReplies(openApi), 'npm run schemas replies writes it anew');
  const replies = JSON.parse(written);
  assert.equal(replies['GET /api/customers'].Result.Items.MonthlySpend, 'money');
  assert.equal(replies['GET /api/customers'].Result.Items.Name, 'value');
});
