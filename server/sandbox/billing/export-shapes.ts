import {
  day,
  described,
  id,
  integer,
  list,
  money,
  number,
  object,
  orNull,
  pageQuery,
  search,
  string,
} from '../http/schema.ts';
import { lineKind } from './lines.ts';

const amount = (description: string) => described(orNull(money), `${money.description} ${description}`);

const exportV1 = {
  Id: described(id, 'Names the row; of a meter that of its line, and its place.'),
  Invoice: described(id, 'Number of the invoice, as printed.'),
  CustomerName: described(string, 'Customer, as named when the invoice was made.'),
  Service: described(string, 'What is charged.'),
  Starts: described(day, 'First day that is charged.'),
  Ends: described(day, 'Last day that is charged.'),
  Quantity: described(orNull(number), 'How many. Of a line alone.'),
  Amount: amount('What is printed, before tax. Of a line alone: all of them add up to the invoice.'),
} as const;
const exportV2 = {
  ...exportV1,
  OrganisationId: described(id, 'Number of the customer.'),
  Product: described(orNull(string), 'Key of the product, such as 8-1.'),
  Kind: lineKind,
  Period: described(day, 'First day of the month of the invoice.'),
  Days: described(orNull(integer), 'Days that are charged, where that is a part of a month.'),
  MonthDays: described(orNull(integer), 'Days of that month.'),
  UnitPrice: amount('Price of one for a whole month. Of a line alone.'),
  TaxRate: described(number, 'Tax in per cent. Tax itself is computed once for each rate of the invoice.'),
  Currency: string,
} as const;
const exportV3 = {
  ...exportV2,
  ExternalInvoiceId: described(id, 'Its number at the billing platform.'),
  ChargeId: described(id, 'Number of the charge.'),
  OrderNumber: described(orNull(string), 'The order that it comes of.'),
  OrderedBy: orNull(string),
  InstanceId: described(orNull(id), 'Number of the service.'),
  SubAccountId: described(orNull(id), 'Number of the subscription that was used.'),
  SubAccount: orNull(string),
  Exact: amount('The amount before it was rounded. Of a line alone.'),
  MeterId: described(orNull(id), 'Of a meter alone, as all that follows.'),
  MeterService: orNull(string),
  Meter: orNull(string),
  UsageMonth: orNull(day),
  Unit: orNull(string),
  Used: orNull(number),
  UsageCost: amount('What was used costs so much before it was rounded.'),
} as const;
const exported = <const S extends Record<string, object>>(row: S) =>
  object({
    Items: list(object(row)),
    Total: described(integer, 'Lines; a meter counts with its line.'),
    Currency: string,
  });
/** Versions of one export, each with the columns of the one before first. */
export const exportReplies = { v1: exported(exportV1), v2: exported(exportV2), v3: exported(exportV3) } as const;
export const exportQuery = pageQuery({ search });
