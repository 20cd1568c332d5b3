import type { Caller } from '../auth/caller.ts';
import { permission, readsServices } from '../auth/needs.ts';
import { visibleCustomer } from '../customers/scope.ts';
import { notFound } from '../http/errors.ts';
import { idOf } from '../http/ids.ts';
import { replies, succeed } from '../http/reply.ts';
import { type App, id, integer, list, object, orNull, pageQuery, params, string, text } from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import { exactTo } from '../search.ts';
import type { Database } from '../tables.ts';
import { chooseCustomers } from './customer-choice.ts';
import { checkEligibility, eligibleIds, listEligibility, showing } from './eligible-customers.ts';
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

const tags = ['marketplace'];
const config = { needs: readsServices };
const query = <const P extends object>(properties: P, required: (keyof P & string)[] = []) =>
  ({ type: 'object', additionalProperties: false, required, properties }) as const;
const searchQuery = query({ search: { ...text(200), default: '' } });
const productIds = { serviceId: { type: 'integer' }, subId: { type: 'integer' } } as const;
const sells = { needs: permission('addProducts') };
const eligibilityQuery = pageQuery({
  search: { ...text(200), default: '' },
  show: { enum: showing, default: 'all' },
});
const idsQuery = query({
  search: { ...text(200), default: '' },
  show: { enum: ['available', 'without'], default: 'available' },
});
const customersBody = object({
  CustomerIds: { type: 'array', minItems: 1, maxItems: exactTo, items: text(40) },
});
const listSchema = { tags, querystring: catalogueQuery, response: replies(catalogueList) };

/**
 * Adds the routes of the marketplace (document 1, section 7): products, their details, and the customers that can have
 * them.
 */
export function addMarketplaceRoutes(app: App, { db, now }: Parts): void {
  app.get('/api/marketplace/services', { config, schema: listSchema }, async ({ signedIn, query }) => {
    const products = await visibleProducts(db, signedIn);
    return succeed(
      searchCatalogue(
        products,
        signedIn,
        await ownHoldings(db, signedIn, products),
        await readSelling(db, signedIn),
        query,
      ),
    );
  });

  app.get(
    '/api/marketplace/services/:serviceId/:subId',
    { config, schema: { tags, params: params('serviceId', 'subId'), response: replies(catalogueItem) } },
    async ({ signedIn, params }) => {
      const product = await productAt(db, signedIn, params);
      const held = await ownHoldings(db, signedIn, [product]);
      const selling = await readSelling(db, signedIn);
      const { Upgrades, ...offer } = product.offer;
      return succeed({
        ...describe(product, signedIn, held.get(product.key), selling),
        ...offer,
        Terms: describeTerms(product, now()),
        Agreements: selling.agreementsOf(product).map(({ id, title, version, signatory, signed }) => ({
          Id: id,
          Title: title,
          Version: version,
          Signed: signed !== null,
          // Only the reseller's own people see who signed it.
          SignedBy: signedIn.customerId === null ? signatory : null,
          SignedOn: signedIn.customerId === null ? signed : null,
        })),
      });
    },
  );

  app.get(
    '/api/marketplace/services/:serviceId/:subId/customers',
    {
      config,
      schema: {
        tags,
        params: params('serviceId', 'subId'),
        querystring: searchQuery,
        response: replies(customerChoice),
      },
    },
    async ({ signedIn, params, query: { search } }) =>
      succeed(await chooseCustomers(db, signedIn, await productAt(db, signedIn, params), search)),
  );

  const eligibility = '/api/marketplace/services/:serviceId/:subId/eligibility' as const;
  const ofProduct = params('serviceId', 'subId');

  app.get(
    eligibility,
    {
      config: sells,
      schema: { tags, params: ofProduct, querystring: eligibilityQuery, response: replies(eligibilityList) },
    },
    async ({ signedIn, params, query }) =>
      succeed(await listEligibility(db, signedIn, await productAt(db, signedIn, params), query)),
  );

  app.get(
    `${eligibility}/ids`,
    { config: sells, schema: { tags, params: ofProduct, querystring: idsQuery, response: replies(list(id)) } },
    async ({ signedIn, params, query }) =>
      succeed(await eligibleIds(db, signedIn, await productAt(db, signedIn, params), query)),
  );

  app.post(
    eligibility,
    {
      config: sells,
      schema: { tags, params: ofProduct, body: customersBody, response: replies(checkedCustomersList) },
    },
    async ({ signedIn, params, body }) => {
      const product = await productAt(db, signedIn, params);
      const customers = await checkEligibility(db, signedIn, product, body.CustomerIds);
      return succeed({ Items: customers.map(({ id, ...customer }) => customer) });
    },
  );

  app.get(
    '/api/customers/:customerId/marketplace-services',
    { config, schema: { ...listSchema, params: params('customerId') } },
    async ({ signedIn, params: { customerId }, query }) => {
      const { id } = await findCustomer(db, signedIn, customerId);
      const products = (await visibleProducts(db, signedIn)).filter(({ levels }) => levels.includes('customer'));
      return succeed(
        searchCatalogue(products, signedIn, await heldByCustomer(db, id), await readSelling(db, signedIn), query),
      );
    },
  );

  app.get(
    '/api/customers/:customerId/users/:userId/marketplace-services',
    { config, schema: { ...listSchema, params: params('customerId', 'userId') } },
    async ({ signedIn, params: { customerId, userId }, query }) => {
      const { id } = await findCustomer(db, signedIn, customerId);
      const user = await db
        .selectFrom('users')
        .select('id')
        .where('customer_id', '=', id)
        .where('id', '=', idOf(userId))
        .executeTakeFirst();
      if (user === undefined) throw notFound();
      const products = (await visibleProducts(db, signedIn)).filter(
        ({ levels, hiddenAtUserLevel }) => levels.includes('user') && !hiddenAtUserLevel,
      );
      return succeed(
        searchCatalogue(products, signedIn, await heldByUser(db, user.id), await readSelling(db, signedIn), query),
      );
    },
  );

  app.get('/api/marketplace/end-user-admin/services', { config, schema: listSchema }, async ({ signedIn, query }) => {
    if (signedIn.customerId === null) throw notFound();
    const products = (await visibleProducts(db, signedIn)).filter(({ levels }) => levels.includes('customer'));
    return succeed(
      searchCatalogue(
        products,
        signedIn,
        await heldByCustomer(db, signedIn.customerId),
        await readSelling(db, signedIn),
        query,
      ),
    );
  });

  app.get(
    '/api/marketplace/listing-id',
    {
      config,
      schema: { tags, querystring: query(productIds, ['serviceId', 'subId']), response: replies(orNull(string)) },
    },
    async ({ signedIn, query: { serviceId, subId } }) => {
      const { listingId } = await productAt(db, signedIn, { serviceId: String(serviceId), subId: String(subId) });
      return succeed(listingId);
    },
  );

  app.get(
    '/api/cloud-office/has-partner-id',
    {
      config,
      schema: {
        tags,
        querystring: query({ customerId: text(300) }, ['customerId']),
        response: replies({ ...integer, description: '0 none, 1 us, 2 another partner' }),
      },
    },
    async ({ signedIn, query: { customerId } }) => succeed((await findCustomer(db, signedIn, customerId)).partner_id),
  );
}

async function findCustomer(db: Database, caller: Caller, key: string) {
  const found = await visibleCustomer(db, caller, key).select(['c.id', 'c.partner_id']).executeTakeFirst();
  if (found === undefined) throw notFound();
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
