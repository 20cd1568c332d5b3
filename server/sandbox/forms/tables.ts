import type { Generated, JSONColumnType } from 'kysely';

declare module '../tables.ts' {
  interface Tables {
    form_submissions: {
      id: Generated<number>;
      form_id: string;
      account_id: number;
      created: Date;
      answers: JSONColumnType<Record<string, string>>;
    };
    popup_records: {
      customer_id: string;
      popup_id: string;
      version: Generated<number>;
      values: JSONColumnType<Record<string, string | number | boolean>>;
    };
  }
}
