import type { ColumnType } from 'kysely';

export interface SettingsTables {
  settings: { name: string; value: string };
  /** What a day adds to a reseller and could not be added; `area` is one of `calendar.ts`. */
  missing_days: { reseller_id: number; day: ColumnType<Date, string, string>; area: string };
}
