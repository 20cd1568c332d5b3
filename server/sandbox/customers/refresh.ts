import { sql } from 'kysely';
import { isHeld } from '../services/held.ts';
import type { Write } from '../tables.ts';

/**
 * Computes the stored figures of a customer again from its users and services: counts, spend, status, last change. The
 * reseller's counters follow by trigger. A suspended customer has the status Suspended, any other the worst of its
 * services.
 */
export async function refreshCustomer(trx: Write, customerId: string, now: Date): Promise<void> {
  await sql`
    update customers c set
      services = held.services,
      monthly_spend = held.spend,
      users = (select count(*) from users u where u.customer_id = c.id),
      status = case when c.suspended then 'Suspended' else coalesce(held.worst, 'Active') end,
      last_change = ${now}
    from (
      select count(*) as services, coalesce(sum(monthly_charge), 0) as spend, case
        when bool_or(status = 'ActivationFailed') then 'ActivationFailed'
        when bool_or(status = 'DeletionFailed') then 'DeletionFailed'
        when bool_or(status = 'Activating') then 'Activating'
        when bool_or(status = 'Deleting') then 'Deleting' end as worst
      from service_instances
      where customer_id = ${customerId} and ${isHeld('service_instances')}
    ) held
    where c.id = ${customerId}`.execute(trx);
}
