import type { InstanceStatus } from '../services/tables.ts';

declare module '../tables.ts' {
  interface Tables {
    /** The customers that limited accounts see. */
    account_customers: { account_id: number; customer_id: string; ticked: boolean; matched: boolean };
    reseller_services: { reseller_id: number; service_id: number; sub_id: number; status: InstanceStatus };
    customer_names: { id: string; reseller_id: number; name: string };
  }
}
