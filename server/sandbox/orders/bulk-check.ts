import type { Caller } from '../auth/caller.ts';
import { CloudError, conflict, invalid } from '../http/errors.ts';
import type { Obstacle } from '../marketplace/eligibility.ts';
import { type CheckedCustomer, checkEligibility } from '../marketplace/eligible-customers.ts';
import { findProduct, type Product } from '../marketplace/products.ts';
import type { Database } from '../tables.ts';
import { checkWhat } from './check.ts';
import { checkFields } from './fields.ts';
import { cents, type Price, priceOf } from './price.ts';
import type { FieldValues, OrderBody } from './tables.ts';

export type BulkOrder = Omit<OrderBody, 'CustomerId' | 'Action' | 'UserId' | 'InstanceId'> & {
  readonly Customers: readonly { readonly CustomerId: string; readonly Fields: FieldValues }[];
};

/** A customer of an order for many, with its own answers. */
export type Member = CheckedCustomer & { readonly own: FieldValues };

export type CheckedBulk = {
  readonly product: Product;
  /** What is the same for all of them. */
  readonly body: OrderBody;
  readonly each: Price;
  /** As they were named, each once. */
  readonly customers: readonly Member[];
};

const isLeftOut = ({ Obstacle }: Member): boolean => Obstacle !== null;
const isIn = (member: Member): boolean => !isLeftOut(member);

/**
 * Checks an order for many customers: the shared answers, whether each customer can have the product (its `Obstacle` is
 * null or says why not), and the own answers of the customers that can.
 * @throws {CloudError} 404 for a product or customer that the caller does not see, 400 with the errors by field
 */
export async function checkBulk(db: Database, caller: Caller, order: BulkOrder): Promise<CheckedBulk> {
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
  const given = new Map(Customers.map(({ CustomerId, Fields }) => [CustomerId.toLowerCase(), Fields]));
  const customers = checked.map(
    (customer): Member => ({
      ...customer,
      own: given.get(String(customer.CustomerId)) ?? given.get(customer.id) ?? {},
    }),
  );
  checkOwn(product, customers.filter(isIn));
  return { product, body, each: priceOf(product, Quantity, term, billing), customers };
}

/** Faults go by the customer and the field: `Customers.10001.Domain`. */
function checkOwn({ offer }: Product, members: readonly Member[]): void {
  const fields = offer.Fields.filter(({ PerCustomer }) => PerCustomer);
  const faults = members.flatMap(({ CustomerId, own }) =>
    Object.entries(checkFields(fields, own)).map(
      ([name, said]) => [`Customers.${CustomerId}.${name}`, said] as [string, string[]],
    ),
  );
  if (faults.length > 0) throw invalid(Object.fromEntries(faults));
}

/**
 * Gives the prices of an order for many customers, for one (`Each`) and for all that can have the product (`total`);
 * those customers, and those left out with the reason. Writes nothing.
 * @throws {CloudError} as `checkBulk`
 */
export async function quoteBulk(db: Database, caller: Caller, order: BulkOrder) {
  const { each, customers } = await checkBulk(db, caller, order);
  const members = customers.filter(isIn);
  const times = (amount: number) => cents(amount * members.length);
  return {
    total: { ...each, monthlyPrice: times(each.monthlyPrice), firstCharge: times(each.firstCharge) },
    Each: { MonthlyPrice: each.monthlyPrice, FirstCharge: each.firstCharge },
    Customers: members.map(({ CustomerId, Name }) => ({ CustomerId, Name })),
    LeftOut: customers.filter(isLeftOut).map(({ CustomerId, Name, Obstacle, Reason }) => ({
      CustomerId,
      Name,
      Obstacle: Obstacle as Obstacle,
      Reason: Reason ?? '',
    })),
  };
}

/** @throws {CloudError} when no customer can have the product; with `onlyIfAll`, when one of them cannot */
export function refuseLeftOut({ product, customers }: CheckedBulk, onlyIfAll: boolean): void {
  if (customers.every(isLeftOut)) throw conflict(`None of these customers can have ${product.name}.`);
  const first = customers.find(isLeftOut);
  if (onlyIfAll && first) throw new CloudError(409, 'NotForAll', [`${first.Name}: ${first.Reason}`]);
}
