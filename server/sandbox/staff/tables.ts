import type { Generated, Selectable } from 'kysely';
import type { UserType } from '../auth/words.ts';

declare module '../tables.ts' {
  interface Tables {
    staff: StaffView;
    sign_in_rules: {
      reseller_id: number;
      user_type: StaffView['kind'];
      mfa_required: Generated<boolean>;
      suffix: Generated<string>;
    };
    former_sign_in_names: { name: string; account_id: number; until: Date };
    invitations: { account_id: number; invited_by: string; sent: Date; expires: Date };
  }
}

/** Of a reseller: its own people, and the administrators of its customers. */
type StaffView = {
  id: number;
  reseller_id: number;
  customer_id: string | null;
  user_id: number | null;
  username: string;
  email: string;
  display_name: string;
  kind: Exclude<UserType, 'endUser'>;
  team: 'own' | 'customers';
  state: 'Active' | 'Disabled' | 'Invited';
  second_factor: 'On' | 'Off' | 'Required' | 'Elsewhere';
  last_sign_in: Date | null;
  organisation_id: number | null;
  customer_name: string | null;
  /** Names of them. */
  roles: string | null;
  enabled: boolean;
  login_flow: 'Legacy' | 'SSO';
  mfa_required: boolean;
  limited: boolean;
  limit_word: string | null;
  /** True where the caller is limited to certain customers and this person sees others. */
  sees_more: boolean;
};

export type StaffRow = Selectable<StaffView>;
