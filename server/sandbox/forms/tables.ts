import type { Generated, JSONColumnType } from 'kysely';

export interface FormsTables {
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
