import { sql } from 'kysely';
import { findAccountManager } from '../customers/account-manager.ts';
import { type Event, recordActivity } from '../customers/activity.ts';
import { chanceOf, type Day, timeOf } from '../days.ts';
import { insertPastOrders } from '../orders/past-orders.ts';
import type { Write } from '../tables.ts';
import { endings } from './endings.ts';
import { isHeld, isProductOf } from './held.ts';
import { endChange } from './lifecycle.ts';
import { monthsOfTerm, nextEndOfTerm } from './term.ts';

/** Days after which somebody retries what failed. */
const daysUntilRetry = 8;

/** Key that names a service the same on every run: its id does not, as a killed process leaves a gap in the ids. */
const lastingKey = sql`concat_ws(' ', i.customer_id, i.service_id, i.sub_id, extract(epoch from i.created))`;

/**
 * Adds a weekday's changes to the services of a reseller: a changed quantity; now and then a service that is added,
 * fails, is repaired or is deleted.
 */
export async function addServicesOfDay(trx: Write, reseller: number, day: Day): Promise<void> {
  await renewServices(trx, reseller, day);
  if (day.isWeekend) return;
  await changeQuantity(trx, reseller, day);
  if (day.weekday === 1) await removeService(trx, reseller, day);
  if (day.weekday === 2) await orderService(trx, reseller, day, 'Active');
  if (day.weekday === 3) await orderService(trx, reseller, day, 'ActivationFailed');
  if (day.weekday === 5) await retryServices(trx, reseller, day);
}

/**
 * An active service that nobody changed on the day and that no user holds. A customer that somebody has in hand is passed
 * over, so that the day never waits while it holds the counts of the reseller.
 */
async function pickService(trx: Write, reseller: number, day: Day, purpose: string) {
  return await joinNames(trx, day)
    .where('i.reseller_id', '=', reseller)
    .where('i.status', '=', 'Active')
    .where('i.created', '<', day.start)
    .where('c.last_change', '<', day.start)
    .where('c.suspended', '=', false)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('user_services as u').select('u.user_id').whereRef('u.instance_id', '=', 'i.id'))),
    )
    .orderBy(chanceOf(day, sql`${purpose}::text || ${lastingKey}`, 1_000_000))
    .orderBy('i.id')
    .limit(1)
    .forUpdate(['c', 'i'])
    .skipLocked()
    .executeTakeFirst();
}

const joinNames = (trx: Write, day: Day) =>
  trx
    .selectFrom('service_instances as i')
    .innerJoin('customers as c', 'c.id', 'i.customer_id')
    .innerJoin('products as p', join => join.on(isProductOf('i')))
    .select([
      'i.id',
      'i.reseller_id',
      'i.customer_id',
      'i.service_id',
      'i.sub_id',
      'i.quantity',
      'i.monthly_price',
      'i.term_id',
    ])
    .select(['c.organisation_id', 'c.name as customer', 'c.account_manager'])
    .select(['p.name as service', 'p.activation_failure'])
    .select(chanceOf(day, lastingKey, 60).as('minute'));

type Service = NonNullable<Awaited<ReturnType<typeof pickService>>>;
type Customer = Pick<Service, 'reseller_id' | 'customer_id' | 'organisation_id' | 'customer' | 'account_manager'>;

/** Records what the customer's manager asked for. */
async function recordAsked(trx: Write, held: Customer, at: Date, event: Event): Promise<void> {
  const manager = await findAccountManager(trx, held.reseller_id, held.account_manager);
  await recordActivity(trx, held.customer_id, manager, at, event);
}

async function changeQuantity(trx: Write, reseller: number, day: Day): Promise<void> {
  const held = await pickService(trx, reseller, day, 'changes');
  if (!held) return;
  const at = timeOf(day, 10, held.minute);
  const fewer = held.minute % 3 === 0 && held.quantity > 1;
  const quantity = held.quantity + (fewer ? -1 : 1);
  const manager = await findAccountManager(trx, reseller, held.account_manager);
  await sql`
    insert into orders (reseller_id, customer_id, ordered_by, account_id, instance_id, action, service_id, sub_id,
      quantity, quantity_before, price_before, term_id, billing_id, fields, unit_price, monthly_price, first_charge,
      first_charge_date, cancel_free_until, currency, status, created)
    select ${reseller}::int, ${held.customer_id}::uuid, ${manager?.displayName ?? 'Cloud'}, ${manager?.accountId ?? null}::bigint,
      ${held.id}::bigint, 'Modify', ${held.service_id}::int, ${held.sub_id}::int, ${quantity}::int, ${held.quantity}::int,
      ${held.monthly_price}::numeric, ${held.term_id ?? 'monthly'}, 'monthly', '{}', ${held.monthly_price}::numeric,
      ${quantity}::int * ${held.monthly_price}::numeric, 0, ${at}::timestamptz + interval '8 days',
      ${at}::timestamptz + interval '7 days', currency, 'Done', ${at}::timestamptz
    from resellers where id = ${reseller}`.execute(trx);
  await recordAsked(trx, held, at, {
    action: 'Service change ordered',
    target: held.service,
    before: `${held.quantity} in total`,
    after: `${quantity} in total`,
  });
  await trx.updateTable('service_instances').set({ quantity }).where('id', '=', held.id).execute();
  await endChange(trx, held, endings.modified!, 'Active', null, at);
}

async function removeService(trx: Write, reseller: number, day: Day): Promise<void> {
  const held = await pickService(trx, reseller, day, 'goes');
  if (!held) return;
  const at = timeOf(day, 11, held.minute);
  const states = { before: 'Active', after: 'Deleting' };
  await recordAsked(trx, held, at, { action: 'Service deletion requested', target: held.service, ...states });
  await endChange(trx, held, endings.Deleted!, 'Deleted', null, at);
}

/** A customer orders what another one of the reseller holds. */
async function orderService(
  trx: Write,
  reseller: number,
  day: Day,
  status: 'Active' | 'ActivationFailed',
): Promise<void> {
  const model = await pickService(trx, reseller, day, 'is a model');
  const buyer = model && (await pickBuyer(trx, model, day));
  if (!buyer) return;
  const at = timeOf(day, 14, model.minute);
  const { reseller_id, service_id, sub_id, monthly_price, service } = model;
  const quantity = monthly_price > 30 ? 1 : 1 + (model.minute % 5);
  const { id } = await trx
    .insertInto('service_instances')
    .values({
      reseller_id,
      customer_id: buyer.customer_id,
      service_id,
      sub_id,
      monthly_price,
      quantity,
      status: 'Activating',
      created: at,
      last_change: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await recordAsked(trx, buyer, at, { action: 'Service ordered', target: service, after: `${quantity} in total` });
  const reason = status === 'Active' ? null : (model.activation_failure ?? 'What the order names does not answer.');
  await endChange(trx, { ...buyer, id, service }, endings[status]!, status, reason, new Date(at.getTime() + 240_000));
  await insertPastOrders(trx, sql`i.id = ${id}`);
}

async function pickBuyer(trx: Write, { reseller_id, service_id }: Service, day: Day): Promise<Customer | undefined> {
  return await trx
    .selectFrom('customers as c')
    .select(['c.reseller_id', 'c.id as customer_id', 'c.organisation_id', 'c.name as customer', 'c.account_manager'])
    .where('c.reseller_id', '=', reseller_id)
    .where('c.suspended', '=', false)
    .where('c.last_change', '<', day.start)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('service_instances as i')
            .select('i.id')
            .whereRef('i.customer_id', '=', 'c.id')
            .where('i.service_id', '=', service_id)
            .where(isHeld('i')),
        ),
      ),
    )
    .orderBy(chanceOf(day, sql`'buys ' || c.id`, 1_000_000))
    .orderBy('c.organisation_id')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
}

/** Retries what failed on a day like this one, which succeeds; failures of the seed and of real orders stay. */
async function retryServices(trx: Write, reseller: number, day: Day): Promise<void> {
  const failed = await joinNames(trx, day)
    .where('i.reseller_id', '=', reseller)
    .where('i.status', '=', 'ActivationFailed')
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('jobs as j').select('j.id').whereRef('j.instance_id', '=', 'i.id'))),
    )
    .where('i.created', '<', new Date(day.start.getTime() - daysUntilRetry * 86_400_000))
    .where('i.created', '>', sql<Date>`(select value::timestamptz from settings where name = 'seeded')`)
    .orderBy('i.id')
    .forUpdate(['c', 'i'])
    .skipLocked()
    .execute();
  for (const held of failed) {
    const at = timeOf(day, 15, held.minute);
    const states = { before: 'Activation failed', after: 'Activating' };
    await recordAsked(trx, held, at, { action: 'Service retried', target: held.service, ...states });
    await endChange(trx, held, endings.Active!, 'Active', null, at);
    await trx.updateTable('orders').set({ status: 'Done' }).where('instance_id', '=', held.id).execute();
  }
}

const justBefore = (moment: Date) => new Date(moment.getTime() - 1);

/** A term of whole years that is over on this day goes on for another one. */
async function renewServices(trx: Write, reseller: number, day: Day): Promise<void> {
  const due = await joinNames(trx, day)
    .where('i.reseller_id', '=', reseller)
    .where('i.status', '=', 'Active')
    .where('c.suspended', '=', false)
    .where('i.created', '<', day.start)
    .where('i.term_id', 'in', ['annual', 'triennial'])
    .where(
      sql<boolean>`(${nextEndOfTerm(monthsOfTerm, justBefore(day.start))} at time zone 'UTC')::date = ${day.date}::date`,
    )
    .orderBy('i.id')
    .execute();
  for (const { customer_id, service, quantity, term_id } of due) {
    const event = {
      action: 'Service renewed',
      target: service,
      after: `${quantity} in total for another ${term_id === 'annual' ? 'year' : 'three years'}`,
    } as const;
    await recordActivity(trx, customer_id, undefined, timeOf(day, 0, 5), event);
  }
}
