import type { Generated, Selectable } from 'kysely';

export interface UsersTables {
  users: UserTable;
  mailbox_aliases: {
    id: Generated<number>;
    user_id: number;
    alias: string;
    created: Date;
    delayed_domain: Generated<boolean>;
  };
}

type UserTable = {
  id: Generated<number>;
  customer_id: string;
  first_name: string;
  last_name: string;
  display_name: string;
  email: string;
  phone: Generated<string>;
  job_title: Generated<string>;
  type: 'endUser' | 'endUserAdmin';
  status: Generated<'Active' | 'Suspended'>;
  mailbox_address: string | null;
  mailbox_quota_mb: number | null;
  mailbox_used_mb: number | null;
  groups: Generated<string[]>;
  notes: Generated<string>;
  last_sign_in: Date | null;
  created: Date;
};

export type UserRow = Selectable<UserTable>;
