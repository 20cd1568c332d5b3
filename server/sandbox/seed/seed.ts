import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { SeedPart } from '../area.ts';
import { areas } from '../areas.ts';
import { hashPassword } from '../auth/passwords.ts';
import { seedParts } from '../resource/rows.ts';
import type { Database, Write } from '../tables.ts';
import { seedPassword } from './accounts.ts';
import { insertLargeReseller } from './large.ts';

/** In order: of the areas, of each its parts and then its resources. */
export const parts: readonly SeedPart[] = areas.flatMap(({ seed = [], resources = [] }) => [
  ...seed,
  ...resources.flatMap(resource => seedParts(resource)),
]);

/** Only for a database that is new. */
const largePart: SeedPart = {
  name: 'large reseller',
  insert: (trx, { now, passwordHash }) => insertLargeReseller(trx, now, passwordHash),
};

export type SeedSize = 'small' | 'large';

export type SeedOptions = {
  /** Hash of the seeded accounts' password; tests, whose databases nobody else reaches, store a cheap one. */
  readonly hash?: typeof hashPassword;
  /** Is told the name of each part before it is put in. */
  readonly tell?: (part: string) => void;
};

/** Of the settings: since when a part has been in. */
const recordOf = (part: string): string => `seeded ${part}`;

/**
 * Fills the database with seeded data. Inserts each part once, also into a database that an older version filled, and
 * refreshes catalogues and agreements every time. The data is the same on every machine, but for the passwords' salt;
 * dates count back from `now`.
 */
export async function seed(db: Database, size: SeedSize, now: Date, options: SeedOptions = {}): Promise<void> {
  const hasGrown = await db.transaction().execute(async trx => {
    // Two processes that start together on one PostgreSQL: the second waits here and then finds the first's work.
    await sql`select pg_advisory_xact_lock(hashtext(current_schema()))`.execute(trx);
    for (const { refresh } of areas) await refresh?.(trx);
    return insertMissing(trx, size, now, options);
  });
  // Pages are read from the indexes alone only once the rows are known to be visible to all.
  if (hasGrown)
    await sql`vacuum analyze customers, users, service_instances, usage_resource_days, usage_meter_days`.execute(db);
}

async function insertMissing(
  trx: Write,
  size: SeedSize,
  now: Date,
  { hash = hashPassword, tell = () => undefined }: SeedOptions,
): Promise<boolean> {
  const settings = await trx.selectFrom('settings').select('name').execute();
  const known = new Set(settings.map(({ name }) => name));
  const isNew = !known.has('seed');
  if (isNew) await insertSettings(trx, size, now);
  const missing = (isNew && size === 'large' ? [...parts, largePart] : parts).filter(
    ({ name }) => !known.has(recordOf(name)),
  );
  if (missing.length === 0) return false;
  const passwordHash = await hash(seedPassword);
  for (const { name, isFirst, insert } of missing) {
    tell(name);
    // Of the time before parts were recorded.
    if (isNew || !isFirst) await insert(trx, { now, passwordHash });
    await trx
      .insertInto('settings')
      .values({ name: recordOf(name), value: now.toISOString() })
      .execute();
  }
  return true;
}

async function insertSettings(trx: Write, size: SeedSize, now: Date): Promise<void> {
  const secret = randomBytes(32).toString('base64url');
  await trx
    .insertInto('settings')
    .values([
      { name: 'seed', value: size },
      { name: 'seeded', value: now.toISOString() },
      { name: 'token-secret', value: secret },
    ])
    .execute();
}
