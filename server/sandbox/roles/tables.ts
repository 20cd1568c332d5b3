import type { ColumnType, Generated } from 'kysely';
import type { Permission, UserType, View } from '../auth/words.ts';

declare module '../tables.ts' {
  interface Tables {
    roles: {
      id: Generated<number>;
      reseller_id: number | null;
      name: string;
      description: string;
      user_type: UserType;
      views: View[];
      permissions: Permission[];
      prices: boolean;
      may: Generated<string[]>;
      may_not: Generated<string[]>;
      version: Generated<number>;
      changed: Date;
      changed_by: string;
    };
    account_right_ends: { account_id: number; right_name: string; until: ColumnType<Date, string> };
    account_roles: {
      account_id: number;
      role_id: number;
      until: ColumnType<Date | null, string | null>;
      given: Date;
      given_by: string;
    };
  }
}
