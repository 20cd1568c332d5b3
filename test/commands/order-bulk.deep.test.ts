import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { type Client, withPortal } from '../fixtures/portal.ts';
import { withSandbox } from '../fixtures/sandbox.ts';

const sandbox = withSandbox({ phaseMilliseconds: 0 });
const portal = withPortal(sandbox);

type Body = Readonly<Record<string, unknown>>;
const product = { serviceId: 8, subId: 9 };
const step = (who: Client, body: Body) =>
  who.press('bulk-order', 'bulk', 'command:order.bulk-step', { with: product, body });

test('ten thousand customers with values of their own go through every step', async () => {
  const reseller = await portal.signIn('reseller@northwind.test');
  await sql`insert into customers (organisation_id, reseller_id, name, domain, created, last_change, contact_email)
    select 800000 + n, 1001, 'Myriad ' || n, 'a-rather-long-name-of-a-domain-' || n || '.test', now(), now(),
      'administrator-' || n || '@a-rather-long-name-of-a-domain.test' from generate_series(1, 10000) n`.execute(
    sandbox.db,
  );
  // As PostgreSQL does by itself some time after; until then it plans for the few customers there were.
  await sql`analyze customers`.execute(sandbox.db);
  const ids = Array.from({ length: 10_000 }, (_, at) => String(800_001 + at));
  const answers = { Customers: ids.join('\n'), TermId: 'monthly', BillingId: 'monthly' };
  const chosen = await step(reseller, { Customers: answers.Customers, $step: 'customers' });
  assert.equal(chosen.body.Result?.values.$rows.length, 10_000, chosen.text.slice(0, 300));
  const rows = ids.slice(0, 4000).map(id => [id, { Domain: `typed-${id}.test` }]);
  const own = { Values: JSON.stringify(rows) };
  const checked = await step(reseller, { ...answers, ...own, $step: 'details' });
  assert.equal(checked.body.Result?.values.$customers, 10_000, checked.text.slice(0, 300));
  const { $price, $ordered } = checked.body.Result.values;
  const placed = await step(reseller, { ...answers, ...own, $price, $ordered, $step: 'check' });
  assert.match(placed.body.effects?.[0]?.to ?? placed.text.slice(0, 300), /^\/services\/bulk\/\d+$/);
});
