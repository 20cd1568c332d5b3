import { sql } from 'kysely';
import type { Day } from '../days.ts';
import type { Write } from '../tables.ts';

/**
 * Stores each reseller's number of customers and users and its monthly spend on the last day of a month, for the
 * dashboard to compare with. Does nothing on other days.
 */
export async function closeMonth(trx: Write, { date, endsMonth }: Day): Promise<void> {
  if (!endsMonth) return;
  await sql`
    insert into monthly_figures (reseller_id, month, customers, users, monthly_spend)
    select reseller_id, date_trunc('month', ${date}::date)::date, sum(customers), sum(users), sum(monthly_spend)
    from customer_counts group by reseller_id
    on conflict do nothing`.execute(trx);
}
