import { permission, readsServices } from '../auth/needs.ts';
import { activityPage } from '../customers/shapes.ts';
import { routesOf } from '../http/route.ts';
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
  partial,
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
const instanceActivity = object(activityPage);
const changes = permission('addProducts');
const path = '/api/customers/:customerId/services/:instanceId';

/** Adds the routes of one service of a customer: read it, retry its failed change, delete it. */
export function addInstanceRoutes(app: App, { db, now }: Parts): void {
  const route = routesOf(app, db, { tags: ['services'], needs: readsServices });

  route(
    `GET ${path}`,
    { reply: instance },
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
      body: { ...partial({ Fields: orderBody.properties.Fields }), nullable: true },
    },
    async ({ trx, caller, params, body }) => {
      await retryInstance(trx, caller, await instanceIdAt(trx, caller, params), body?.Fields, now());
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
