import { sql } from 'kysely';
import type { Write } from '../tables.ts';
import { isHeld } from './held.ts';

/** Bundles that are sold, with the products in each. */
const bundles = [
  { id: 1, name: 'Secure Workplace', icon: 'shield', parts: ['Hosted Exchange', 'Email Security', 'Mail Signatures'] },
  { id: 2, name: 'Office Care', icon: 'box', parts: ['Office Suite Business', 'Cloud Backup', 'Endpoint Security'] },
] as const;

/** Customers of Northwind who were sold one, by what they hold at least. */
const leastHeld = 2;

/**
 * Adds the bundles, and records that the customers of Northwind who hold most of the parts of one were sold it: a
 * demo has whole ones and some that lack a part. What is there already stays.
 */
export async function insertBundles(trx: Write): Promise<void> {
  for (const { id, name, icon, parts } of bundles) {
    await trx
      .insertInto('bundles')
      .values({ id, name, icon })
      .onConflict(known => known.doNothing())
      .execute();
    for (const [position, part] of parts.entries())
      await sql`
        insert into bundle_parts (bundle_id, position, service_id, sub_id)
        select ${id}::int, ${position}::int, service_id, sub_id from products where name = ${part}
        on conflict do nothing`.execute(trx);
  }
  await sql`
    with held as (
      select part.bundle_id, part.position, i.customer_id, min(i.id) as instance_id, min(i.created) as created
      from bundle_parts part
      join service_instances i on i.service_id = part.service_id and i.sub_id = part.sub_id
      where i.reseller_id = 1001 and ${isHeld('i')} and i.user_id is null
        and not exists (select from customer_bundles)
      group by part.bundle_id, part.position, i.customer_id),
    sold as (
      insert into customer_bundles (customer_id, bundle_id, sold)
      select customer_id, bundle_id, min(created) from held
      group by customer_id, bundle_id having count(*) >= ${leastHeld}
      order by customer_id, bundle_id
      returning id, customer_id, bundle_id)
    insert into customer_bundle_parts (customer_bundle_id, position, instance_id)
    select sold.id, held.position, held.instance_id
    from sold join held on held.customer_id = sold.customer_id and held.bundle_id = sold.bundle_id`.execute(trx);
}
