import type { ColumnType, Generated, Selectable } from 'kysely';
import type { RowState, StoredImport } from '../imports/tables.ts';

declare module '../tables.ts' {
  interface Tables {
    users: UserTable;
    user_imports: StoredImport & { id: Generated<string>; customer_id: string };
    user_import_rows: ImportRowTable;
    deleted_users: DeletedUserTable;
  }
}

/** A user as a row of an import has it; without a type where it names no role that there is. */
export type ImportedUser = {
  readonly first_name: string;
  readonly last_name: string;
  readonly email: string;
  readonly phone: string;
  readonly type: UserTable['type'] | null;
  /** Names of groups, as the file writes them. */
  readonly groups: readonly string[];
};

type ImportRowTable = ImportedUser & {
  id: Generated<number>;
  import_id: string;
  line: number;
  status: RowState;
  reason: string | null;
  user_id: number | null;
};

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
  notes: Generated<string>;
  last_sign_in: Date | null;
  created: Date;
};

export type UserRow = Selectable<UserTable>;

/** Rows by table, as JSON, and the links by "table.column": the id of each row and what it named. */
export type KeptRows = {
  readonly rows: Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;
  readonly links: Readonly<Record<string, readonly { readonly id: number; readonly named: number }[]>>;
};

type DeletedUserTable = {
  id: Generated<number>;
  customer_id: string;
  user_id: number;
  display_name: string;
  email: string;
  type: UserTable['type'];
  services: number;
  deleted: Date;
  deleted_by: string;
  until: Date;
  kept: ColumnType<KeptRows, string, never>;
};

export type DeletedUserRow = Selectable<DeletedUserTable>;
