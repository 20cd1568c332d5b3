import { sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import type { Database } from '../tables.ts';

/** Days for which it is known from where people came. */
export const keptDays = 30;
/** Addresses of one account in a day that are written down. */
const mostAddresses = 100;
/** Accounts and addresses that are remembered as written down in this hour. */
const mostRemembered = 20_000;
const hour = 3_600_000;

/** Writes down from where an account comes, at most once an hour for each address; nothing for who acts by a jump. */
export type NoteUse = (caller: Pick<Caller, 'accountId' | 'actorName'>, address: string) => Promise<void>;

/** Creates what writes down from where accounts come. */
export function createUses({ db, now }: { readonly db: Database; readonly now: () => Date }): NoteUse {
  let current = 0;
  const noted = new Set<string>();
  return async ({ accountId, actorName }, address) => {
    const at = now();
    const name = `${accountId} ${address}`;
    const hours = Math.floor(at.getTime() / hour);
    if (hours !== current || noted.size >= mostRemembered) noted.clear();
    current = hours;
    if (actorName !== null || noted.has(name)) return;
    noted.add(name);
    const day = at.toISOString().slice(0, 10);
    await sql`
      insert into address_uses (account_id, day, address, last_used)
      select ${accountId}, ${day}, ${address}, ${at}
      where (select count(*) from address_uses where account_id = ${accountId} and day = ${day}) < ${mostAddresses}
      on conflict (account_id, day, address) do update set last_used = excluded.last_used`.execute(db);
  };
}

/** Deletes what is older than the days that are kept. */
export async function forgetUses(db: Database, now: Date): Promise<void> {
  const oldest = new Date(now.getTime() - keptDays * 86_400_000).toISOString().slice(0, 10);
  await db.deleteFrom('address_uses').where('day', '<', oldest).execute();
}
