import type { ColumnType, Kysely, Transaction } from 'kysely';

/** The rows as the database gives them. Each area adds its own (`tables.ts`); the constraints stand in the migrations. */
export interface Tables {
  settings: { name: string; value: string };
  /** Days that could not be added to a reseller, by the name of the area. */
  missing_days: { reseller_id: number; day: ColumnType<Date, string, string>; area: string };
}

export type Write = Transaction<Tables>;

export type Database = Kysely<Tables>;
