import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withSandbox } from '../fixtures/sandbox.ts';
import { setUp } from '../fixtures/set-up.ts';

let now = Date.UTC(2027, 0, 4, 12);
const sandbox = withSandbox({ now: () => new Date(now), tokenSeconds: 90 * 86_400 });
const minute = 60_000;
let token: string;
let other: string;
setUp(async () => {
  token = await sandbox.signIn('user@contoso.test');
  other = await sandbox.signIn('admin@contoso.test');
});

const call = (method: string, path: string, body?: object, who = token) => sandbox.call(who, method, path, body);
const required = async (who = token) => (await call('GET', '/api/rating/required', undefined, who)).body.Result;
const rate = (body: object) => call('POST', '/api/rating', body);

/** Opens as many articles. */
async function read(count: number): Promise<void> {
  const { Items } = (await call('GET', '/api/knowledge-base/articles')).body.Result;
  for (const { Id } of Items.slice(0, count)) await call('PUT', `/api/knowledge-base/articles/${Id}/opened`);
}

test('who has read three articles is asked ten minutes later, until something is saved, and a word stays', async () => {
  now = Date.now();
  await read(2);
  now += 11 * minute;
  assert.deepEqual(await required(), {});
  await read(3);
  assert.deepEqual(await required(), {}, 'not while one reads');
  now += 11 * minute;
  assert.deepEqual(await required(), { FeatureId: 'KnowledgeBase' });
  assert.deepEqual(await required(other), {});

  // Closed without a rating.
  assert.equal((await rate({ FeatureId: 'KnowledgeBase' })).status, 200);
  assert.deepEqual(await required(), {});
  await rate({ FeatureId: 'KnowledgeBase', Rating: 'Down', Comments: 'Too <b>long</b>\nfor me' });
  await rate({ FeatureId: 'KnowledgeBase' });
  const page = await (await fetch(`${sandbox.url}/ratings`)).text();
  assert.match(page, /0 up, 1 down, 0 closed/);
  assert.match(page, /Too &#60;b/);
});

test('who had a ticket closed is asked, but not within a month of another question', async () => {
  const account = sandbox.db.selectFrom('accounts').select('id').where('username', '=', 'user@contoso.test');
  const closed = new Date(now);
  await sandbox.db
    .insertInto('tickets')
    .values({
      ...{ reseller_id: 1001, customer_id: null, user_id: null, author: 'A user', author_customer_id: null },
      account_id: (await account.executeTakeFirstOrThrow()).id,
      ...{ subject: 'It works again', priority: 'Low', status: 'Closed', created: closed, updated: closed, closed },
    })
    .execute();
  now += 11 * minute;
  assert.deepEqual(await required(), {}, 'articles were asked about');
  await sandbox.db
    .updateTable('ratings')
    .set({ at: new Date(now - 31 * 1440 * minute) })
    .execute();
  assert.deepEqual(await required(), { FeatureId: 'Tickets' });
});

test('what is no rating of a feature is refused', async () => {
  for (const body of [{}, { FeatureId: 'Weather' }, { FeatureId: 'Tickets', Rating: 'Sideways' }])
    assert.equal((await rate(body)).status, 400);
  assert.equal((await rate({ FeatureId: 'Tickets', Rating: 'Up', Comments: 'x'.repeat(2001) })).status, 400);
});
