import type { Generated } from 'kysely';
import type { InstanceStatus } from '../services/tables.ts';

type CustomerKey =
  | 'id'
  | 'reseller_id'
  | 'name'
  | 'status'
  | 'services'
  | 'users'
  | 'monthly_spend'
  | 'last_change'
  | 'suspended'
  | 'partner_id';

declare module '../tables.ts' {
  interface Tables {
    /** The customers that limited accounts see, with the columns that their lists are found by, which triggers keep. */
    account_customers: {
      account_id: number;
      customer_id: string;
      ticked: boolean;
      matched: boolean;
      readonly organisation_id: Generated<number>;
    };
    /** Columns by which the list of customers is found, for a limited account from the rows of its own. */
    customer_keys: Pick<Tables['customers'], CustomerKey>;
    reseller_services: { reseller_id: number; service_id: number; sub_id: number; status: InstanceStatus };
    customer_names: { id: string; reseller_id: number; name: string };
  }
}
