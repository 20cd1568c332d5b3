import { permission, readsCustomers } from '../auth/needs.ts';
import { idempotencyKey, once } from '../http/idempotency.ts';
import { created, done, replies, succeed } from '../http/reply.ts';
import {
  type App,
  boolean,
  domain,
  email,
  filled,
  id,
  integer,
  list,
  object,
  pageQuery,
  params,
  phone,
  text,
} from '../http/schema.ts';
import { addImport } from '../imports/routes.ts';
import type { Parts } from '../parts.ts';
import { checkDeletion, deleteCustomer, deletionReasons } from './delete.ts';
import { customerImport } from './import.ts';
import { listCustomers, type SortColumn, sortColumns } from './list.ts';
import { listActivity, readCustomer, suggestCustomers } from './read.ts';
import { customerIdOf } from './scope.ts';
import { activityList, customerDetails, customerList, suggestion } from './shapes.ts';
import { changeContact, createCustomer, renameCustomer, setSuspended } from './write.ts';

const columns = Object.keys(sortColumns) as SortColumn[];
const listQuery = pageQuery(
  {
    sort: { enum: columns.flatMap(name => [name, `-${name}`] as const), default: 'Name' },
    search: { ...text(200), default: '' },
    status: { enum: ['Active', 'Changing', 'Failed', 'Suspended'] },
  },
  1000,
);
const day = { type: 'string', pattern: '^(\\d{4}-\\d{2}-\\d{2})?$', description: 'Included; in UTC.' } as const;
const activityQuery = pageQuery(
  {
    actor: { ...text(200), default: '' },
    action: { ...text(100), default: '' },
    from: { ...day, default: '' },
    to: { ...day, default: '' },
    search: { ...text(200), default: '' },
  },
  1000,
);
const newCustomerFields = object({
  // Validated by validateCustomerName, which has its own words for each fault.
  Name: { type: 'string' },
  Domain: domain,
  ContactName: filled(100),
  ContactEmail: email,
  Phone: phone,
});
/** A phone number may be left out. */
const newCustomer = { ...newCustomerFields, required: ['Name', 'Domain', 'ContactName', 'ContactEmail'] } as const;
const contact = object({
  ContactName: filled(100),
  ContactEmail: email,
  Phone: phone,
  Address1: text(100),
  Address2: text(100),
  TownCity: text(100),
  County: text(100),
  PostCode: text(12),
});
const deletionCheck = object({
  CanDelete: boolean,
  Users: { ...integer, description: 'Users who would be deleted with it.' },
  Reasons: list(object({ Code: { enum: deletionReasons }, Count: integer })),
});
const searchQuery = {
  type: 'object',
  additionalProperties: false,
  properties: { search: { ...text(200), default: '' } },
} as const;
const tags = ['customers'];
const reads = { needs: readsCustomers };
const writes = { needs: permission('addOrEditCustomers') };
const oneCustomer = params('customerId');

/** Adds the routes of the reseller's customers; `{customerId}` is a CustomerId or an OrganisationId. */
export function addCustomerRoutes(app: App, { db, now }: Parts): void {
  addImport(app, { db, now }, customerImport);

  app.get(
    '/api/customers',
    { config: reads, schema: { tags, querystring: listQuery, response: replies(customerList) } },
    async ({ signedIn, query }) => succeed(await listCustomers(db, signedIn, query)),
  );

  app.get(
    '/api/customers/suggestions',
    {
      config: reads,
      schema: {
        tags,
        querystring: searchQuery,
        response: replies(list(suggestion)),
      },
    },
    async ({ signedIn, query }) => succeed(await suggestCustomers(db, signedIn, query.search)),
  );

  app.get(
    '/api/customers/:customerId',
    { config: reads, schema: { tags, params: oneCustomer, response: replies(customerDetails) } },
    async ({ signedIn, params: { customerId } }) => succeed(await readCustomer(db, signedIn, customerId, now())),
  );

  app.get(
    '/api/customers/:customerId/activity',
    {
      config: reads,
      schema: { tags, params: oneCustomer, querystring: activityQuery, response: replies(activityList) },
    },
    async ({ signedIn, params: { customerId }, query }) => succeed(await listActivity(db, signedIn, customerId, query)),
  );

  app.post(
    '/api/customers',
    {
      config: writes,
      schema: {
        tags,
        headers: idempotencyKey,
        body: newCustomer,
        response: created(object({ organisationId: id, customerId: id })),
      },
    },
    async (request, reply) => {
      reply.code(201);
      return await once(db, request, async trx =>
        succeed(await createCustomer(trx, request.signedIn, request.body, now())),
      );
    },
  );

  app.put(
    '/api/customers/:customerId',
    { config: writes, schema: { tags, params: oneCustomer, body: contact, response: replies() } },
    async ({ signedIn, params: { customerId }, body }) => {
      await db.transaction().execute(async trx => {
        const id = await customerIdOf(trx, signedIn, customerId);
        await changeContact(trx, signedIn, id, body, now());
      });
      return done('The contact details were saved.');
    },
  );

  app.post(
    '/api/customers/:customerId/name',
    {
      config: writes,
      schema: { tags, params: oneCustomer, body: object({ NewName: { type: 'string' } }), response: replies() },
    },
    async ({ signedIn, params: { customerId }, body }) => {
      await renameCustomer(db, signedIn, customerId, body.NewName, now());
      return done('The customer was renamed.');
    },
  );

  for (const [verb, suspended] of [
    ['suspend', true],
    ['reactivate', false],
  ] as const) {
    app.post(
      `/api/customers/:customerId/${verb}`,
      { config: writes, schema: { tags, params: oneCustomer, headers: idempotencyKey, response: replies() } },
      async request =>
        await once(db, request, async trx => {
          await setSuspended(trx, request.signedIn, request.params.customerId, suspended, now());
          return done(suspended ? 'The customer was suspended.' : 'The customer was reactivated.');
        }),
    );
  }

  app.get(
    '/api/customers/:customerId/can-delete',
    { config: writes, schema: { tags, params: oneCustomer, response: replies(deletionCheck) } },
    async ({ signedIn, params: { customerId } }) => succeed(await checkDeletion(db, signedIn, customerId, now())),
  );

  app.post(
    '/api/customers/:customerId/delete',
    {
      config: writes,
      schema: {
        tags,
        params: oneCustomer,
        headers: idempotencyKey,
        body: object({ Confirmation: text(200) }),
        response: replies(),
      },
    },
    async request =>
      await once(db, request, async trx => {
        await deleteCustomer(trx, request.signedIn, request.params.customerId, request.body.Confirmation, now());
        return done('The customer was deleted.');
      }),
  );
}
