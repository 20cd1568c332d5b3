import { sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { currencyOf, customerIdOf } from '../customers/scope.ts';
import { date, described, id, integer, list, money, object, orNull, string } from '../http/schema.ts';
import { cents } from '../orders/price.ts';
import { fields, type RowOf, selected } from '../resource/fields.ts';
import type { Database } from '../tables.ts';
import { isHeld } from './held.ts';

/** A part of a bundle, with the service `i` where the customer holds it. */
const part = fields('part', [
  { name: 'Position', shape: integer },
  { name: 'Name', column: sql`p.name` },
  { name: 'Icon', column: sql`p.icon` },
  { name: 'InstanceId', shape: orNull(id), column: sql`i.id` },
  {
    name: 'Status',
    shape: described(string, 'That of the service; NotHeld where there is none, or none any more.'),
    column: sql`coalesce(i.status, 'NotHeld')`,
  },
  { name: 'Quantity', shape: orNull(integer), column: sql`i.quantity` },
  { name: 'MonthlyPrice', shape: money, column: sql`coalesce(i.monthly_charge, 0)`, isNumber: true },
  { name: 'Currency', column: currencyOf('c') },
]);
const bundle = object({
  Id: id,
  Name: string,
  Icon: string,
  Sold: date,
  State: { enum: ['Whole', 'Incomplete'] },
  MonthlyPrice: money,
  Currency: string,
  Parts: list(part.schema),
});
export const bundleList = object({ Items: list(bundle), Total: integer });

/**
 * Lists what a customer was sold as a bundle, the newest first, each with its parts. A bundle costs what its parts cost;
 * it is whole while the customer holds every part.
 * @throws {CloudError} 404 when the caller does not see the customer
 */
export async function listBundles(db: Database, caller: Caller, key: string) {
  const customerId = await customerIdOf(db, caller, key);
  type BundlePart = RowOf<typeof part> & {
    readonly Id: number;
    readonly bundle: string;
    readonly icon: string;
    readonly Sold: Date;
  };
  const { rows } = await sql<BundlePart>`
    select ${selected(part)}, held.id as "Id", b.name as bundle, b.icon, held.sold as "Sold"
    from customer_bundles held
    join customers c on c.id = held.customer_id
    join bundles b on b.id = held.bundle_id
    join bundle_parts part on part.bundle_id = b.id
    join products p on p.service_id = part.service_id and p.sub_id = part.sub_id
    left join customer_bundle_parts own on own.customer_bundle_id = held.id and own.position = part.position
    left join service_instances i on i.id = own.instance_id and ${isHeld('i')}
    where held.customer_id = ${customerId}
    order by held.sold desc, held.id, part.position`.execute(db);
  const { currency: Currency } = caller;
  const Items = [...new Set(rows.map(({ Id }) => Id))].map(Id => {
    const Parts = rows.filter(row => row.Id === Id);
    const { bundle: Name, icon: Icon, Sold } = Parts[0]!;
    const MonthlyPrice = cents(Parts.reduce((sum, part) => sum + part.MonthlyPrice, 0));
    const Held = Parts.filter(({ InstanceId }) => InstanceId !== null).length;
    return {
      Id,
      Name,
      Icon,
      Sold,
      State: Held === Parts.length ? 'Whole' : 'Incomplete',
      MonthlyPrice,
      Currency,
      Parts,
    };
  });
  return { Items, Total: Items.length };
}
