import { sql } from 'kysely';
import { isPassword } from '../auth/passwords.ts';
import type { Database } from '../tables.ts';

export type Person = { readonly subject: string; readonly username: string; readonly display_name: string };

/** Wrong passwords that are free, and milliseconds in which they are counted. */
const free = 10;
const window = 15 * 60_000;

const columns = ['subject', 'username', 'display_name', 'organisation_id'] as const;

/** Finds a person of an identity provider by the subject of its tokens; undefined for an unknown one. */
export async function findPerson(db: Database, provider: string, subject: string) {
  return await db
    .selectFrom('people')
    .select(columns)
    .where('provider', '=', provider)
    .where(sql`subject::text`, '=', subject)
    .executeTakeFirst();
}

export type PasswordOutcome = Person | 'wrong' | 'locked';

/**
 * Checks the password of a person at an identity provider. Counts the attempt first, so that parallel attempts cannot
 * pass the limit.
 */
export async function checkPassword(
  db: Database,
  provider: string,
  { username, password, address }: { readonly username: string; readonly password: string; readonly address: string },
): Promise<PasswordOutcome> {
  const key = JSON.stringify([provider, username.toLowerCase(), address]);
  const ends = new Date(Date.now() + window);
  const { failures } = await db
    .insertInto('provider_attempts')
    .values({ key, failures: 1, ends })
    .onConflict(conflict =>
      conflict.column('key').doUpdateSet({
        failures: sql`case when provider_attempts.ends <= now() then 1 else provider_attempts.failures + 1 end`,
        ends: sql`case when provider_attempts.ends <= now() then excluded.ends else provider_attempts.ends end`,
      }),
    )
    .returning('failures')
    .executeTakeFirstOrThrow();
  if (failures > free) return 'locked';
  const person = await db
    .selectFrom('people')
    .select([...columns, 'password_hash'])
    .where('provider', '=', provider)
    .where(sql`lower(username)`, '=', username.toLowerCase())
    .executeTakeFirst();
  if (!(await isPassword(person?.password_hash, password)) || !person) return 'wrong';
  await db.deleteFrom('provider_attempts').where('key', '=', key).execute();
  return person;
}
