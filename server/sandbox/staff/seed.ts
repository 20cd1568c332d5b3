import { sql } from 'kysely';
import type { Write } from '../tables.ts';

/** Says when people of resellers last signed in, as people who work do; some never have. */
export async function insertSignIns(trx: Write, now: Date): Promise<void> {
  const chance = sql`('x' || substr(md5(username), 1, 7))::bit(28)::int`;
  await sql`
    update accounts set last_sign_in = ${now}::timestamptz - (${chance} % 8000) * interval '1 minute'
    where customer_id is null and last_sign_in is null and enabled and not must_choose_password and ${chance} % 8 > 0`.execute(
    trx,
  );
}
