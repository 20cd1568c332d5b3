import type { ColumnType, Generated, JSONColumnType } from 'kysely';
import type { UserType } from '../auth/words.ts';

/** The account that orders: a caller, or what is remembered of one. */
export type Buyer = {
  readonly accountId: number;
  readonly currency: string;
  /** Of a customer's administrator or user; null for the reseller's own people. */
  readonly customerId: string | null;
  readonly resellerId: number;
  readonly displayName: string;
  readonly userType: UserType;
  /** User name of who really signed in, by a jump. */
  readonly actorName: string | null;
};

export type FieldValues = Readonly<Record<string, string | number | boolean | null>>;

/** Raise: it gets so many more. Second: it stays, beside a second subscription. New: there is none. */
export const ifHeldChoices = ['New', 'Raise', 'Second'] as const;
export type IfHeld = (typeof ifHeldChoices)[number];

export type Action = 'Add' | 'Modify' | 'Upgrade';

/**
 * An order: a product for a customer or a user. `ServiceId` and `SubId` identify the product after the order: for an
 * upgrade, the new one.
 */
export type OrderBody = {
  readonly CustomerId: string;
  readonly UserId?: string;
  readonly ServiceId: number;
  readonly SubId: number;
  readonly Action: Action;
  readonly InstanceId?: string;
  readonly Quantity: number;
  readonly TermId: string;
  readonly BillingId: string;
  readonly Fields: FieldValues;
  /** Of an Add: what becomes of a service of the same product that the customer holds. Absent: a second subscription. */
  readonly IfHeld?: IfHeld;
};

declare module '../tables.ts' {
  interface Tables {
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
      /** When its order was cancelled before its turn had come. */
      cancelled: Generated<Date | null>;
      /** The customer's own; null: that of the order. */
      quantity: number | null;
      /** Says whether a subscription that is held is raised; null: a second one is added. */
      if_held: IfHeld | null;
      /** The customer's own answers. */
      fields: ColumnType<FieldValues, string | undefined, string>;
    };
  }
}

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
  cancelled: Generated<Date | null>;
  created: Date;
};
