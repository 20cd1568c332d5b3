import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { FieldValues } from '../orders/tables.ts';

export type InstanceStatus =
  | 'Activating'
  | 'Active'
  | 'ActivationFailed'
  | 'Deleting'
  | 'Deleted'
  | 'DeletionFailed'
  | 'Upgraded';

export interface ServicesTables {
  service_instances: InstanceTable;
  user_services: { user_id: number; instance_id: number; detail: string };
}

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
