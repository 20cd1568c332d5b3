import { sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { customerIdOf, isVisibleTo } from '../customers/scope.ts';
import { notFound } from '../http/errors.ts';
import { idOf } from '../http/ids.ts';
import { phasesOf } from '../jobs/phases.ts';
import { type Change, findChangeRefusal, findRetryRefusal } from '../marketplace/eligibility.ts';
import { keyOf, visibleProducts } from '../marketplace/products.ts';
import { orderNumber } from '../orders/place.ts';
import { isBeingReplaced } from '../orders/subject.ts';
import type { Database } from '../tables.ts';

/**
 * Finds the id of the service that an address names together with its customer. `customerId` is a guid or an
 * organisation id.
 * @throws {CloudError} 404 for a customer that the caller does not see, and for a service of another customer
 */
export async function instanceIdAt(
  db: Database,
  caller: Caller,
  { customerId, instanceId }: { readonly customerId: string; readonly instanceId: string },
): Promise<string> {
  const found = await db
    .selectFrom('service_instances')
    .select('id')
    .where('customer_id', '=', await customerIdOf(db, caller, customerId))
    .where('id', '=', idOf(instanceId))
    .executeTakeFirst();
  if (found === undefined) throw notFound();
  return String(found.id);
}

/**
 * Reads a service with the phases of its latest change, and what the caller can do with it now.
 * @throws {CloudError} 404 when the caller does not see it
 */
export async function readInstance(db: Database, caller: Caller, instanceId: string) {
  const row = await db
    .selectFrom('service_instances as i')
    .innerJoin('customers as c', 'c.id', 'i.customer_id')
    .innerJoin('products as p', join =>
      join.onRef('p.service_id', '=', 'i.service_id').onRef('p.sub_id', '=', 'i.sub_id'),
    )
    .leftJoin('users as u', 'u.id', 'i.user_id')
    .leftJoin('orders as o', 'o.id', 'i.order_id')
    .where('i.id', '=', idOf(instanceId))
    .where(isVisibleTo(caller))
    .selectAll('i')
    .select(['p.name', 'p.icon', 'p.offer', 'c.name as customer', 'c.organisation_id', 'c.suspended'])
    .select(['u.display_name as user', 'o.fields as order_fields'])
    .executeTakeFirst();
  if (row === undefined) throw notFound();
  const { offer, status } = row;
  const phases = await readPhases(db, row.id);
  const done = phases.filter(({ State }) => State === 'done').length;
  const mayChange = caller.permissions.includes('addProducts');
  const isReplaced = await isBeingReplaced(db, row.id);
  const products = await visibleProducts(db, caller);
  const held = products.find(({ key }) => key === keyOf(row.service_id, row.sub_id));
  const can = (action: Change['action']): boolean =>
    mayChange &&
    held !== undefined &&
    findChangeRefusal({
      ...{ action, held, status, targets: products },
      isSuspended: row.suspended,
      isBeingReplaced: isReplaced,
    }) === undefined;
  return {
    Id: row.id,
    ServiceId: row.service_id,
    SubId: row.sub_id,
    Name: row.name,
    Icon: row.icon,
    CustomerId: row.organisation_id,
    CustomerName: row.customer,
    UserId: row.user_id,
    UserName: row.user,
    Status: status,
    StatusGroup: row.status_group,
    Reason: row.reason,
    Quantity: row.quantity,
    Unit: offer.Unit,
    TermId: row.term_id,
    Term: offer.Terms.find(({ Id }) => Id === row.term_id)?.Name ?? null,
    BillingId: row.billing_id,
    Billing: offer.Billing.find(({ Id }) => Id === row.billing_id)?.Name ?? null,
    Fields: offer.Fields.map(({ PropertyName, Label }) => ({
      PropertyName,
      Label,
      Value: String((status === 'Active' ? row.fields : (row.order_fields ?? row.fields))[PropertyName] ?? ''),
    })),
    MonthlyPrice: row.monthly_charge,
    Currency: caller.currency,
    OrderNumber: row.order_id === null ? null : orderNumber(row.order_id),
    Created: row.created,
    LastChange: row.last_change,
    Steps: phases,
    Percent: phases.length > 0 ? Math.round((100 * done) / phases.length) : status === 'Active' ? 100 : 0,
    CanRetry: mayChange && findRetryRefusal(status, row.suspended, false) === undefined,
    CanFix: mayChange && offer.Fields.length > 0 && findRetryRefusal(status, row.suspended, true) === undefined,
    CanModify: can('Modify'),
    CanUpgrade: can('Upgrade'),
    CanDelete: mayChange && !isReplaced && (status === 'Active' || status === 'ActivationFailed'),
    Upgrades: products
      .filter(({ key }) => offer.Upgrades.includes(key))
      .map(({ serviceId, subId, name, icon, price }) => ({
        ServiceId: serviceId,
        SubId: subId,
        Name: name,
        Icon: icon,
        Price: price,
        Currency: caller.currency,
      })),
  };
}

type JobPhase = { Name: string; State: 'done' | 'running' | 'waiting' | 'failed'; At: Date | null };

async function readPhases(db: Database, instanceId: number): Promise<JobPhase[]> {
  const job = await db
    .selectFrom('jobs')
    .select(['kind', 'done', 'state', 'failed_at'])
    .where('instance_id', '=', instanceId)
    .orderBy(sql`state = 'running'`, 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (job === undefined) return [];
  return phasesOf[job.kind].map((Name, index): JobPhase => {
    const at = job.done[index];
    if (at !== undefined) return { Name, State: 'done', At: at };
    if (index > job.done.length) return { Name, State: 'waiting', At: null };
    return job.state === 'failed' ? { Name, State: 'failed', At: job.failed_at } : { Name, State: 'running', At: null };
  });
}
