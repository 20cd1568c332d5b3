import { serviceTypes } from '../../../shared/catalogue/codes.ts';
import { searchKey } from '../../../shared/rules/search-key.ts';
import type { Caller } from '../auth/caller.ts';
import type { TypeOf } from '../http/route.ts';
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
  partial,
  search,
  string,
} from '../http/schema.ts';
import { computed } from '../resource/fields.ts';
import type { InstanceStatus } from '../services/tables.ts';
import { obstacles } from './eligibility.ts';
import type { Holdings } from './holdings.ts';
import type { Product } from './products.ts';
import type { Selling } from './selling.ts';

/** A product as a caller is offered it; `held` is the status of the service of it that the customer or user has. */
type Offered = {
  readonly product: Product;
  /** Of the caller, and of the price. */
  readonly currency: string;
  readonly held: InstanceStatus | undefined;
  readonly selling: Selling;
};
const service = computed<Offered>([
  { name: 'Id', shape: integer, of: ({ product }) => product.serviceId },
  { name: 'SubId', shape: integer, of: ({ product }) => product.subId },
  { name: 'Key', of: ({ product }) => product.key },
  { name: 'Name', of: ({ product }) => product.name },
  { name: 'Icon', of: ({ product }) => product.icon },
  { name: 'Summary', of: ({ product }) => product.offer.Summary },
  { name: 'Type', of: ({ product }) => product.type },
  { name: 'Added', shape: boolean, of: ({ held }) => held !== undefined },
  { name: 'ServiceInstanceStatus', shape: orNull(string), of: ({ held }) => held ?? null },
  { name: 'OrderLimit', of: ({ product }) => product.orderLimit },
  { name: 'NewJourney', shape: boolean, of: ({ product }) => product.journey === 'new' },
  { name: 'JourneyType', of: ({ product }) => product.journey },
  { name: 'ListingId', shape: orNull(string), of: ({ product }) => product.listingId },
  { name: 'MarketplaceServiceId', shape: integer, of: ({ product }) => product.marketplaceServiceId },
  {
    name: 'Office365GroupId',
    shape: orNull(integer),
    of: ({ product }) => (product.serviceId === 8 ? product.subId : null),
  },
  { name: 'Hidden', shape: boolean, of: ({ product }) => product.hidden },
  { name: 'ChargingModel', of: ({ product }) => product.chargingModel },
  { name: 'RouteName', shape: orNull(string), of: ({ product }) => product.route },
  { name: 'Levels', shape: list(string), of: ({ product }) => product.levels },
  { name: 'AgreementServiceId', shape: integer, of: ({ product }) => product.agreementServiceId },
  { name: 'Price', shape: money, of: ({ product }) => product.price },
  { name: 'Currency', of: ({ currency }) => currency },
  {
    name: 'Unit',
    shape: { ...string, description: 'What one of the quantity is.' },
    of: ({ product }) => product.offer.Unit,
  },
  {
    name: 'HeldBy',
    shape: { ...orNull(integer), description: 'Customers that have it; null for those who see only one.' },
    of: ({ selling, product }) => (selling.heldBy === null ? null : (selling.heldBy.get(product.key) ?? 0)),
  },
  {
    name: 'ToSign',
    shape: { ...boolean, description: 'True while an agreement that it needs is not signed.' },
    of: ({ selling, product }) => selling.agreementsOf(product).some(({ signed }) => signed === null),
  },
]);
/** Gives a product in the form of the reply. */
export const describe = service.write;

export const catalogueList = object({ Items: list(object(service.shapes)), Total: integer });

export const catalogueItem = object({
  ...service.shapes,
  Description: string,
  Terms: list(
    object({
      Id: string,
      Name: string,
      Months: integer,
      Discount: { ...integer, description: 'Per cent of the price of a month.' },
      /** Of one, per month; once, for a one-time purchase. */
      UnitPrice: money,
      Ends: { ...orNull(day), description: 'Last day of a term that begins now; null without one.' },
    }),
  ),
  Agreements: list(
    object({
      Id: id,
      Title: string,
      Version: integer,
      Signed: boolean,
      SignedBy: orNull(string),
      SignedOn: orNull(date),
    }),
  ),
  Billing: list(object({ Id: string, Name: string })),
  MinQuantity: integer,
  MaxQuantity: integer,
  Fields: list(
    object({
      PropertyName: string,
      Label: string,
      Kind: {
        ...string,
        description: 'text, number, email, select, checkbox, date, ipv4, hex-colour (# and 6 digits) or customer-id.',
      },
      Mandatory: boolean,
      Regex: string,
      InvalidMessage: string,
      Options: list(string),
      PerCustomer: { ...boolean, description: 'True for what an order for many customers has for each of them.' },
    }),
  ),
});

const eligibility = {
  Obstacle: {
    ...orNull(string),
    enum: [...obstacles, null],
    description: 'Why it cannot have the product; null: it can.',
  },
  Reason: { ...orNull(string), description: 'The same in words.' },
} as const;

/** A page of customers, as one chooses those that get a product. */
export const eligibilityList = object({
  Items: list(
    object({
      CustomerId: id,
      Name: string,
      Domain: string,
      Status: {
        ...orNull(string),
        enum: [...obstacles, null],
        description: 'The obstacle; Added also where the customer can have one more.',
      },
      ...eligibility,
    }),
  ),
  Total: integer,
  TotalIsExact: boolean,
  Counts: object({ All: integer, Available: integer, Without: integer }),
});

/** Customers that were named, with what their records propose: a quantity, and the fields that are PerCustomer. */
export const checkedCustomersList = object({
  Items: list(
    object({
      CustomerId: id,
      Name: string,
      Quantity: integer,
      Fields: { type: 'object', additionalProperties: string },
      Held: { ...orNull(integer), description: 'How many it holds in the service that more would raise.' },
      ...eligibility,
    }),
  ),
});

export const customerChoice = object({
  Customers: list(object({ Id: id, Name: string, Domain: string, Status: orNull(string) })),
  AllowedToAdd: boolean,
  OrderLimit: string,
});

/** Search, filter and order of a catalogue; relevance puts names that begin with the text first. */
export const catalogueQuery = partial({
  search,
  type: { enum: ['all', ...serviceTypes], default: 'all' },
  sort: { enum: ['Name', '-Name', 'Relevance'], default: 'Name' },
});

/**
 * Gives, in the form of the reply, all products whose name or summary has the text and whose type matches, in the order
 * asked for, and their number as `Total`. `held` gives the status of what the customer or user has already. `Relevance`
 * puts names that begin with the text first.
 */
export function searchCatalogue(
  products: readonly Product[],
  caller: Pick<Caller, 'currency'>,
  held: Holdings,
  selling: Selling,
  { search, type, sort }: TypeOf<typeof catalogueQuery>,
) {
  const wanted = searchKey(search.trim());
  const textOf = ({ name, offer }: Product) => searchKey(`${name}\n${offer.Summary}`);
  const rank = ({ name }: Product) => {
    const place = searchKey(name).indexOf(wanted);
    return place === -1 ? 2 : Math.min(place, 1);
  };
  const found = products
    .filter(product => (type === 'all' || product.type === type) && textOf(product).includes(wanted))
    .sort((one, other) => {
      const byName = one.name.localeCompare(other.name, 'en');
      if (sort === 'Relevance') return rank(one) - rank(other) || byName;
      return sort === '-Name' ? -byName : byName;
    });
  return {
    Items: found.map(product => describe({ product, currency: caller.currency, held: held.get(product.key), selling })),
    Total: found.length,
  };
}
