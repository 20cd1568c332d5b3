import { type OpenDatabase, openDatabase, type Storage } from './database/connect.ts';
import { type Keys, readKeys } from './identity/keys.ts';
import { migrations } from './migrations.ts';
import { type ProviderKeys, readProviderKeys } from './payments/provider/keys.ts';
import { type SeedOptions, type SeedSize, seed } from './seed/seed.ts';
import type { Tables } from './tables.ts';

type Filling = SeedOptions & {
  readonly size: SeedSize;
  /** The moment that the seeded data is made at. */
  readonly now: Date;
};

/** A database with everything that a start leaves there, and what the start reads from it. */
export type FilledDatabase = OpenDatabase<Tables> & {
  /** The key that signs access tokens. */
  readonly secret: string;
  readonly keys: Keys;
  readonly providerKeys: ProviderKeys;
};

/**
 * Opens the sandbox's database, and migrates and seeds it as far as that is not done. Whatever fills a new database
 * belongs here: tests copy databases that were made once for each content of what this module imports.
 */
export async function openFilledDatabase(
  storage: Storage,
  { size, now, ...options }: Filling,
): Promise<FilledDatabase> {
  const database = await openDatabase<Tables>(storage, migrations);
  const { db } = database;
  try {
    await seed(db, size, now, options);
    const { value: secret } = await db
      .selectFrom('settings')
      .select('value')
      .where('name', '=', 'token-secret')
      .executeTakeFirstOrThrow();
    return { ...database, secret, keys: await readKeys(db), providerKeys: await readProviderKeys(db) };
  } catch (error) {
    await database.close();
    throw error;
  }
}
