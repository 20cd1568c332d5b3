import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { insertLargeReseller } from '../../server/sandbox/seed/large.ts';
import { withSandbox } from '../fixtures/sandbox.ts';

const sandbox = withSandbox();

test('the names of more customers than places and trades give still differ', async () => {
  const { db } = sandbox;
  await db.transaction().execute(trx => insertLargeReseller(trx, new Date(), 'no password', 12_000));
  const { rows } = await sql`
    select count(distinct name)::int as names from customers where reseller_id = 1003`.execute(db);
  assert.deepEqual(rows, [{ names: 12_000 }]);
});
