import type { ColumnType, Generated } from 'kysely';

export type DocumentKind = 'Invoice' | 'CreditMemo';

export type DraftKind = 'PreBill' | 'Invoice';

export type LineKind = 'Month' | 'Part' | 'Usage' | 'Once' | 'Term' | 'Credit';

/** A day without a time, read as text where it is shown. */
type Day = ColumnType<Date, string, string>;

declare module '../tables.ts' {
  interface Tables {
    billing_runs: { reseller_id: number; period: Day };
    invoices: {
      id: Generated<number>;
      kind: DocumentKind;
      number: number;
      reseller_id: number;
      period: Day;
      currency: string;
      issued: Day;
      due: Day;
      against: number | null;
      used_on: number | null;
      net: string;
      tax: string;
      gross: string;
      prepaid: Generated<string>;
      paid: Generated<string>;
      paid_on: Day | null;
      lines: number;
      customers: number;
      /** Its number at the billing platform, which follows from its own. */
      external_id: Generated<string>;
    };
    invoice_lines: {
      id: Generated<number>;
      invoice_id: number;
      key: string;
      kind: LineKind;
      customer_id: string;
      organisation_id: number;
      customer: string;
      service: string;
      instance_id: number | null;
      order_id: number | null;
      starts: Day;
      ends: Day;
      quantity: string;
      unit_price: string;
      days: number | null;
      month_days: number | null;
      rate: string;
      exact: string;
      amount: string;
    };
    invoice_taxes: { invoice_id: number; rate: string; taxable: string; tax: string };
    invoice_groups: {
      invoice_id: number;
      kind: 'customer' | 'service';
      key: string;
      name: string;
      lines: number;
      amount: string;
      /** Since the document of the same kind before. */
      change: Generated<string>;
    };
    pre_bills: {
      id: Generated<number>;
      reseller_id: number;
      period: Day;
      prepared: Day;
      currency: string;
      net: string;
      tax: string;
      gross: string;
      lines: number;
    };
    billing_drafts: {
      id: Generated<number>;
      kind: DraftKind;
      reseller_id: number;
      period: Day;
      reached: Generated<number>;
    };
    reseller_prices: { reseller_id: number; service_id: number; sub_id: number; term_id: string; price: string };
  }
}
