import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { addFile } from '../../server/sandbox/usage/files.ts';
import { replaceByStaged } from '../../server/sandbox/usage/load.ts';
import { groupings } from '../../server/sandbox/usage/report.ts';
import type { StartedSandbox } from '../../test/fixtures/sandbox.ts';
import type { Measure } from './report.ts';
import { benchSandbox } from './sandbox.ts';

/** A customer without usage of its own. */
const customer = 10_002;

/** Measures how fast the sandbox answers the usage report over a month of 1,000 resources, each with 20 meters. */
export function benchUsage(): Promise<Measure[]> {
  const questions = [...groupings.map(by => `by=${by}&days=28`), 'by=resource&days=28&resourceGroup=group-7'];
  return benchSandbox(
    { seed: 'small', account: 'reseller@northwind.test', limit: 200, prepare: insertMonth },
    questions.map(query => ({
      what: `usage of 1,000 resources × 20 meters, ${query}`,
      path: `/api/customers/${customer}/usage?${query}`,
    })),
  );
}

async function insertMonth({ db }: StartedSandbox): Promise<void> {
  const upload = randomUUID();
  const { id } = await db
    .selectFrom('customers')
    .select('id')
    .where('organisation_id', '=', customer)
    .executeTakeFirstOrThrow();
  await sql`
    insert into usage_staged (upload, subscription_id, subscription_name, group_name, resource_id, resource_name,
      service, meter, unit, day, quantity, cost)
    select ${upload}::uuid, 'subscription-' || r % 3, 'Subscription ' || r % 3, 'group-' || r % 20, 'resource-' || r,
      'resource-' || r, 'Service', 'Meter ' || m, 'Hours', current_date - d, 24, (r % 97 + m) * 0.0123456789
    from generate_series(1, 1000) r, generate_series(1, 20) m, generate_series(1, 31) d`.execute(db);
  const sent = new Date();
  const file = { customer_id: id, name: 'bench', rows: 0, sent, sent_by: 'Bench', loaded: sent };
  await db.transaction().execute(async trx => replaceByStaged(trx, id, upload, await addFile(trx, file)));
  await sql`vacuum analyze usage_resource_days, usage_meter_days`.execute(db);
}
