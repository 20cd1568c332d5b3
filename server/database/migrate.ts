import { type Kysely, type Migration as KyselyMigration, Migrator, sql } from 'kysely';

/** One change of a database's tables, run once and for good, in one transaction with all others that are new. */
export type Migration = Pick<KyselyMigration, 'up'> & {
  /**
   * Name of the migration that a build must know to run on the tables from now on; absent: every build can, also those
   * that are older than this migration. To be set where something is taken away that older builds use.
   */
  readonly oldest?: string;
};

/** A newer build has changed the tables so that this one cannot use them; the message is fit for the operator. */
export class MigrationLimitError extends Error {}

type Options = { readonly schema: string; readonly migrations: Readonly<Record<string, Migration>> };
type Limit = { readonly migration: string; readonly oldest: string };

/**
 * Brings the tables of `schema` up to date; processes that start together wait for each other. Migrations that this
 * build does not know are those of a newer one, which may run beside it, and are left alone. Throws MigrationLimitError
 * where one of these says that this build is too old, and else what the database says.
 */
export async function migrate<Database>(db: Kysely<Database>, { schema, migrations }: Options): Promise<void> {
  const own = withLimits(schema, migrations);
  let seen = await findExecuted(db, schema);
  for (;;) {
    checkLimits(await findLimits(db, schema), migrations);
    // Kysely reads the whole catalogue before it finds that out: a fifth of a second.
    if (Object.keys(migrations).every(name => seen.includes(name))) return;
    // Kysely takes a migration that it is not given for a lost one.
    const others = seen.filter(name => !(name in migrations)).map(name => [name, { up: async () => undefined }]);
    const { error } = await new Migrator({
      db,
      migrationTableSchema: schema,
      provider: { getMigrations: async () => ({ ...own, ...Object.fromEntries(others) }) },
      // An older build may bring a migration after a newer one has run.
      allowUnorderedMigrations: true,
    }).migrateToLatest();
    if (!error) return;
    const now = await findExecuted(db, schema);
    // A newer build was quicker by a moment.
    if (now.length === seen.length) throw error;
    seen = now;
  }
}

async function hasTable(db: Kysely<unknown>, schema: string, table: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select to_regclass(${`${schema}.${table}`}) is not null as found`.execute(db);
  return rows[0]?.found === true;
}

async function findExecuted<Database>(db: Kysely<Database>, schema: string): Promise<readonly string[]> {
  if (!(await hasTable(db as Kysely<unknown>, schema, 'kysely_migration'))) return [];
  const { rows } = await sql<{ name: string }>`select name from ${sql.id(schema, 'kysely_migration')}`.execute(db);
  return rows.map(({ name }) => name);
}

async function findLimits<Database>(db: Kysely<Database>, schema: string): Promise<readonly Limit[]> {
  if (!(await hasTable(db as Kysely<unknown>, schema, 'migration_limits'))) return [];
  const { rows } = await sql<Limit>`
    select migration, oldest from ${sql.id(schema, 'migration_limits')} order by migration`.execute(db);
  return rows;
}

function checkLimits(limits: readonly Limit[], migrations: Options['migrations']): void {
  const limit = limits.find(({ oldest }) => !(oldest in migrations));
  if (limit)
    throw new MigrationLimitError(
      `a newer version has changed it (${limit.migration}), and only versions with ${limit.oldest} can use it now: start such a version, or restore a backup from before.`,
    );
}

/** Each migration with a limit leaves it behind for the builds that do not know the migration. */
function withLimits(schema: string, migrations: Options['migrations']): Record<string, KyselyMigration> {
  const table = sql.id(schema, 'migration_limits');
  return Object.fromEntries(
    Object.entries(migrations).map(([name, { up, oldest }]) => {
      if (oldest === undefined) return [name, { up }];
      const upWithLimit: KyselyMigration['up'] = async db => {
        await up(db);
        await sql`create table if not exists ${table} (migration text primary key, oldest text not null)`.execute(db);
        await sql`insert into ${table} values (${name}, ${oldest})`.execute(db);
      };
      return [name, { up: upWithLimit }];
    }),
  );
}
