import type { Caller } from '../auth/caller.ts';
import { type Action, differences, recordActivity, type State } from '../customers/activity.ts';
import { refreshCustomer } from '../customers/refresh.ts';
import { customerIdOf } from '../customers/scope.ts';
import { conflict, invalid, notFound } from '../http/errors.ts';
import { idOf } from '../http/ids.ts';
import { startJob } from '../jobs/start.ts';
import { findRetryRefusal } from '../marketplace/eligibility.ts';
import { findProduct } from '../marketplace/products.ts';
import { sendHint } from '../notifications/hints.ts';
import { checkFields } from '../orders/fields.ts';
import { priceOf } from '../orders/price.ts';
import { isBeingReplaced } from '../orders/subject.ts';
import type { FieldValues } from '../orders/tables.ts';
import type { Write } from '../tables.ts';
import { inWords } from './endings.ts';
import { isProductOf } from './held.ts';
import { holdersOf } from './holders.ts';
import type { InstanceStatus } from './tables.ts';

type Instance = Awaited<ReturnType<typeof lockInstance>>;

/** The customer is held before the instance, as orders and jobs do. */
async function lockInstance(trx: Write, caller: Caller, instanceId: string) {
  const id = idOf(instanceId);
  const owner = await trx
    .selectFrom('service_instances')
    .select('customer_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow(notFound);
  await customerIdOf(trx, caller, owner.customer_id);
  return await trx
    .selectFrom('service_instances as i')
    .innerJoin('customers as c', 'c.id', 'i.customer_id')
    .innerJoin('products as p', join => join.on(isProductOf('i')))
    .where('i.id', '=', id)
    .selectAll('i')
    .select(['p.name', 'c.suspended', 'c.organisation_id'])
    .forUpdate('i')
    .executeTakeFirstOrThrow();
}

/** The changes to a failed order: corrected answers to the product's own fields (the others stay), another quantity. */
export type Mended = { readonly Fields?: FieldValues | undefined; readonly Quantity?: number | undefined };

/**
 * Restarts a failed change of a service at the phase that failed.
 * @throws {CloudError} 404 when the caller does not see the service, 409 when it cannot be retried, 400 for wrong
 * answers
 */
export async function retryInstance(
  trx: Write,
  caller: Caller,
  instanceId: string,
  { Fields: fields, Quantity: quantity }: Mended,
  now: Date,
): Promise<void> {
  const instance = await lockInstance(trx, caller, instanceId);
  const isFix = fields !== undefined || quantity !== undefined;
  const why = findRetryRefusal(instance.status, instance.suspended, isFix);
  if (why !== undefined) throw conflict(why);
  const isDeletion = instance.status === 'DeletionFailed';
  const fixed = fields !== undefined ? await mendFields(trx, caller, instance, fields) : { before: {}, after: {} };
  const resized = quantity !== undefined ? await resize(trx, caller, instance, quantity) : { before: {}, after: {} };
  const mended = { before: { ...fixed.before, ...resized.before }, after: { ...fixed.after, ...resized.after } };
  const job = await trx
    .selectFrom('jobs')
    .select(['id', 'attempt'])
    .where('instance_id', '=', instance.id)
    .where('state', '=', 'failed')
    .where('kind', isDeletion ? '=' : '<>', 'delete')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (job) {
    const again = { state: 'running' as const, attempt: job.attempt + 1, failed_at: null, due: now };
    await trx.updateTable('jobs').set(again).where('id', '=', job.id).execute();
  } else {
    const kind = isDeletion ? 'delete' : 'activate';
    await startJob(trx, { instanceId: instance.id, orderId: instance.order_id, kind, attempt: 2 }, now);
  }
  if (instance.order_id !== null && !isDeletion) {
    await trx.updateTable('orders').set({ status: 'Placed' }).where('id', '=', instance.order_id).execute();
  }
  await change(trx, caller, instance, isDeletion ? 'Deleting' : 'Activating', 'Service retried', now, mended);
}

type StateChange = { readonly before: State; readonly after: State };

/**
 * Validates the mended fields together with the others, and keeps them with the order and what it made.
 * @returns the fields in words, before and after
 */
async function mendFields(trx: Write, caller: Caller, instance: Instance, mended: FieldValues): Promise<StateChange> {
  const product = await findProduct(trx, caller, instance.service_id, instance.sub_id);
  const order = await trx
    .selectFrom('orders')
    .select(['fields', 'action'])
    .where('id', '=', instance.order_id)
    .executeTakeFirst();
  const before = order?.fields ?? instance.fields;
  const fields = { ...before, ...mended };
  const faults = checkFields(product.offer.Fields, fields);
  if (Object.keys(faults).length > 0) throw invalid(faults);
  const row = { fields: JSON.stringify(fields) };
  await trx.updateTable('orders').set(row).where('id', '=', instance.order_id).execute();
  // What a modification asks for is the instance's only once it is done.
  if (order?.action !== 'Modify') {
    await trx.updateTable('service_instances').set(row).where('id', '=', instance.id).execute();
  }
  const labels = product.offer.Fields.map(({ PropertyName, Label }) => [PropertyName, Label] as const);
  const tell = (values: FieldValues): State =>
    Object.fromEntries(labels.map(([name, label]) => [label, String(values[name] ?? '')]));
  return { before: tell(before), after: tell(fields) };
}

/**
 * Orders another quantity of a new service that has never been active, at today's price of its term.
 * @returns the quantity in words, before and after
 */
async function resize(trx: Write, caller: Caller, instance: Instance, quantity: number): Promise<StateChange> {
  if (quantity === instance.quantity) return { before: {}, after: {} };
  const order = await trx
    .selectFrom('orders')
    .select(['action', 'term_id', 'billing_id', 'fields'])
    .where('id', '=', instance.order_id)
    .executeTakeFirst();
  if (instance.was_active || order?.action !== 'Add')
    throw conflict('Only of a new service that has not been active yet another quantity can be ordered.');
  const product = await findProduct(trx, caller, instance.service_id, instance.sub_id);
  const { offer } = product;
  const most = instance.user_id === null ? offer.MaxQuantity : 1;
  if (quantity < offer.MinQuantity) throw invalid({ Quantity: [`Must be at least ${offer.MinQuantity}`] });
  if (quantity > most) throw invalid({ Quantity: [`Must be at most ${most}`] });
  const term = offer.Terms.find(({ Id }) => Id === order.term_id);
  const billing = offer.Billing.find(({ Id }) => Id === order.billing_id);
  if (!term || !billing) throw conflict('Its term is no longer sold: delete the service and order it anew.');
  const { unitPrice, monthlyPrice, firstCharge } = priceOf(product, quantity, term, billing);
  const price = { unit_price: unitPrice, monthly_price: monthlyPrice, first_charge: firstCharge };
  await trx
    .updateTable('orders')
    .set({ quantity, ...price })
    .where('id', '=', instance.order_id)
    .execute();
  const monthly_price = product.chargingModel === 'OneTime' ? 0 : unitPrice;
  await trx.updateTable('service_instances').set({ quantity, monthly_price }).where('id', '=', instance.id).execute();
  return { before: { Quantity: String(instance.quantity) }, after: { Quantity: String(quantity) } };
}

/**
 * Starts to delete a service. `confirmation` must be its name.
 * @throws {CloudError} 404 when the caller does not see the service, 400 for another name, 409 when its status does not
 * allow it
 */
export async function deleteInstance(trx: Write, caller: Caller, instanceId: string, confirmation: string, now: Date) {
  const instance = await lockInstance(trx, caller, instanceId);
  if (confirmation.trim() !== instance.name) throw invalid({ Confirmation: [`Must be "${instance.name}"`] });
  if (instance.status !== 'Active' && instance.status !== 'ActivationFailed') {
    throw conflict('Only a service that is active or has failed to activate can be deleted.');
  }
  if (await isBeingReplaced(trx, instance.id)) throw conflict(`${instance.name} is being upgraded here.`);
  await startJob(trx, { instanceId: instance.id, orderId: instance.order_id, kind: 'delete' }, now);
  await change(trx, caller, instance, 'Deleting', 'Service deletion requested', now);
}

/**
 * Takes back an order of a service: stops its activation, and starts to delete it. The caller of this has checked that
 * nobody has changed the service since.
 * @throws {CloudError} 404 when the caller does not see the service
 */
export async function cancelActivation(trx: Write, caller: Caller, instanceId: string, now: Date): Promise<void> {
  const instance = await lockInstance(trx, caller, instanceId);
  await trx.deleteFrom('jobs').where('instance_id', '=', instance.id).where('state', '<>', 'done').execute();
  await startJob(trx, { instanceId: instance.id, orderId: instance.order_id, kind: 'delete' }, now);
  await change(trx, caller, instance, 'Deleting', 'Service order cancelled', now);
}

async function change(
  trx: Write,
  caller: Caller,
  { id, status: before, customer_id, reseller_id, organisation_id, name }: Instance,
  status: InstanceStatus,
  action: Action,
  now: Date,
  more: StateChange = { before: {}, after: {} },
): Promise<void> {
  const row = { status, reason: null, last_change: now };
  await trx.updateTable('service_instances').set(row).where('id', '=', id).execute();
  await refreshCustomer(trx, customer_id, now);
  const told = differences(more.before, more.after);
  const join = (...parts: string[]) => parts.filter(part => part !== '').join('; ');
  await recordActivity(trx, customer_id, caller, now, {
    action,
    target: name,
    users: await holdersOf(trx, id),
    before: join(inWords(before), told.before),
    after: join(inWords(status), told.after),
  });
  const audience = { reseller: reseller_id, customer: customer_id };
  await sendHint(trx, audience, { kind: 'service-changed', organisationId: String(organisation_id) });
}
