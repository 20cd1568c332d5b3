import { type Kysely, Migrator } from 'kysely';
import { migrations } from './migrations.ts';

/** Runs the migrations that the schema has not seen; several processes may start at once (the migrator locks). */
export async function migrate<T>(db: Kysely<T>, schema: string): Promise<void> {
  const provider = { getMigrations: async () => migrations };
  const { error } = await new Migrator({ db, provider, migrationTableSchema: schema }).migrateToLatest();
  if (error) throw error;
}
