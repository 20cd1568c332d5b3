import type { ColumnType, Generated } from 'kysely';

/** What a step of leaving needs to take itself back; JSON. */
export type Kept = Readonly<Record<string, unknown>>;

declare module '../tables.ts' {
  interface Tables {
    departures: {
      id: Generated<number>;
      account_id: number | null;
      user_id: number | null;
      gone: Date;
      gone_by: string;
      undo_until: Date;
      /** By the name of the step, JSON. */
      kept: ColumnType<Readonly<Record<string, Kept>>, string, never>;
    };
  }
}
