import type { ColumnType, Generated } from 'kysely';
import type { RuleSet } from '../../../shared/rules/address-rules.ts';

/** JSON that is written as text. */
type Json<T> = ColumnType<T, string, string>;

declare module '../tables.ts' {
  interface Tables {
    ip_access_sets: {
      id: Generated<number>;
      reseller_id: number;
      rules: Json<RuleSet>;
      is_on: boolean;
      for_admins: boolean;
    };
    ip_access: IpAccessTable;
    address_uses: { account_id: number; day: ColumnType<string, string, string>; address: string; last_used: Date };
  }
}

export type IpAccessTable = {
  reseller_id: number;
  set_id: number | null;
  before_id: number | null;
  draft: ColumnType<RuleSet | null, string | null, string | null>;
  draft_version: Generated<number>;
  draft_author: Generated<string>;
  trial_until: Date | null;
  trial_account: number | null;
  paused_until: Date | null;
};
