import { sql } from 'kysely';
import { staff } from '../seed/accounts.ts';
import type { Write } from '../tables.ts';

/** Says when seeded people of resellers last signed in, as people who work do; some never have. */
export async function insertSignIns(trx: Write, now: Date): Promise<void> {
  const working = staff.filter(({ enabled = true, must_choose_password = false }) => enabled && !must_choose_password);
  const names = working.map(({ username }) => username);
  const chance = sql`('x' || substr(md5(username), 1, 7))::bit(28)::int`;
  await sql`
    update accounts set last_sign_in = ${now}::timestamptz - (${chance} % 8000) * interval '1 minute'
    where username = any(${names}::text[]) and last_sign_in is null and ${chance} % 8 > 0`.execute(trx);
}
