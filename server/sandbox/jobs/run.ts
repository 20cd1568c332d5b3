import { sql } from 'kysely';
import type { Containment } from '../contain.ts';
import { createMailbox } from '../mail/addresses.ts';
import { sendHint } from '../notifications/hints.ts';
import { endings } from '../services/endings.ts';
import { isProductOf } from '../services/held.ts';
import { endChange } from '../services/lifecycle.ts';
import type { Write } from '../tables.ts';
import { endOf, failureOf, phasesOf } from './phases.ts';

/**
 * Carries out the job phase that has been due longest, in this transaction: when a process dies, the next one does it,
 * and row locks keep two processes from taking the same. A phase that throws is undone, and its job waits while others
 * go on. @returns false when nothing is due
 * @param pause milliseconds until the next phase of the same job is due
 */
export async function runDuePhase(trx: Write, now: Date, pause: number, contained: Containment): Promise<boolean> {
  const job = await findDue(trx, now, contained.waiting());
  if (job === undefined) return false;
  await contained.runIn(trx, job.id, () => runPhase(trx, job, now, pause));
  return true;
}

async function runPhase(trx: Write, job: Due, now: Date, pause: number): Promise<void> {
  const phases = phasesOf[job.kind];
  const phase = job.done.length;
  const reason = failureOf({
    ...job,
    phase,
    quantity: job.order_quantity ?? job.quantity,
    fields: job.order_fields ?? job.fields,
    activationFailure: job.activation_failure,
    deletionFailure: job.deletion_failure,
  });
  if (reason !== undefined) {
    await trx.updateTable('jobs').set({ state: 'failed', failed_at: now }).where('id', '=', job.id).execute();
    return end(trx, job, reason, now);
  }
  const isLast = phase === phases.length - 1;
  await trx
    .updateTable('jobs')
    .set({
      done: sql`array_append(done, ${now}::timestamptz)`,
      due: new Date(now.getTime() + pause),
      ...(isLast && { state: 'done' as const }),
    })
    .where('id', '=', job.id)
    .execute();
  if (isLast) await end(trx, job, undefined, now);
  else await sendHint(trx, audienceOf(job), { kind: 'service-changed', organisationId: String(job.organisation_id) });
}

type Due = NonNullable<Awaited<ReturnType<typeof findDue>>>;

const audienceOf = (job: Due) => ({ reseller: job.reseller_id, customer: job.customer_id });

/** Customer, instance and job are taken together or not at all, so that nobody waits for somebody who waits. */
async function findDue(trx: Write, now: Date, waiting: readonly number[]) {
  return await trx
    .selectFrom('jobs as j')
    .innerJoin('service_instances as i', 'i.id', 'j.instance_id')
    .innerJoin('customers as c', 'c.id', 'i.customer_id')
    .innerJoin('products as p', join => join.on(isProductOf('i')))
    .leftJoin('orders as o', 'o.id', 'j.order_id')
    .where('j.state', '=', 'running')
    .where('j.due', '<=', now)
    .where(sql<boolean>`j.id <> all(${waiting}::bigint[])`)
    .select(['j.id', 'j.instance_id', 'j.order_id', 'j.kind', 'j.done', 'j.attempt', 'j.fails'])
    .select(['i.reseller_id', 'i.customer_id', 'i.user_id', 'i.service_id', 'i.quantity', 'i.fields', 'i.replaces'])
    .select(['c.name as customer', 'c.organisation_id', 'p.name as service', 'o.account_id'])
    .select(['p.activation_failure', 'p.deletion_failure', 'o.quantity as order_quantity', 'o.fields as order_fields'])
    .select(['o.unit_price', 'o.term_id', 'o.billing_id'])
    .orderBy('j.due')
    .orderBy('j.id')
    .limit(1)
    .forUpdate(['c', 'i', 'j'])
    .skipLocked()
    .executeTakeFirst();
}

/** The last phase, or the one that failed: what it makes of the instance, its order and those who hold it. */
async function end(trx: Write, job: Due, reason: string | undefined, now: Date): Promise<void> {
  const { kind, instance_id: id, order_id } = job;
  const status = endOf[kind][reason === undefined ? 0 : 1];
  if (reason === undefined) {
    if (kind === 'modify') await applyOrder(trx, job, now);
    if (kind === 'activate') await handOver(trx, job, now);
  }
  if (order_id !== null && kind !== 'delete') {
    const outcome = reason === undefined ? 'Done' : 'Failed';
    await trx.updateTable('orders').set({ status: outcome }).where('id', '=', order_id).execute();
  }
  const ending = reason !== undefined || kind !== 'modify' ? endings[status] : endings.modified;
  if (ending === undefined) throw new Error(`Instance ${id} cannot become ${status}.`);
  await endChange(trx, { ...job, id }, ending, status, reason ?? null, now);
}

async function applyOrder(trx: Write, job: Due, now: Date): Promise<void> {
  await trx
    .updateTable('service_instances')
    .set({
      quantity: job.order_quantity ?? job.quantity,
      monthly_price: job.unit_price ?? undefined,
      term_id: job.term_id,
      // Without a term of its own a service goes on by the month.
      term_started: sql`case when coalesce(term_id, 'monthly') = ${job.term_id} then term_started
        else ${now}::timestamptz end`,
      billing_id: job.billing_id,
      fields: JSON.stringify(job.order_fields ?? job.fields),
    })
    .where('id', '=', job.instance_id)
    .execute();
}

/** Finishes an activation: marks the replaced instance Upgraded, assigns the service to its user, creates Exchange's mailbox. */
async function handOver(trx: Write, { instance_id, replaces, user_id, service_id }: Due, now: Date): Promise<void> {
  if (replaces !== null) {
    const row = { status: 'Upgraded' as const, last_change: now };
    await trx.updateTable('service_instances').set(row).where('id', '=', replaces).execute();
    await trx.deleteFrom('user_services').where('instance_id', '=', replaces).execute();
  }
  if (user_id === null) return;
  await trx
    .insertInto('user_services')
    .values({ user_id, instance_id, detail: '', since: now })
    .onConflict(known => known.doNothing())
    .execute();
  if (service_id === 1) {
    const user = trx.selectFrom('users').select(['customer_id as customerId', 'email as address']);
    const owner = await user.where('id', '=', user_id).executeTakeFirstOrThrow();
    await createMailbox(trx, { ...owner, userId: user_id, quotaMb: 51_200, created: now });
  }
}
