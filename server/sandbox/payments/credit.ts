import type { Database, Write } from '../tables.ts';

/** Gives a reseller's prepaid credit, in minor units. */
export async function balanceOf(db: Database, resellerId: number): Promise<number> {
  const last = await db
    .selectFrom('credit_movements')
    .select('balance')
    .where('reseller_id', '=', resellerId)
    .orderBy('id', 'desc')
    .executeTakeFirst();
  return last?.balance ?? 0;
}

/**
 * Writes a movement of a reseller's prepaid credit, with the balance after it.
 * @param amount minor units; below zero where credit is used
 * @returns false, with nothing written, where there is less credit than is used
 */
export async function moveCredit(
  trx: Write,
  payment: {
    readonly id: number;
    readonly reseller_id: number;
    readonly amount: number;
    readonly currency: string;
    readonly created: Date;
  },
): Promise<boolean> {
  const { id, reseller_id, amount, currency, created } = payment;
  // Movements of a reseller are written one after the other, as each has the balance after it.
  await trx.selectFrom('resellers').select('id').where('id', '=', reseller_id).forUpdate().execute();
  const balance = (await balanceOf(trx, reseller_id)) + amount;
  if (balance < 0) return false;
  const kind = amount < 0 ? ('Used' as const) : ('TopUp' as const);
  await trx
    .insertInto('credit_movements')
    .values({ reseller_id, kind, amount, balance, currency, payment_id: id, created })
    .execute();
  return true;
}
