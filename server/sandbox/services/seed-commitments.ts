import { sql } from 'kysely';
import type { Write } from '../tables.ts';

/** Days until the committed services of the seed renew. */
const renewsIn = [9, 23, 160];

/**
 * Commits some seeded services of Northwind to a year, so that a demo has renewals: two soon, one later. Does nothing
 * where some are committed already.
 */
export async function insertCommitments(trx: Write, now: Date): Promise<void> {
  await sql`
    update service_instances i
    set term_id = 'annual', billing_id = 'monthly',
      created = (${now}::timestamptz at time zone 'UTC' - interval '1 year' + days * interval '1 day') at time zone 'UTC'
    from (
      select id, (${renewsIn}::int[])[row_number() over (order by id)] as days
      from (
        select distinct on (i.customer_id) i.id
        from service_instances i
        join customers c on c.id = i.customer_id
        join products p on p.service_id = i.service_id and p.sub_id = i.sub_id
        where i.reseller_id = 1001 and i.status = 'Active' and i.term_id is null and not c.suspended
          and c.domain <> 'contoso.test' and p.offer -> 'Terms' @> '[{"Id": "annual"}]'
        order by i.customer_id, i.id
      ) held
    ) chosen
    where chosen.id = i.id and days is not null
      and not exists (select from service_instances where reseller_id = 1001 and term_id = 'annual' and order_id is null)`.execute(
    trx,
  );
}
