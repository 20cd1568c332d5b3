import type { Generated } from 'kysely';
import type { Permission, UserType, View } from './words.ts';

declare module '../tables.ts' {
  interface Tables {
    resellers: ResellerTable;
    accounts: AccountTable;
    account_permissions: PermissionsTable;
    feature_flags: { name: string; enabled: boolean };
    feature_overrides: { account_id: number; feature_name: string; enabled: boolean };
    grants: GrantTable;
    jump_tokens: { hash: string; actor_id: number; target_id: number; expires: Date; used: Date | null };
    partner_sessions: { grant_id: string; system: 'comms' | 'hardware'; ended: Date | null };
    recovery_codes: { account_id: number; hash: string };
    refresh_tokens: { hash: string; grant_id: string; expires: Date; used: Date | null };
    password_rules: PasswordRuleTable;
    password_links: { hash: string; account_id: number; created: Date; expires: Date; used: Date | null };
  }
}

type ResellerTable = {
  id: number;
  name: string;
  currency: string;
  time_zone: Generated<string>;
  /** The language of those who have chosen none; null: English. */
  locale: Generated<string | null>;
  /** The slugs of the operator's other systems that its account is linked to. */
  linked_systems: Generated<('comms' | 'hardware' | 'distribution')[]>;
};

type GrantTable = {
  id: string;
  account_id: number;
  actor_id: number | null;
  created: Date;
  revoked: Date | null;
  /** The key that opened it (manage-api). */
  api_key_id: Generated<number | null>;
};

/** The rights of an account, and, where it has roles, those that are not from these (see roles/rights.ts). */
type PermissionsTable = {
  account_id: number;
  views: View[];
  permissions: Permission[];
  own_views: Generated<View[]>;
  own_permissions: Generated<Permission[]>;
  own_prices: Generated<boolean>;
  version: Generated<number>;
};

type AccountTable = {
  id: Generated<number>;
  username: string;
  email: string;
  display_name: string;
  user_type: UserType;
  password_hash: string | null;
  login_flow: Generated<'Legacy' | 'SSO'>;
  enabled: Generated<boolean>;
  reseller_id: number;
  customer_id: string | null;
  user_id: number | null;
  hide_pricing: Generated<boolean>;
  hide_banner: Generated<boolean>;
  /** Sees certain customers only (`account_customers`). */
  limited: Generated<boolean>;
  /** A limited account sees the customers whose name contains it. */
  limit_word: Generated<string | null>;
  /** Counts how often what it sees of customers has become less. */
  sight: Generated<number>;
  mfa_required: Generated<boolean>;
  mfa_key: string | null;
  mfa_offer: string | null;
  mfa_step: Generated<number>;
  must_sign: Generated<boolean>;
  single_experience: Generated<boolean>;
  recovery_salt: string | null;
  mfa_failures: Generated<number>;
  mfa_failed_at: Date | null;
  microsoft: 'required' | 'prohibited' | null;
  /** Signs in only once a new password has been chosen. */
  must_choose_password: Generated<boolean>;
  /** The language that it has chosen, such as "en"; null: as its browser asks. */
  locale: Generated<string | null>;
  /** The time zone that it has chosen; null: as its browser says. */
  time_zone: Generated<string | null>;
  /** The time zone that its browser last said. */
  browser_time_zone: Generated<string | null>;
  /** The profile of one who is no user of a customer; names only once they were chosen apart. */
  first_name: string | null;
  last_name: string | null;
  phone: Generated<string>;
  job_title: Generated<string>;
  /** In person, not by a jump. */
  last_sign_in: Date | null;
};

type PasswordRuleTable = {
  position: number;
  type: 'required' | 'pattern' | 'minLength' | 'MinimumScore' | 'MinimumLength' | 'MultiplePattern';
  name: string | null;
  value: number | null;
  patterns: string[];
  message: string;
};
