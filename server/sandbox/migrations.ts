import { type Kysely, sql } from 'kysely';
import type { Migration } from '../database/migrate.ts';
import { areas } from './areas.ts';

/** Those of all areas; they run in the order of their names. */
export const migrations: Readonly<Record<string, Migration>> = Object.fromEntries(
  areas.flatMap(area => Object.entries(area.migrations ?? {}).map(([name, statements]) => [name, run(statements)])),
);

function run(statements: string): Migration {
  return {
    async up(db: Kysely<unknown>) {
      await sql.raw(statements).execute(db);
    },
  };
}
