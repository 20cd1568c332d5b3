import { sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { customerIdOf } from '../customers/scope.ts';
import { cents } from '../orders/price.ts';
import type { Database } from '../tables.ts';
import { isHeld } from './held.ts';

type PartRow = {
  readonly Id: number;
  readonly BundleName: string;
  readonly BundleIcon: string;
  readonly Sold: Date;
  readonly Position: number;
  readonly Name: string;
  readonly Icon: string;
  readonly InstanceId: number | null;
  readonly Status: string | null;
  readonly Quantity: number | null;
  readonly MonthlyPrice: number;
};

/**
 * Lists what a customer was sold as a bundle, the newest first, each with its parts. A bundle costs what its parts cost;
 * it is whole while the customer holds every part.
 * @throws {CloudError} 404 when the caller does not see the customer
 */
export async function listBundles(db: Database, caller: Caller, key: string) {
  const customerId = await customerIdOf(db, caller, key);
  const { rows } = await sql<PartRow>`
    select held.id as "Id", b.name as "BundleName", b.icon as "BundleIcon", held.sold as "Sold",
      part.position as "Position", p.name as "Name", p.icon as "Icon", i.id as "InstanceId", i.status as "Status",
      i.quantity as "Quantity", coalesce(i.monthly_charge, 0) as "MonthlyPrice"
    from customer_bundles held
    join bundles b on b.id = held.bundle_id
    join bundle_parts part on part.bundle_id = b.id
    join products p on p.service_id = part.service_id and p.sub_id = part.sub_id
    left join customer_bundle_parts own on own.customer_bundle_id = held.id and own.position = part.position
    left join service_instances i on i.id = own.instance_id and ${isHeld('i')}
    where held.customer_id = ${customerId}
    order by held.sold desc, held.id, part.position`.execute(db);
  const { currency: Currency } = caller;
  const Items = [...new Set(rows.map(({ Id }) => Id))].map(Id => {
    const parts = rows.filter(row => row.Id === Id);
    const { BundleName: Name, BundleIcon: Icon, Sold } = parts[0]!;
    const Parts = parts.map(({ Position, Name: name, Icon: icon, InstanceId, Status, Quantity, MonthlyPrice }) => ({
      ...{ Position, Name: name, Icon: icon, InstanceId, Status: Status ?? 'NotHeld', Quantity },
      ...{ MonthlyPrice, Currency },
    }));
    const MonthlyPrice = cents(parts.reduce((sum, part) => sum + part.MonthlyPrice, 0));
    const Held = parts.filter(({ InstanceId }) => InstanceId !== null).length;
    return {
      Id,
      Name,
      Icon,
      Sold,
      State: Held === parts.length ? 'Whole' : 'Incomplete',
      MonthlyPrice,
      Currency,
      Parts,
    };
  });
  return { Items, Total: Items.length };
}
