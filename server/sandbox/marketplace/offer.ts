/** A period that one commits to; `Discount` is taken off the price of a month, in per cent. */
export type Term = { readonly Id: string; readonly Name: string; readonly Months: number; readonly Discount: number };
export type Billing = { readonly Id: 'monthly' | 'upfront' | 'once'; readonly Name: string };

/** A field that a product asks for beside quantity, term and billing. */
export type OfferField = {
  readonly PropertyName: string;
  readonly Label: string;
  readonly Kind: 'text' | 'number' | 'email' | 'select' | 'checkbox' | 'date' | 'ipv4' | 'hex-colour' | 'customer-id';
  readonly Mandatory: boolean;
  readonly Regex: string;
  readonly InvalidMessage: string;
  readonly Options: readonly string[];
  /** True for a value that belongs to one customer: an order for many has it for each of them, never once for all. */
  readonly PerCustomer: boolean;
  /** Name of the part of a customer's record that is proposed; empty for none. */
  readonly Prefill: '' | 'Domain' | 'ContactEmail' | 'Address';
};

/** All that is said of a product and asked for it; kept as one value, since nothing searches in it. */
export type Offer = {
  readonly Summary: string;
  readonly Description: string;
  /** Name of one of the quantity. */
  readonly Unit: string;
  readonly MinQuantity: number;
  readonly MaxQuantity: number;
  readonly Terms: readonly Term[];
  readonly Billing: readonly Billing[];
  readonly Fields: readonly OfferField[];
  /** Keys ("8-9") of the products that one can go on to. */
  readonly Upgrades: readonly string[];
};
