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

declare module '../tables.ts' {
  interface Tables {
    service_instances: InstanceTable;
    bundles: { id: number; name: string; icon: string };
    bundle_parts: { bundle_id: number; position: number; service_id: number; sub_id: number };
    customer_bundles: { id: Generated<number>; customer_id: string; bundle_id: number; sold: Date };
    customer_bundle_parts: { customer_bundle_id: number; position: number; instance_id: number | null };
    user_services: { user_id: number; instance_id: number; detail: string; since: Date };
  }
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
  /** When it was changed to another term; null: it has the term that it was ordered for. */
  term_started: Generated<Date | null>;
  /** When its term began. */
  term_began: GeneratedAlways<Date>;
  fields: ColumnType<FieldValues, string | undefined, string>;
  order_id: number | null;
  replaces: number | null;
  was_active: GeneratedAlways<boolean>;
  monthly_charge: GeneratedAlways<number>;
};
