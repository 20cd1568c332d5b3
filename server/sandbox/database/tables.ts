import type { ColumnType, Generated, GeneratedAlways, JSONColumnType } from 'kysely';
import type { ServiceType } from '../../../shared/catalogue/codes.ts';
import type { Permission, UserType, View } from '../auth/words.ts';
import type { JobKind } from '../jobs/steps.ts';
import type { MailTables } from '../mail/tables.ts';
import type { Offer } from '../marketplace/offer.ts';
import type { Action, OrderBody } from '../orders/body.ts';
import type { Buyer } from '../orders/check.ts';
import type { FieldValues } from '../orders/fields.ts';
import type { PsaTables } from '../psa/tables.ts';
import type { VoiceTables } from '../voice/tables.ts';

/** The rows as the database gives them; the constraints stand in the migrations. */
export interface Tables extends VoiceTables, MailTables, PsaTables {
  settings: { name: string; value: string };
  resellers: { id: number; name: string; currency: string };
  accounts: AccountTable;
  account_permissions: { account_id: number; views: View[]; permissions: Permission[] };
  feature_flags: { name: string; enabled: boolean };
  feature_overrides: { account_id: number; feature_name: string; enabled: boolean };
  grants: { id: string; account_id: number; actor_id: number | null; created: Date; revoked: Date | null };
  jump_tokens: { hash: string; actor_id: number; target_id: number; expires: Date; used: Date | null };
  partner_sessions: { grant_id: string; system: 'comms' | 'hardware'; ended: Date | null };
  agreements: { id: number; title: string; service_ids: number[]; linked_ids: number[] };
  agreement_versions: { agreement_id: number; version: number; published: Date; sections: JSONColumnType<Section[]> };
  agreement_signatures: {
    agreement_id: number;
    version: number;
    reseller_id: number;
    account_id: number;
    signatory: string;
    signed: Date;
    image_id: string | null;
  };
  signature_images: { id: Generated<string>; account_id: number; png: Buffer; created: Date };
  recovery_codes: { account_id: number; hash: string };
  refresh_tokens: { hash: string; grant_id: string; expires: Date; used: Date | null };
  idempotency_keys: {
    account_id: number;
    key: string;
    fingerprint: string;
    reply: JSONColumnType<object> | null;
    created: Date;
  };
  customers: CustomerTable;
  customer_counts: Figures & { reseller_id: number; status_group: StatusGroup };
  monthly_figures: Figures & { reseller_id: number; month: ColumnType<Date, string, never> };
  users: UserTable;
  mailbox_aliases: {
    id: Generated<number>;
    user_id: number;
    alias: string;
    created: Date;
    delayed_domain: Generated<boolean>;
  };
  activity: {
    id: Generated<number>;
    customer_id: string;
    at: Date;
    actor: string;
    actor_type: string;
    action: string;
    target: string;
    detail: string;
    /** User name of who really signed in, where that is another. */
    real_actor: Generated<string>;
    before: Generated<string>;
    after: Generated<string>;
  };
  activity_users: { user_id: number; activity_id: number };
  orders: OrderTable;
  bulk_orders: {
    id: Generated<number>;
    reseller_id: number;
    buyer: JSONColumnType<Buyer>;
    body: JSONColumnType<OrderBody>;
    product: string;
    created: Date;
  };
  bulk_items: {
    bulk_id: number;
    position: number;
    customer_id: string;
    order_id: number | null;
    reason: string | null;
    /** The customer's own answers. */
    fields: ColumnType<FieldValues, string | undefined, string>;
  };
  jobs: {
    id: Generated<number>;
    instance_id: number;
    order_id: number | null;
    kind: JobKind;
    done: Generated<Date[]>;
    attempt: Generated<number>;
    state: Generated<'running' | 'done' | 'failed'>;
    failed_at: Date | null;
    due: Date;
    fails: string | null;
  };
  products: {
    service_id: number;
    sub_id: number;
    name: string;
    icon: string;
    type: ServiceType;
    monthly_price: number;
    monthly_price_eur: number;
    activation_failure: string | null;
    deletion_failure: string | null;
    offer: JSONColumnType<Offer>;
  };
  service_instances: InstanceTable;
  user_services: { user_id: number; instance_id: number; detail: string };
  notifications: {
    id: Generated<number>;
    account_id: number;
    created: Date;
    service_name: string;
    message: string;
    content: string;
    category: Category;
    status: ColumnType<'new' | 'read', 'new' | 'read' | undefined>;
  };
  announcements: { id: Generated<number>; content: string; category: Category; user_types: UserType[] };
  announcement_closings: { account_id: number; announcement_id: number };
  quarantined_mails: {
    id: Generated<number>;
    user_id: number;
    sender: string;
    subject: string;
    received: Date;
    released: Date | null;
  };
  archive_requests: {
    id: Generated<number>;
    user_id: number;
    access_type: 'search' | 'export';
    requested: Date;
    verified: Date | null;
  };
  link_tokens: {
    hash: string;
    purpose: LinkPurpose;
    subject_id: number;
    user_id: number;
    expires: Date;
    used: Date | null;
  };
  policies: { id: string; title: string; position: number };
  policy_sections: {
    policy_id: string;
    position: number;
    type: number;
    content: string;
    content_label: Generated<string>;
    anchor_value: Generated<string>;
    anchor_text: Generated<string>;
    nesting_level: Generated<number>;
  };
  opt_outs: { account_id: number; newsletter: boolean; offers: boolean; surveys: boolean; usage_figures: boolean };
  quick_links: { account_id: number; chosen: string[] };
  outbox: OutboxTable;
  password_rules: PasswordRuleTable;
  password_links: { hash: string; account_id: number; created: Date; expires: Date; used: Date | null };
  form_submissions: {
    id: Generated<number>;
    form_id: string;
    account_id: number;
    created: Date;
    answers: JSONColumnType<Record<string, string>>;
  };
  usage_subscriptions: { id: Generated<number>; customer_id: string; subscription_id: string; name: string };
  usage_groups: { id: Generated<number>; subscription_id: number; name: string };
  usage_resources: { id: Generated<number>; group_id: number; resource_id: string; name: string };
  usage_meters: { id: Generated<number>; service: string; name: string; unit: string };
  usage_days: UsageDay & { resource_id: number; meter_id: number; quantity: number };
  usage_resource_days: UsageDay & { resource_id: number };
  usage_meter_days: UsageDay & { group_id: number; meter_id: number; quantity: number };
  usage_files: { customer_id: string; digest: string; name: string; rows: number; loaded: Date };
  usage_staged: {
    upload: string;
    staged: Generated<Date>;
    subscription_id: string;
    subscription_name: string;
    group_name: string;
    resource_id: string;
    resource_name: string;
    service: string;
    meter: string;
    unit: string;
    /** Decimals as text: what is summed is exact. */
    day: string;
    quantity: string;
    cost: string;
  };
  people: {
    subject: string;
    provider: string;
    username: string;
    display_name: string;
    password_hash: string;
    organisation_id: string | null;
  };
  identities: { issuer: string; subject: string; account_id: number };
  spent_tokens: { hash: string; expires: Date };
  provider_records: {
    provider: string;
    model: string;
    id: string;
    payload: JSONColumnType<object>;
    uid: string | null;
    grant_id: string | null;
    expires: Date | null;
  };
  provider_attempts: { key: string; failures: number; ends: Date };
  popup_records: {
    customer_id: string;
    popup_id: string;
    version: Generated<number>;
    values: JSONColumnType<Record<string, string | number | boolean>>;
  };
}

/** Of the text of an agreement: see the policies. */
export type Section = {
  type: number;
  content: string;
  content_label?: string;
  anchor_value?: string;
  anchor_text?: string;
  nesting_level?: number;
};

export type LinkPurpose = 'spam-release' | 'archive-search' | 'archive-export';
export type StatusGroup = 'Active' | 'Changing' | 'Failed' | 'Suspended';
export type Category = 'info' | 'success' | 'warning' | 'danger';
export type CustomerStatus = 'Active' | 'Activating' | 'ActivationFailed' | 'Deleting' | 'DeletionFailed' | 'Suspended';
export type InstanceStatus =
  | 'Activating'
  | 'Active'
  | 'ActivationFailed'
  | 'Deleting'
  | 'Deleted'
  | 'DeletionFailed'
  | 'Upgraded';

type UsageDay = { day: string; cost: number };

type Figures = { customers: number; users: number; monthly_spend: number };

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
};

type OutboxTable = {
  id: Generated<number>;
  created: Date;
  recipient: string;
  subject: string;
  body: string;
  state: Generated<'waiting' | 'sent' | 'given-up'>;
  attempts: Generated<number>;
  /** Not before this; null: at once. */
  next_attempt: Date | null;
  /** What the mail server said last. */
  failure: string | null;
};

type PasswordRuleTable = {
  position: number;
  type: 'required' | 'pattern' | 'minLength' | 'MinimumScore' | 'MinimumLength' | 'MultiplePattern';
  name: string | null;
  value: number | null;
  patterns: string[];
  message: string;
};

type CustomerTable = {
  id: Generated<string>;
  organisation_id: Generated<number>;
  reseller_id: number;
  name: string;
  domain: string;
  status: Generated<CustomerStatus>;
  status_group: GeneratedAlways<StatusGroup>;
  suspended: Generated<boolean>;
  services: Generated<number>;
  users: Generated<number>;
  monthly_spend: Generated<number>;
  created: Date;
  last_change: Date;
  contact_name: Generated<string>;
  contact_email: Generated<string>;
  phone: Generated<string>;
  address1: Generated<string>;
  address2: Generated<string>;
  town_city: Generated<string>;
  county: Generated<string>;
  post_code: Generated<string>;
  account_manager: Generated<string>;
  version: Generated<number>;
  partner_id: Generated<number>;
  search_text: GeneratedAlways<string>;
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
  mailbox_address: string | null;
  mailbox_quota_mb: number | null;
  mailbox_used_mb: number | null;
  groups: Generated<string[]>;
  notes: Generated<string>;
  last_sign_in: Date | null;
  created: Date;
};

type InstanceTable = {
  id: Generated<number>;
  reseller_id: number;
  customer_id: string;
  user_id: number | null;
  service_id: number;
  sub_id: number;
  status: InstanceStatus;
  status_group: GeneratedAlways<'Active' | 'Changing' | 'Failed' | null>;
  reason: string | null;
  quantity: number;
  monthly_price: number;
  created: Date;
  last_change: Date;
  term_id: string | null;
  billing_id: string | null;
  fields: ColumnType<FieldValues, string | undefined, string>;
  order_id: number | null;
  replaces: number | null;
  was_active: GeneratedAlways<boolean>;
  monthly_charge: GeneratedAlways<number>;
};

type OrderTable = {
  id: Generated<number>;
  reseller_id: number;
  customer_id: string;
  user_id: number | null;
  account_id: number | null;
  ordered_by: string;
  instance_id: number | null;
  action: Action;
  service_id: number;
  sub_id: number;
  quantity: number;
  quantity_before: number | null;
  price_before: number | null;
  term_id: string;
  billing_id: string;
  fields: ColumnType<FieldValues, string, string>;
  unit_price: number;
  monthly_price: number;
  first_charge: number;
  first_charge_date: Date;
  cancel_free_until: Date;
  currency: string;
  status: Generated<'Placed' | 'Done' | 'Failed'>;
  created: Date;
};
