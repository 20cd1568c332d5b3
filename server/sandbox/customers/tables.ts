import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { RowState, StoredImport } from '../imports/tables.ts';

export type StatusGroup = 'Active' | 'Changing' | 'Failed' | 'Suspended';

export type CustomerStatus = 'Active' | 'Activating' | 'ActivationFailed' | 'Deleting' | 'DeletionFailed' | 'Suspended';

declare module '../tables.ts' {
  interface Tables {
    customers: CustomerTable;
    customer_counts: Figures & { reseller_id: number; status_group: StatusGroup };
    monthly_figures: Figures & { reseller_id: number; month: ColumnType<Date, string, never> };
    activity: {
      id: Generated<number>;
      /** Null for what is about no customer. */
      customer_id: string | null;
      /** Filled from the customer where it is not given. */
      reseller_id: Generated<number>;
      /** The account that did it; null for the cloud itself. */
      account_id: Generated<number | null>;
      search_text: Generated<string>;
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
      /** Views that a caller must have to see it. */
      views: Generated<string[]>;
    };
    activity_users: { user_id: number; activity_id: number };
    customer_imports: StoredImport & { id: Generated<string>; reseller_id: number };
    customer_import_rows: ImportedCustomer & {
      id: Generated<number>;
      import_id: string;
      line: number;
      status: RowState;
      reason: string | null;
      customer_id: string | null;
    };
  }
}

type Figures = { customers: number; users: number; monthly_spend: number };

/** A customer as a row of an import has it. */
export type ImportedCustomer = {
  readonly name: string;
  readonly domain: string;
  readonly contact_name: string;
  readonly contact_email: string;
  readonly phone: string;
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
