import type { ColumnType, Generated } from 'kysely';

declare module '../tables.ts' {
  interface Tables {
    mail_settings: {
      id: Generated<number>;
      customer_id: string;
      name: string;
      value: ColumnType<Readonly<Record<string, unknown>>, string, string>;
      is_on: Generated<boolean>;
      version: Generated<number>;
      changed: Date;
      changed_by: string;
    };
  }
}
