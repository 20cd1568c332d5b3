import { permission, readsServices } from '../auth/needs.ts';
import { activityItem } from '../customers/shapes.ts';
import { idempotencyKey, once } from '../http/idempotency.ts';
import { done, replies, succeed } from '../http/reply.ts';
import {
  type App,
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
  params,
  string,
  text,
} from '../http/schema.ts';
import { orderBody } from '../orders/body.ts';
import type { Parts } from '../parts.ts';
import { listInstanceActivity, listInstanceUsers } from './instance-details.ts';
import { instanceIdAt, readInstance } from './instance-read.ts';
import { deleteInstance, retryInstance } from './instance-write.ts';

const instance = object({
  Id: id,
  ServiceId: integer,
  SubId: integer,
  Name: string,
  Icon: string,
  CustomerId: id,
  CustomerName: string,
  UserId: orNull(id),
  UserName: orNull(string),
  Status: string,
  StatusGroup: orNull(string),
  Reason: orNull(string),
  Quantity: integer,
  Unit: string,
  Used: { ...integer, description: 'Users who have it personally.' },
  TermId: orNull(string),
  Term: orNull(string),
  TermMonths: orNull(integer),
  TermEnds: { ...orNull(day), description: 'Last day of the term; the next one begins by itself.' },
  LeftOfTerm: orNull(money),
  BillingId: orNull(string),
  Billing: orNull(string),
  Fields: list(object({ PropertyName: string, Label: string, Value: string })),
  UnitPrice: money,
  MonthlyPrice: money,
  MeteredLast7Days: orNull(money),
  Currency: string,
  OrderNumber: orNull(string),
  Ordered: date,
  OrderedBy: orNull(string),
  OrderedQuantity: integer,
  Change: { ...orNull(string), description: 'The latest change: activate, modify or delete.' },
  WasActive: { ...boolean, description: 'True where it works, or worked before its latest change.' },
  Created: date,
  LastChange: date,
  Steps: list(
    object({ Name: string, State: { ...string, description: 'done, running, waiting or failed' }, At: orNull(date) }),
  ),
  StepsDone: integer,
  StepsTotal: integer,
  Percent: integer,
  CanRetry: boolean,
  CanFix: boolean,
  CanModify: boolean,
  CanUpgrade: boolean,
  CanDelete: boolean,
  Upgrades: list(
    object({ ServiceId: integer, SubId: integer, Name: string, Icon: string, Price: money, Currency: string }),
  ),
});
const instanceUsers = object({
  Items: list(
    object({
      UserId: id,
      DisplayName: string,
      Email: string,
      Status: string,
      Detail: string,
      LastSignIn: orNull(date),
    }),
  ),
  Total: integer,
});
const instanceActivity = object({ Items: list(activityItem), Total: integer });
const tags = ['services'];
const changes = { needs: permission('addProducts') };
const path = '/api/customers/:customerId/services/:instanceId';
const byId = params('customerId', 'instanceId');

/** Adds the routes of one service of a customer: read it, retry its failed change, delete it. */
export function addInstanceRoutes(app: App, { db, now }: Parts): void {
  app.get(
    path,
    { config: { needs: readsServices }, schema: { tags, params: byId, response: replies(instance) } },
    async ({ signedIn, params }) =>
      succeed(await readInstance(db, signedIn, await instanceIdAt(db, signedIn, params), now())),
  );

  app.get(
    `${path}/users`,
    {
      config: { needs: readsServices },
      schema: { tags, params: byId, querystring: pageQuery({}, 1000), response: replies(instanceUsers) },
    },
    async ({ signedIn, params, query }) =>
      succeed(await listInstanceUsers(db, await instanceIdAt(db, signedIn, params), query)),
  );

  app.get(
    `${path}/activity`,
    {
      config: { needs: readsServices },
      schema: { tags, params: byId, querystring: pageQuery({}, 1000), response: replies(instanceActivity) },
    },
    async ({ signedIn, params, query }) =>
      succeed(await listInstanceActivity(db, await instanceIdAt(db, signedIn, params), query)),
  );

  app.post(
    `${path}/retry`,
    {
      config: changes,
      schema: {
        tags,
        params: byId,
        headers: idempotencyKey,
        body: {
          type: 'object',
          nullable: true,
          additionalProperties: false,
          properties: { Fields: orderBody.properties.Fields },
        },
        response: replies(),
      },
    },
    async request =>
      await once(db, request, async trx => {
        const { signedIn, params, body } = request;
        await retryInstance(trx, signedIn, await instanceIdAt(trx, signedIn, params), body?.Fields, now());
        return done('It is tried again.');
      }),
  );

  app.post(
    `${path}/delete`,
    {
      config: changes,
      schema: {
        tags,
        params: byId,
        headers: idempotencyKey,
        body: object({ Confirmation: text(200) }),
        response: replies(),
      },
    },
    async request =>
      await once(db, request, async trx => {
        const { signedIn, params, body } = request;
        await deleteInstance(trx, signedIn, await instanceIdAt(trx, signedIn, params), body.Confirmation, now());
        return done('The service is being deleted.');
      }),
  );
}
