import type { Generated, JSONColumnType } from 'kysely';

export type Kind = 'customers' | 'services';

/** Kinds of records that are copied of a business system. */
export type CopyKind = Kind | 'contracts';

export type ReportKind = 'movement' | 'reconciliation' | 'charges';

/** 1 Autotask, 6 ConnectWise (document 2, section 3). */
export type PsaProduct = 1 | 6;

/** The headers or parts of them by which a business system knows who asks. */
export type Credentials = Readonly<Record<string, string>>;

/** Whether a customer pays for an addition of an agreement of ConnectWise. */
export const billCustomers = ['Billable', 'DoNotBill', 'NoCharge'] as const;
export type BillCustomer = (typeof billCustomers)[number];

export type SyncStatus = 'NotSynchronized' | 'New' | 'Running' | 'Completed' | 'Failed';

export const changeKinds = ['Quantity', 'Price', 'QuantityAndPrice', 'Added', 'Removed'] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** Quantity that a line of a contract bills a month, and the cost of one to the reseller (null: it does not say). */
export type Billed = { readonly quantity: number; readonly cost: string | null };

/** A line of a contract of the business system as it is, and as the invoice says that it should be. */
export type ContractChange = {
  /** Of the row of the comparison. */
  readonly key: string;
  readonly kind: ChangeKind;
  /** Our organisation id; null where the customer is none of ours any more. */
  readonly organisation: string | null;
  readonly customer: string;
  readonly service: string;
  /** Ids there: of the contract, its line (null: it is added), and what is billed. */
  readonly contract: string;
  readonly contractName: string;
  readonly line: string | null;
  readonly product: string;
  /** Null: there is no such line. */
  readonly before: Billed | null;
  readonly after: Billed | null;
  /** The first day for which an added line bills, and a removed one does not: YYYY-MM-DD. */
  readonly from: string;
};

/** Of a line that an update writes. Changed: it was other than the update had it, and was left as it is. */
export const updateStatuses = ['Waiting', 'Written', 'Changed', 'Failed'] as const;
export type UpdateStatus = (typeof updateStatuses)[number];
export const updateFailures = ['NoAnswer', 'Refused', 'Rejected', 'ChangedThere'] as const;
export type UpdateFailure = (typeof updateFailures)[number];

/** Business systems of resellers, what is copied of them, and what is matched. */
declare module '../tables.ts' {
  interface Tables {
    psa_connections: {
      reseller_id: number;
      product: PsaProduct;
      enabled: Generated<boolean>;
      ignore_sales_orders: Generated<boolean>;
      base_url: string | null;
      credentials: JSONColumnType<Credentials>;
      state: Generated<'inprogress' | 'failed' | 'invalid' | 'completed' | 'abouttoexpire' | 'expired'>;
    };
    psa_syncs: {
      reseller_id: number;
      kind: CopyKind;
      status: Generated<SyncStatus>;
      type: Generated<'Manual' | 'Setup'>;
      started: Date | null;
      completed: Date | null;
      failure: string | null;
      version: Generated<number>;
    };
    psa_records: { reseller_id: number; kind: Kind; id: string; name: string; price: number | null };
    psa_matches: {
      reseller_id: number;
      kind: Kind;
      own_id: string;
      psa_id: string | null;
      psa_name: string | null;
      ignored: Generated<boolean>;
    };
    psa_contracts: { reseller_id: number; id: string; name: string; customer: string };
    psa_lines: {
      reseller_id: number;
      contract: string;
      service: string;
      quantity: number;
      line: string | null;
      since: Date | null;
      cost: number | null;
    };
    psa_updates: {
      id: Generated<number>;
      reseller_id: number;
      invoice_id: number;
      account_id: number;
      press: string;
      version: string;
      actor: string;
      actor_type: string;
      real_actor: string;
      created: Date;
      worker: Generated<string | null>;
      beat: Generated<Date | null>;
      finished: Generated<Date | null>;
    };
    psa_update_rows: {
      update_id: number;
      position: number;
      change: JSONColumnType<ContractChange>;
      status: Generated<UpdateStatus>;
      failure: Generated<UpdateFailure | null>;
      settled: Generated<Date | null>;
    };
    psa_reports: { reseller_id: number; kind: ReportKind; month: string; computed: Date };
    psa_report_rows: {
      id: Generated<number>;
      reseller_id: number;
      kind: ReportKind;
      month: string;
      customer_id: string;
      service: string;
      name: string;
      quantity: number;
      compared_with: number;
      price_change: number;
      selected: Generated<boolean>;
    };
    psa_stand_in_tenants: { name: string; product: PsaProduct; credentials: JSONColumnType<Credentials> };
    psa_stand_in_records: {
      id: Generated<number>;
      tenant: string;
      kind: Kind;
      name: string;
      price: number | null;
      active: Generated<boolean>;
    };
    psa_stand_in_contracts: {
      id: Generated<number>;
      tenant: string;
      customer: number;
      name: string;
      active: Generated<boolean>;
      ends: Generated<Date | null>;
    };
    psa_stand_in_lines: {
      id: Generated<number>;
      contract: number;
      service: number;
      quantity: number;
      starts: Date;
      ends: Date | null;
      cost: number | null;
      less_included: Generated<number>;
      bill_customer: Generated<BillCustomer>;
    };
  }
}
