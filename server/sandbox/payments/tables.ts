import type { Generated } from 'kysely';

export const directDebit = 0;
export const card = 1;
/** Kinds of payment methods (document 2, section 3). */
export type MethodKind = typeof directDebit | typeof card;

/** Of a card Active or Closed; of a direct debit how far its mandate is. */
export const methodStatuses = ['Active', 'Closed', 'PendingSubmission', 'Submitted', 'Failed', 'Cancelled'] as const;
export type MethodStatus = (typeof methodStatuses)[number];

export const paymentStatuses = ['Pending', 'Paid', 'Declined', 'NotCharged'] as const;
export type PaymentStatus = (typeof paymentStatuses)[number];

/** How a payment was made. */
export const paymentMeans = ['Card', 'DirectDebit', 'Credit', 'BankTransfer'] as const;
export type PaymentMeans = (typeof paymentMeans)[number];

export const paymentTerms = ['OnInvoice', 'Days14', 'Days30'] as const;
export type PaymentTerm = (typeof paymentTerms)[number];

/** Amounts are in minor units (pence, cents). */
declare module '../tables.ts' {
  interface Tables {
    payment_settings: {
      reseller_id: number;
      auto_pay: Generated<boolean>;
      payment_term: Generated<PaymentTerm>;
      payment_method_type: Generated<MethodKind>;
      default_payment_method_id: number | null;
    };
    payment_methods: {
      id: Generated<number>;
      reseller_id: number;
      kind: MethodKind;
      provider_id: string;
      brand: string | null;
      last4: string;
      holder: string;
      expires: Date | null;
      currency: string;
      status: MethodStatus;
      reason: string | null;
      created: Date;
      ended: Date | null;
    };
    payment_pages: {
      token: string;
      reseller_id: number;
      account_id: number;
      kind: MethodKind;
      currency: string;
      issued: Date;
      used: Date | null;
    };
    payments: {
      id: Generated<number>;
      reseller_id: number;
      /** Null: nobody pressed; the billing run pays, or a bank transfer came in. */
      account_id: number | null;
      method_id: number | null;
      amount: number;
      currency: string;
      /** Null: it tops the credit up. */
      invoice_id: number | null;
      means: Generated<PaymentMeans>;
      press: string;
      status: Generated<PaymentStatus>;
      reason: string | null;
      created: Date;
      settled: Date | null;
    };
    credit_movements: {
      id: Generated<number>;
      reseller_id: number;
      kind: 'TopUp' | 'Used';
      amount: number;
      balance: number;
      currency: string;
      payment_id: number | null;
      created: Date;
    };
    payment_events: {
      id: Generated<number>;
      reseller_id: number;
      account_id: number | null;
      action: string;
      outcome: string;
      reason: string | null;
      created: Date;
    };
    card_provider_tokens: {
      token: string;
      page_id: string;
      account: string;
      currency: string;
      card_types: string[];
      uri: string;
      issued: Date;
      spent: Date | null;
    };
    card_provider_methods: {
      id: string;
      token: string;
      kind: 'card' | 'directDebit';
      brand: string | null;
      last4: string;
      holder: string;
      expires: Date | null;
      behaviour: string | null;
      created: Date;
      closed: Date | null;
    };
    card_provider_charges: {
      key: string;
      method_id: string;
      amount: number;
      currency: string;
      status: 'processed' | 'declined' | 'voided';
      code: string | null;
      message: string | null;
      created: Date;
    };
  }
}
