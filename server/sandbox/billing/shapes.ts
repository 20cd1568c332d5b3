import {
  boolean,
  date,
  described,
  id,
  integer,
  list,
  money,
  object,
  orNull,
  partial,
  string,
  text,
} from '../http/schema.ts';
import { paymentMeans, paymentStatuses } from '../payments/tables.ts';
import { head, tax } from './documents.ts';
import { group } from './lines.ts';

const party = object({ Name: string, Address: string, TaxNumber: string });

export const document = object({
  ...head.shapes,
  /** The largest first, at most a hundred; null where nobody asks for them. */
  Groups: orNull(list(group.schema)),
  Taxes: list(tax.schema),
  From: party,
  To: party,
  /** The bank account that a transfer goes to. */
  PayTo: object({ Name: string, Bank: string, Account: string }),
  /** Numbers of the credit memos that were used for it. */
  CreditedBy: orNull(string),
});

export const paymentList = object({
  Items: list(
    object({
      Id: id,
      Number: string,
      Created: date,
      Means: { ...string, enum: paymentMeans },
      PaidWith: orNull(string),
      IsAutomatic: boolean,
      Status: { ...string, enum: paymentStatuses },
      Reason: orNull(string),
      Amount: money,
      Currency: string,
    }),
  ),
  Total: integer,
});

export const documentQuery = partial({
  IsFilterByCustomer: {
    enum: ['true', 'false'],
    description: 'Gives the sums along: true those by customer, false those by service.',
  },
  externalInvoiceId: described(text(20), 'Number at the billing platform; the invoice of another number is not found.'),
});
export const priceBody = object({ Key: text(20), Price: text(20) });
