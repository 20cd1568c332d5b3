import { permission, readsServices } from '../auth/needs.ts';
import { activityPage } from '../customers/shapes.ts';
import { routeAdder } from '../http/route.ts';
import { type App, object, pageQuery, partial, text } from '../http/schema.ts';
import { orderBody } from '../orders/body.ts';
import type { Parts } from '../parts.ts';
import { instanceUsers, listInstanceActivity, listInstanceUsers } from './instance-details.ts';
import { instanceIdAt, instanceSchema, readInstance } from './instance-read.ts';
import { deleteInstance, retryInstance } from './instance-write.ts';

const instanceActivity = object(activityPage);
const changes = permission('addProducts');
const path = '/api/customers/:customerId/services/:instanceId';

/** Adds the routes of one service of a customer: read it, retry its failed change, delete it. */
export function addInstanceRoutes(app: App, { db, now }: Parts): void {
  const route = routeAdder(app, db, { tags: ['services'], needs: readsServices });

  route(
    `GET ${path}`,
    { reply: instanceSchema },
    async ({ caller, params }) => await readInstance(db, caller, await instanceIdAt(db, caller, params), now()),
  );

  route(
    `GET ${path}/users`,
    { query: pageQuery({}, 1000), reply: instanceUsers },
    async ({ caller, params, query }) => await listInstanceUsers(db, await instanceIdAt(db, caller, params), query),
  );

  route(
    `GET ${path}/activity`,
    { query: pageQuery({}, 1000), reply: instanceActivity },
    async ({ caller, params, query }) => await listInstanceActivity(db, await instanceIdAt(db, caller, params), query),
  );

  route(
    `POST ${path}/retry`,
    {
      needs: changes,
      once: true,
      body: {
        ...partial({ Fields: orderBody.properties.Fields, Quantity: orderBody.properties.Quantity }),
        nullable: true,
      },
    },
    async ({ trx, caller, params, body }) => {
      await retryInstance(trx, caller, await instanceIdAt(trx, caller, params), body ?? {}, now());
      return 'It is tried again.';
    },
  );

  route(
    `POST ${path}/delete`,
    { needs: changes, once: true, body: object({ Confirmation: text(200) }) },
    async ({ trx, caller, params, body }) => {
      await deleteInstance(trx, caller, await instanceIdAt(trx, caller, params), body.Confirmation, now());
      return 'The service is being deleted.';
    },
  );
}
