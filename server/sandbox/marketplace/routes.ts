import type { Caller } from '../auth/caller.ts';
import { permission, readsServices } from '../auth/needs.ts';
import { visibleCustomer } from '../customers/scope.ts';
import { notFound } from '../http/errors.ts';
import { idOf } from '../http/ids.ts';
import { routeAdder } from '../http/route.ts';
import { type App, id, integer, list, object, orNull, partial, search, string, text } from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import { exactTo } from '../search.ts';
import type { Database } from '../tables.ts';
import { chooseCustomers } from './customer-choice.ts';
import { checkEligibility, eligibilityQuery, eligibleIds, idsQuery, listEligibility } from './eligible-customers.ts';
import { type Holdings, heldByCustomer, heldByReseller, heldByUser } from './holdings.ts';
import { type Product, productAt, visibleProducts } from './products.ts';
import { readSelling } from './selling.ts';
import {
  catalogueItem,
  catalogueList,
  catalogueQuery,
  checkedCustomersList,
  customerChoice,
  describe,
  eligibilityList,
  searchCatalogue,
} from './shapes.ts';
import { describeTerms } from './terms.ts';

const searchQuery = partial({ search });
const sells = permission('addProducts');
const customersBody = object({
  CustomerIds: { type: 'array', minItems: 1, maxItems: exactTo, items: text(40) },
});

/**
 * Adds the routes of the marketplace (document 1, section 7): products, their details, and the customers that can have
 * them.
 */
export function addMarketplaceRoutes(app: App, { db, now }: Parts): void {
  const route = routeAdder(app, db, { tags: ['marketplace'], needs: readsServices });

  route('GET /api/marketplace/services', { query: catalogueQuery, reply: catalogueList }, async ({ caller, query }) => {
    const products = await visibleProducts(db, caller);
    return searchCatalogue(
      products,
      caller,
      await ownHoldings(db, caller, products),
      await readSelling(db, caller),
      query,
    );
  });

  route('GET /api/marketplace/services/:serviceId/:subId', { reply: catalogueItem }, async ({ caller, params }) => {
    const product = await productAt(db, caller, params);
    const held = await ownHoldings(db, caller, [product]);
    const selling = await readSelling(db, caller);
    const { Upgrades, ...offer } = product.offer;
    return {
      ...describe({ product, currency: caller.currency, held: held.get(product.key), selling }),
      ...offer,
      Terms: describeTerms(product, now()),
      Agreements: selling.agreementsOf(product).map(({ id, title, version, signatory, signed }) => ({
        Id: id,
        Title: title,
        Version: version,
        Signed: signed !== null,
        // Only the reseller's own people see who signed it.
        SignedBy: caller.customerId === null ? signatory : null,
        SignedOn: caller.customerId === null ? signed : null,
      })),
    };
  });

  route(
    'GET /api/marketplace/services/:serviceId/:subId/customers',
    { query: searchQuery, reply: customerChoice },
    async ({ caller, params, query: { search } }) =>
      await chooseCustomers(db, caller, await productAt(db, caller, params), search),
  );

  const eligibility = '/api/marketplace/services/:serviceId/:subId/eligibility' as const;

  route(
    `GET ${eligibility}`,
    { needs: sells, query: eligibilityQuery, reply: eligibilityList },
    async ({ caller, params, query }) => await listEligibility(db, caller, await productAt(db, caller, params), query),
  );

  route(
    `GET ${eligibility}/ids`,
    { needs: sells, query: idsQuery, reply: list(id) },
    async ({ caller, params, query }) => await eligibleIds(db, caller, await productAt(db, caller, params), query),
  );

  route(
    `POST ${eligibility}`,
    { needs: sells, body: customersBody, reply: checkedCustomersList },
    async ({ caller, params, body }) => {
      const product = await productAt(db, caller, params);
      const customers = await checkEligibility(db, caller, product, body.CustomerIds);
      return { Items: customers.map(({ id, ...customer }) => customer) };
    },
  );

  route(
    'GET /api/customers/:customerId/marketplace-services',
    { query: catalogueQuery, reply: catalogueList },
    async ({ caller, params: { customerId }, query }) => {
      const { id } = await findCustomer(db, caller, customerId);
      const products = (await visibleProducts(db, caller)).filter(({ levels }) => levels.includes('customer'));
      return searchCatalogue(products, caller, await heldByCustomer(db, id), await readSelling(db, caller), query);
    },
  );

  route(
    'GET /api/customers/:customerId/users/:userId/marketplace-services',
    { query: catalogueQuery, reply: catalogueList },
    async ({ caller, params: { customerId, userId }, query }) => {
      const { id } = await findCustomer(db, caller, customerId);
      const user = await db
        .selectFrom('users')
        .select('id')
        .where('customer_id', '=', id)
        .where('id', '=', idOf(userId))
        .executeTakeFirstOrThrow(notFound);
      const products = (await visibleProducts(db, caller)).filter(
        ({ levels, hiddenAtUserLevel }) => levels.includes('user') && !hiddenAtUserLevel,
      );
      return searchCatalogue(products, caller, await heldByUser(db, user.id), await readSelling(db, caller), query);
    },
  );

  route(
    'GET /api/marketplace/end-user-admin/services',
    { query: catalogueQuery, reply: catalogueList },
    async ({ caller, query }) => {
      if (caller.customerId === null) throw notFound();
      const products = (await visibleProducts(db, caller)).filter(({ levels }) => levels.includes('customer'));
      return searchCatalogue(
        products,
        caller,
        await heldByCustomer(db, caller.customerId),
        await readSelling(db, caller),
        query,
      );
    },
  );

  route(
    'GET /api/marketplace/listing-id',
    { query: object({ serviceId: integer, subId: integer }), reply: orNull(string) },
    async ({ caller, query: { serviceId, subId } }) => {
      const { listingId } = await productAt(db, caller, { serviceId: String(serviceId), subId: String(subId) });
      return listingId;
    },
  );

  route(
    'GET /api/cloud-office/has-partner-id',
    {
      query: object({ customerId: text(300) }),
      reply: { ...integer, description: '0 none, 1 us, 2 another partner' },
    },
    async ({ caller, query: { customerId } }) => (await findCustomer(db, caller, customerId)).partner_id,
  );
}

async function findCustomer(db: Database, caller: Caller, key: string) {
  const found = await visibleCustomer(db, caller, key)
    .select(['c.id', 'c.partner_id'])
    .executeTakeFirstOrThrow(notFound);
  return found;
}

/** Without a customer in mind: what the own organisation holds, or what the reseller can have only once. */
async function ownHoldings(db: Database, caller: Caller, products: readonly Product[]): Promise<Holdings> {
  if (caller.customerId !== null) return await heldByCustomer(db, caller.customerId);
  const held = new Map();
  for (const product of products.filter(({ orderLimit }) => orderLimit === 'OncePerReseller')) {
    const status = await heldByReseller(db, caller.resellerId, product);
    if (status !== undefined) held.set(product.key, status);
  }
  return held;
}
