import { permission, readsCustomers } from '../auth/needs.ts';
import { routeAdder } from '../http/route.ts';
import { type App, boolean, id, integer, list, object, partial, search, text } from '../http/schema.ts';
import { addImport } from '../imports/routes.ts';
import type { Parts } from '../parts.ts';
import { checkDeletion, deleteCustomer, deletionReasons } from './delete.ts';
import { customerImport } from './import.ts';
import { listCustomers, listQuery } from './list.ts';
import { readCustomer, suggestCustomers } from './read.ts';
import { activityOfAllQuery, activityQuery, listActivity, listActivityOfAll } from './read-activity.ts';
import { customerIdOf } from './scope.ts';
import { activityList, activityOfAllList, customerDetails, customerList, suggestion } from './shapes.ts';
import { changeContact, contactBody, createCustomer, newCustomer, renameCustomer, setSuspended } from './write.ts';

const deletionCheck = object({
  CanDelete: boolean,
  Users: { ...integer, description: 'Users who would be deleted with it.' },
  Reasons: list(object({ Code: { enum: deletionReasons }, Count: integer })),
});
const writes = permission('addOrEditCustomers');

/** Adds the routes of the reseller's customers; `{customerId}` is a CustomerId or an OrganisationId. */
export function addCustomerRoutes(app: App, { db, now }: Parts): void {
  const route = routeAdder(app, db, { tags: ['customers'], needs: readsCustomers });

  addImport(app, { db, now }, customerImport);

  route('GET /api/customers', { query: listQuery, reply: customerList }, ({ caller, query }) =>
    listCustomers(db, caller, query),
  );

  route(
    'GET /api/customers/suggestions',
    { query: partial({ search }), reply: list(suggestion) },
    ({ caller, query }) => suggestCustomers(db, caller, query.search),
  );

  route('GET /api/customers/:customerId', { reply: customerDetails }, ({ caller, params: { customerId } }) =>
    readCustomer(db, caller, customerId, now()),
  );

  route(
    'GET /api/customers/:customerId/activity',
    { query: activityQuery, reply: activityList },
    ({ caller, params: { customerId }, query }) => listActivity(db, caller, customerId, query),
  );

  route('GET /api/activity', { query: activityOfAllQuery, reply: activityOfAllList }, ({ caller, query }) =>
    listActivityOfAll(db, caller, query, now()),
  );

  route(
    'POST /api/customers',
    { needs: writes, once: true, body: newCustomer, made: object({ organisationId: id, customerId: id }) },
    ({ trx, caller, body }) => createCustomer(trx, caller, body, now()),
  );

  route(
    'PUT /api/customers/:customerId',
    { needs: writes, body: contactBody },
    async ({ caller, params: { customerId }, body }) => {
      await db.transaction().execute(async trx => {
        const id = await customerIdOf(trx, caller, customerId);
        await changeContact(trx, caller, id, body, now());
      });
      return 'The contact details were saved.';
    },
  );

  route(
    'POST /api/customers/:customerId/name',
    { needs: writes, body: object({ NewName: { type: 'string' } }) },
    async ({ caller, params: { customerId }, body }) => {
      await renameCustomer(db, caller, customerId, body.NewName, now());
      return 'The customer was renamed.';
    },
  );

  for (const [verb, suspended] of [
    ['suspend', true],
    ['reactivate', false],
  ] as const) {
    route(`POST /api/customers/:customerId/${verb}`, { needs: writes, once: true }, async ({ trx, caller, params }) => {
      await setSuspended(trx, caller, params.customerId, suspended, now());
      return suspended ? 'The customer was suspended.' : 'The customer was reactivated.';
    });
  }

  route(
    'GET /api/customers/:customerId/can-delete',
    { needs: writes, reply: deletionCheck },
    ({ caller, params: { customerId } }) => checkDeletion(db, caller, customerId, now()),
  );

  route(
    'POST /api/customers/:customerId/delete',
    { needs: writes, once: true, mayWait: true, body: object({ Confirmation: text(200) }) },
    async ({ trx, caller, params, body }) => {
      await deleteCustomer(trx, caller, params.customerId, body.Confirmation, now());
      return 'The customer was deleted.';
    },
  );
}
