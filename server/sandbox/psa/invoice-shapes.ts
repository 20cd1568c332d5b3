import type { LineKind } from '../billing/tables.ts';
import type { Movement } from './movements.ts';

/** Classes of rows: what agrees, and how it differs. */
export const rowClasses = ['Matched', 'Quantity', 'Price', 'MissingHere', 'MissingThere', 'Ignored'] as const;
export type RowClass = (typeof rowClasses)[number];

export const reasons = [
  'Added',
  'Changed',
  'Cancelled',
  'EnteredThere',
  'Price',
  'PartOfMonth',
  'PaidAhead',
  'Usage',
  'Once',
  'Term',
  'Rounding',
  'CustomerNotMatched',
  'CustomerIgnored',
  'ServiceNotMatched',
  'ServiceIgnored',
] as const;
export type Reason = (typeof reasons)[number];

/** A line of an invoice; days are YYYY-MM-DD, quantities and amounts decimal strings. */
export type InvoiceLine = {
  readonly customer: string;
  readonly customerName: string;
  readonly service: string;
  /** Key of the product, as "8-1"; null for one that is not sold any more. */
  readonly product: string | null;
  readonly kind: LineKind;
  readonly instance: string | null;
  readonly order: string | null;
  readonly starts: string;
  /** The last day. */
  readonly ends: string;
  readonly quantity: string;
  readonly unitPrice: string;
  readonly days: number | null;
  readonly monthDays: number | null;
  readonly amount: string;
};

/** A line that a contract of the business system bills, by its own ids. */
export type TheirLine = {
  readonly customer: string;
  readonly customerName: string;
  readonly service: string;
  readonly serviceName: string;
  readonly contract: string;
  readonly line: string | null;
  readonly quantity: string;
  readonly cost: string | null;
  readonly since: string | null;
};

type Matches = ReadonlyMap<string, { readonly psaId: string | null; readonly ignored: boolean }>;

export type InvoiceInput = {
  /** Last day of the month that the invoice is for. */
  readonly lastDay: string;
  readonly lines: readonly InvoiceLine[];
  readonly theirs: readonly TheirLine[];
  /** By organisation id, and by key of the product. */
  readonly customers: Matches;
  readonly services: Matches;
  /** Organisation ids by customer of the business system. */
  readonly ownCustomers: ReadonlyMap<string, string>;
  /** By customer and service of the business system, "<customer> <service>", the oldest first. */
  readonly movements: ReadonlyMap<string, readonly Movement[]>;
};

/** Why the two sides differ by an amount. `Before` and `After` are quantities, or days of a month. */
export type Explanation = {
  readonly Reason: Reason;
  readonly Day: string | null;
  readonly OrderNumber: string | null;
  readonly By: string | null;
  readonly Before: number | null;
  readonly After: number | null;
  readonly Amount: string;
};

/** `Here` = `There` + the amounts of the explanations + `Rest`. */
export type ComparedRow = {
  readonly key: string;
  readonly Class: RowClass;
  readonly OrganisationId: string | null;
  readonly Customer: string;
  readonly Service: string;
  /** When the month ended; null where nothing is billed by the month. */
  readonly Quantity: number | null;
  readonly TheirQuantity: number | null;
  readonly UnitPrice: string | null;
  readonly TheirPrice: string | null;
  readonly Here: string;
  readonly There: string;
  readonly Difference: string;
  readonly Rest: string;
  readonly Reason: Reason | null;
  readonly Explanations: readonly Explanation[];
  readonly lines: readonly InvoiceLine[];
  readonly their: readonly TheirLine[];
};

/** Before tax the invoice is the sum of the amounts of the classes, and the rest. */
export type Comparison = {
  readonly rows: readonly ComparedRow[];
  readonly classes: readonly {
    readonly Class: RowClass;
    readonly Rows: number;
    readonly Amount: string;
    readonly There: string;
    readonly Difference: string;
  }[];
  readonly rest: string;
};
