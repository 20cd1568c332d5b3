import { mostNames } from '../approvals/require.ts';
import type { Caller } from '../auth/caller.ts';
import { CloudError, conflict, invalid } from '../http/errors.ts';
import type { Obstacle } from '../marketplace/eligibility.ts';
import { type CheckedCustomer, checkEligibility } from '../marketplace/eligible-customers.ts';
import { findProduct, type Product } from '../marketplace/products.ts';
import type { Raisable } from '../marketplace/raisable.ts';
import type { Database } from '../tables.ts';
import { checkWhat, heldFault } from './check.ts';
import { checkFields } from './fields.ts';
import { cents, type Price, priceOf } from './price.ts';
import type { FieldValues, IfHeld, OrderBody } from './tables.ts';

export type BulkOrder = Omit<OrderBody, 'CustomerId' | 'Action' | 'UserId' | 'InstanceId'> & {
  readonly Customers: readonly {
    readonly CustomerId: string;
    readonly Quantity?: number;
    readonly Fields: FieldValues;
    readonly IfHeld?: IfHeld;
  }[];
};

/** A customer of an order for many, with its own quantity and answers. */
export type Member = CheckedCustomer & {
  readonly quantity: number;
  readonly own: FieldValues;
  readonly ifHeld: IfHeld | undefined;
};

export type CheckedBulk = {
  readonly product: Product;
  /** The order without what is each customer's own. */
  readonly body: OrderBody;
  /** The price of so many, or of so many more where a service is raised. */
  readonly priceFor: (quantity: number, raised?: Raisable) => Price;
  /** As they were named, each once. */
  readonly customers: readonly Member[];
};

const isLeftOut = ({ Obstacle }: Member): boolean => Obstacle !== null;
const isIn = (member: Member): boolean => !isLeftOut(member);

/**
 * Checks an order for many customers: the shared answers, whether each customer can have the product (its `Obstacle` is
 * null or says why not), and the own answers of the customers that can. A quote may come before who holds the product
 * was asked what becomes of that (`isQuote`).
 * @throws {CloudError} 404 for a product or customer that the caller does not see, 400 with the errors by field
 */
export async function checkBulk(db: Database, caller: Caller, order: BulkOrder, isQuote = false): Promise<CheckedBulk> {
  const { Customers, ServiceId, SubId, Quantity, TermId, BillingId, Fields } = order;
  const product = await findProduct(db, caller, ServiceId, SubId);
  const body: OrderBody = {
    CustomerId: '',
    Action: 'Add',
    ...{ ServiceId, SubId, Quantity, TermId, BillingId, Fields },
  };
  const { offer } = product;
  const shared = { ...product, offer: { ...offer, Fields: offer.Fields.filter(field => !field.PerCustomer) } };
  const { term, billing } = checkWhat(shared, body, 'customer');
  const checked = await checkEligibility(
    db,
    caller,
    product,
    Customers.map(({ CustomerId }) => CustomerId),
  );
  const given = new Map(Customers.map(customer => [customer.CustomerId.toLowerCase(), customer]));
  const customers = checked.map((customer): Member => {
    const own = given.get(String(customer.CustomerId)) ?? given.get(customer.id);
    return { ...customer, quantity: own?.Quantity ?? Quantity, own: own?.Fields ?? {}, ifHeld: own?.IfHeld };
  });
  checkOwn(product, customers.filter(isIn), isQuote);
  const priceFor = (quantity: number, raised?: Raisable): Price => {
    if (!raised) return priceOf(product, quantity, term, billing);
    const ownTerm = offer.Terms.find(({ Id }) => Id === raised.term_id) ?? term;
    const ownBilling = offer.Billing.find(({ Id }) => Id === raised.billing_id) ?? billing;
    const paid = raised.quantity * raised.monthly_price;
    const all = priceOf(product, raised.quantity + quantity, ownTerm, ownBilling, paid);
    const monthlyPrice = cents(all.monthlyPrice - paid);
    return { ...all, monthlyPrice, commitment: cents(all.commitment - paid * ownTerm.Months) };
  };
  return { product, body, priceFor, customers };
}

/** Faults go by the customer and the field: `Customers.10001.Domain`. */
function checkOwn({ offer }: Product, members: readonly Member[], isQuote: boolean): void {
  const fields = offer.Fields.filter(({ PerCustomer }) => PerCustomer);
  const { MinQuantity, MaxQuantity } = offer;
  const faults = members.flatMap(({ CustomerId, quantity, own, ifHeld, Held }) => {
    const total = quantity + (ifHeld === 'Raise' ? (Held ?? 0) : 0);
    const isOff = quantity < MinQuantity || total > MaxQuantity;
    const wrongAnswer = isQuote && ifHeld === 'New' ? undefined : heldFault(ifHeld, Held);
    const wrong = {
      ...checkFields(fields, own),
      ...(wrongAnswer !== undefined && { IfHeld: [wrongAnswer] }),
      ...(isOff && { Quantity: [`Must be from ${MinQuantity} to ${MaxQuantity}`] }),
    };
    return Object.entries(wrong).map(([name, said]) => [`Customers.${CustomerId}.${name}`, said] as [string, string[]]);
  });
  if (faults.length > 0) throw invalid(Object.fromEntries(faults));
}

/** The customers that can have the product, each with its price, and what adds these up. */
function priced({ priceFor, customers }: CheckedBulk) {
  const members = customers.filter(isIn).map(member => ({
    ...member,
    price: priceFor(member.quantity, member.ifHeld === 'Raise' ? member.held : undefined),
  }));
  const sum = (amount: (price: Price) => number) =>
    cents(members.reduce((total, { price }) => total + amount(price), 0));
  return { members, sum };
}

/** Says what an order for many customers means, for whoever has to approve it. */
export function meaningOf(checked: CheckedBulk, { currency }: Pick<Caller, 'currency'>) {
  const { members, sum } = priced(checked);
  const price = { monthly: sum(one => one.monthlyPrice), first: sum(one => one.firstCharge), currency };
  const names = members.slice(0, mostNames).map(({ Name }) => Name);
  return { target: checked.product.name, names, before: '', after: '', price };
}

/**
 * Gives the price of an order for many customers, for all that can have the product (`total`); those customers, each
 * with its quantity and what it costs, and those left out with the reason. Writes nothing.
 * @throws {CloudError} as `checkBulk`
 */
export async function quoteBulk(db: Database, caller: Caller, order: BulkOrder) {
  const checked = await checkBulk(db, caller, order, true);
  const { priceFor, customers } = checked;
  const { members, sum } = priced(checked);
  return {
    total: {
      ...priceFor(1),
      monthlyPrice: sum(price => price.monthlyPrice),
      firstCharge: sum(price => price.firstCharge),
      commitment: sum(price => price.commitment),
      lines: [],
    },
    Customers: members.map(({ CustomerId, Name, quantity, price }) => ({
      CustomerId,
      Name,
      Quantity: quantity,
      Price: price.isOnce ? price.commitment : price.monthlyPrice,
    })),
    LeftOut: customers.filter(isLeftOut).map(({ CustomerId, Name, Obstacle, Reason }) => ({
      CustomerId,
      Name,
      Obstacle: Obstacle as Obstacle,
      Reason: Reason ?? '',
    })),
  };
}

/**
 * Refuses an order for many customers when none of them can have the product, or, with `onlyIfAll`, when one cannot.
 * @throws {CloudError}
 */
export function refuseLeftOut({ product, customers }: CheckedBulk, onlyIfAll: boolean): void {
  if (customers.every(isLeftOut)) throw conflict(`None of these customers can have ${product.name}.`);
  const first = customers.find(isLeftOut);
  if (onlyIfAll && first) throw new CloudError(409, 'NotForAll', [`${first.Name}: ${first.Reason}`]);
}
