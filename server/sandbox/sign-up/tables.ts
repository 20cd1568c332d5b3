import type { ColumnType, Generated, Selectable } from 'kysely';

export type SignUpState = 'Known' | 'Unconfirmed' | 'Waiting' | 'Accepted' | 'Declined';

type SignUpTable = {
  id: Generated<number>;
  company: string;
  name: string;
  email: string;
  phone: string;
  country: string;
  network: string;
  state: SignUpState;
  created: Date;
  link_hash: ColumnType<string | null, string | null | undefined>;
  link_ends: ColumnType<Date | null, Date | null | undefined>;
  confirmed: ColumnType<Date | null, Date | null | undefined>;
  decided: ColumnType<Date | null, Date | null | undefined>;
  reason: Generated<string>;
  account_id: ColumnType<number | null, number | null | undefined>;
};

export type SignUp = Selectable<SignUpTable>;

declare module '../tables.ts' {
  interface Tables {
    sign_ups: SignUpTable;
  }
}
