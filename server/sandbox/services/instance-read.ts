import { sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { isVisibleTo } from '../customers/scope.ts';
import type { Database } from '../database/connect.ts';
import { notFound } from '../http/errors.ts';
import { stepsOf } from '../jobs/steps.ts';
import { keyOf, visibleProducts } from '../marketplace/products.ts';
import { idOf } from '../notifications/routes.ts';
import { isBeingReplaced } from '../orders/check.ts';
import { orderNumber } from '../orders/place.ts';

/** A service with the steps of its latest change, and what the caller can do about it. */
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
  const steps = await readSteps(db, row.id);
  const done = steps.filter(({ State }) => State === 'done').length;
  const mayChange = caller.permissions.includes('addProducts');
  const isSettled = status === 'Active' && !(await isBeingReplaced(db, row.id));
  const products = await visibleProducts(db, caller);
  const own = products.find(({ key }) => key === keyOf(row.service_id, row.sub_id));
  const upgrades = products.filter(({ key }) => offer.Upgrades.includes(key));
  const canOrder = mayChange && isSettled && !row.suspended && own !== undefined;
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
    MonthlyPrice: Math.round(row.quantity * row.monthly_price * 100) / 100,
    Currency: caller.currency,
    OrderNumber: row.order_id === null ? null : orderNumber(row.order_id),
    Created: row.created,
    LastChange: row.last_change,
    Steps: steps,
    Percent: steps.length > 0 ? Math.round((100 * done) / steps.length) : status === 'Active' ? 100 : 0,
    CanRetry: mayChange && (status === 'DeletionFailed' || (status === 'ActivationFailed' && !row.suspended)),
    CanModify: canOrder && own.chargingModel !== 'OneTime',
    CanUpgrade: canOrder && upgrades.length > 0,
    CanDelete: mayChange && (isSettled || status === 'ActivationFailed'),
    Upgrades: upgrades.map(({ serviceId, subId, name, icon, price }) => ({
      ServiceId: serviceId,
      SubId: subId,
      Name: name,
      Icon: icon,
      Price: price,
      Currency: caller.currency,
    })),
  };
}

type Step = { Name: string; State: 'done' | 'running' | 'waiting' | 'failed'; At: Date | null };

async function readSteps(db: Database, instanceId: number): Promise<Step[]> {
  const job = await db
    .selectFrom('jobs')
    .select(['kind', 'done', 'state', 'failed_at'])
    .where('instance_id', '=', instanceId)
    .orderBy(sql`state = 'running'`, 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (job === undefined) return [];
  return stepsOf[job.kind].map((Name, index): Step => {
    const at = job.done[index];
    if (at !== undefined) return { Name, State: 'done', At: at };
    if (index > job.done.length) return { Name, State: 'waiting', At: null };
    return job.state === 'failed' ? { Name, State: 'failed', At: job.failed_at } : { Name, State: 'running', At: null };
  });
}
