import {
  boolean,
  date,
  day,
  id,
  integer,
  list,
  money,
  object,
  orNull,
  pageQuery,
  string,
  text,
} from '../http/schema.ts';
import { paymentMeans, paymentStatuses } from '../payments/tables.ts';
import { documentStatuses, historyKinds } from './documents.ts';
import { changeReasons, groupings, groupSorts } from './lines.ts';
import { differenceReasons } from './pre-bills.ts';
import { marginFilters, priceStates } from './pricing.ts';

export const number = { type: 'number' } as const;
const kind = { ...string, enum: ['Invoice', 'CreditMemo'] } as const;
export const lineKind = { ...string, enum: ['Month', 'Part', 'Usage', 'Once', 'Term', 'Credit'] } as const;

const head = {
  Id: id,
  Kind: kind,
  Period: day,
  PeriodEnd: day,
  Issued: day,
  Due: day,
  Status: { ...string, enum: documentStatuses },
  Net: money,
  Tax: money,
  Gross: money,
  Prepaid: money,
  Paid: money,
  PaidOn: orNull(day),
  Left: money,
  Lines: integer,
  Customers: integer,
  Currency: string,
  Against: orNull(id),
  UsedOn: orNull(id),
  ExternalInvoiceId: { ...id, description: 'Its number at the billing platform.' },
} as const;

const years = list(object({ Year: string }));
const party = object({ Name: string, Address: string, TaxNumber: string });

export const documentList = object({
  Items: list(object(head)),
  Total: integer,
  Counts: object({ Due: integer, Overdue: integer, Paid: integer, Open: integer, Used: integer }),
  Gross: money,
  Left: money,
  Years: years,
  Currency: string,
});
const group = object({ Id: id, Name: string, Lines: integer, Amount: money, Change: money, Currency: string });
export const document = object({
  ...head,
  /** The largest first, at most a hundred; null where nobody asks for them. */
  Groups: orNull(list(group)),
  Taxes: list(object({ Rate: number, Taxable: money, Tax: money, Currency: string })),
  From: party,
  To: party,
  /** The bank account that a transfer goes to. */
  PayTo: object({ Name: string, Bank: string, Account: string }),
  /** Numbers of the credit memos that were used for it. */
  CreditedBy: orNull(string),
});
export const latest = object({ ...head });
export const balance = object({
  Balance: money,
  Overdue: money,
  Credit: money,
  OpenInvoices: integer,
  OverdueInvoices: integer,
  NextDue: orNull(day),
  NextDueAmount: orNull(money),
  FirstId: orNull(id),
  FirstPayable: orNull(money),
  FailedId: orNull(id),
  FailedAmount: orNull(money),
  FailedReason: orNull(string),
  Currency: string,
  Items: list(object({ ...head, Payable: money, DaysLeft: integer })),
});

export const paymentList = object({
  Items: list(
    object({
      ...{ Id: id, Number: string, Created: date, Means: { ...string, enum: paymentMeans }, PaidWith: orNull(string) },
      ...{ IsAutomatic: boolean, Status: { ...string, enum: paymentStatuses }, Reason: orNull(string) },
      ...{ Amount: money, Currency: string },
    }),
  ),
  Total: integer,
});

const line = {
  Id: id,
  OrganisationId: id,
  CustomerName: string,
  Service: string,
  Kind: lineKind,
  Quantity: number,
  UnitPrice: money,
  Starts: day,
  Ends: day,
  Days: orNull(integer),
  MonthDays: orNull(integer),
  TaxRate: number,
  Amount: money,
  InstanceId: orNull(id),
  OrderNumber: orNull(string),
  Currency: string,
} as const;
export const lineList = object({ Items: list(object(line)), Total: integer, Amount: money, Currency: string });
export const lineDetails = object({
  ...line,
  /** Before it was rounded. */
  Exact: money,
  OrderedBy: orNull(string),
  Ordered: orNull(date),
  Action: orNull(string),
  OrderQuantity: orNull(integer),
  QuantityBefore: orNull(integer),
  Usage: list(
    object({
      Id: id,
      Month: day,
      Service: string,
      Meter: string,
      Unit: string,
      Quantity: number,
      Cost: money,
      Currency: string,
    }),
  ),
});
export const billedCustomers = object({
  Items: list(object({ Id: id, Name: string })),
  Total: integer,
  Chosen: orNull(string),
});
export const groupList = object({ Items: list(group), Total: integer });
export const changes = object({
  BeforeId: orNull(id),
  BeforePeriod: orNull(day),
  BeforeNet: orNull(money),
  Net: money,
  Change: money,
  TaxChange: money,
  Currency: string,
  Items: list(
    object({
      Id: id,
      OrganisationId: orNull(id),
      CustomerName: orNull(string),
      Service: orNull(string),
      Reason: { ...string, enum: [...changeReasons, 'Smaller'] },
      Before: orNull(number),
      After: orNull(number),
      Change: money,
      Currency: string,
    }),
  ),
});
export const customerChanges = object({
  Items: list(
    object({ Id: id, Name: string, InvoiceId: id, Before: money, Amount: money, Change: money, Currency: string }),
  ),
  Total: integer,
  Change: money,
  Currency: string,
});
/** Of the invoice that is issued on a day, as it was expected before, or as it came. */
const bill = {
  InvoiceDate: day,
  Prepared: orNull(day),
  InvoiceId: orNull(id),
  Net: money,
  Tax: money,
  Gross: money,
  Currency: string,
} as const;
export const billLines = object({
  ...bill,
  Items: list(
    object({
      Id: id,
      OrganisationId: id,
      CustomerName: string,
      Service: string,
      Kind: lineKind,
      Starts: day,
      Ends: day,
      Quantity: number,
      UnitPrice: money,
      TaxRate: number,
      Amount: money,
      Currency: string,
    }),
  ),
  Total: integer,
});
export const billDifference = object({
  InvoiceDate: day,
  Prepared: day,
  InvoiceId: orNull(id),
  PreNet: money,
  PreTax: money,
  PreGross: money,
  PostNet: orNull(money),
  PostTax: orNull(money),
  PostGross: orNull(money),
  Change: orNull(money),
  TaxChange: orNull(money),
  GrossChange: orNull(money),
  Currency: string,
  Dates: list(object({ InvoiceDate: day })),
  Counts: object({ Added: integer, Gone: integer, Changed: integer, Unchanged: integer }),
  Items: list(
    object({
      Id: id,
      OrganisationId: id,
      CustomerName: string,
      Service: string,
      Reason: { ...string, enum: differenceReasons },
      Before: orNull(number),
      After: orNull(number),
      PriceBefore: orNull(money),
      PriceAfter: orNull(money),
      PreAmount: orNull(money),
      PostAmount: orNull(money),
      Change: money,
      Currency: string,
    }),
  ),
  Total: integer,
});
export const accountTotals = object({
  Items: list(
    object({ Period: day, Id: id, Net: money, Tax: money, Gross: money, Credited: money, Paid: money, Left: money }),
  ),
  Total: integer,
  Net: money,
  Tax: money,
  Gross: money,
  Credited: money,
  Paid: money,
  Left: money,
  Years: years,
  Currency: string,
});
export const history = object({
  Items: list(
    object({
      Id: id,
      What: { ...string, enum: historyKinds },
      Day: day,
      DocumentId: id,
      Kind: kind,
      OtherId: orNull(id),
      InvoiceId: orNull(id),
      MemoId: orNull(id),
      Amount: money,
      Currency: string,
    }),
  ),
  Total: integer,
});
export const prices = object({
  Items: list(
    object({
      Key: id,
      Name: string,
      Icon: string,
      Unit: string,
      InUse: integer,
      Cost: money,
      Price: orNull(money),
      Margin: orNull(money),
      Percent: orNull(number),
      State: { ...string, enum: priceStates },
      Currency: string,
    }),
  ),
  Total: integer,
});
export const ofCustomer = object({
  Items: list(object({ Id: id, Period: day, Lines: integer, Amount: money, Change: orNull(money), Currency: string })),
  Total: integer,
  Currency: string,
});

const year = { type: 'string', pattern: '^\\d{4}$' } as const;
const search = { ...text(200), default: '' } as const;
const issued = { ...string, pattern: '^\\d{4}-\\d{2}-\\d{2}$', format: 'cloud-day' } as const;
export const listQuery = pageQuery({
  search,
  ...{ status: { enum: documentStatuses }, year, customer: text(15) },
  ...{ from: issued, to: issued },
});
export const documentQuery = {
  type: 'object',
  additionalProperties: false,
  properties: {
    IsFilterByCustomer: {
      enum: ['true', 'false'],
      description: 'Gives the sums along: true those by customer, false those by service.',
    },
    externalInvoiceId: {
      ...text(20),
      description: 'Number at the billing platform; the invoice of another number is not found.',
    },
  },
} as const;
export const linesQuery = pageQuery({ search, customer: text(15), service: text(200) });
const invoiceDate = { ...day, pattern: '^\\d{4}-(?:0[1-9]|1[0-2])-01$' } as const;
export const billQuery = pageQuery({ search, invoiceDate });
export const differenceQuery = pageQuery({ search, invoiceDate, reason: { enum: differenceReasons } });
export const customersQuery = {
  type: 'object',
  additionalProperties: false,
  properties: { search, chosen: text(15) },
} as const;
export const groupsQuery = pageQuery({
  search,
  by: { enum: groupings, default: groupings[0] },
  sort: { enum: groupSorts, default: groupSorts[0] },
});
export const historyQuery = pageQuery({ what: { enum: historyKinds }, year });
export const pricesQuery = pageQuery({ search, margin: { enum: marginFilters } });
export const totalsQuery = {
  type: 'object',
  additionalProperties: false,
  properties: { year, sort: { enum: ['Period', '-Period'], default: '-Period' } },
} as const;
export const priceBody = {
  type: 'object',
  additionalProperties: false,
  required: ['Key', 'Price'],
  properties: { Key: text(20), Price: text(20) },
} as const;
