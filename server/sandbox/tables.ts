import type { ColumnType, Kysely, Transaction } from 'kysely';

/** The rows as the database gives them. Each area adds its own (`tables.ts`); the constraints stand in the migrations. */
export interface Tables {
  settings: { name: string; value: string };
  /** What a day adds to a reseller and could not be added; `area` is the name of one. */
  missing_days: { reseller_id: number; day: ColumnType<Date, string, string>; area: string };
}

export type Write = Transaction<Tables>;

export type Database = Kysely<Tables>;
