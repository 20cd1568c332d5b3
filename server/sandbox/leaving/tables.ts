import type { ColumnType, Generated } from 'kysely';

/** The data with which a task of leaving is undone; JSON. */
export type UndoRecord = Readonly<Record<string, unknown>>;

declare module '../tables.ts' {
  interface Tables {
    departures: {
      id: Generated<number>;
      account_id: number | null;
      user_id: number | null;
      gone: Date;
      gone_by: string;
      undo_until: Date;
      /** By the name of the task, JSON. */
      kept: ColumnType<Readonly<Record<string, UndoRecord>>, string, never>;
    };
  }
}
