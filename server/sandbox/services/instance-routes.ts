import { permission } from '../auth/needs.ts';
import { idempotencyKey, once } from '../http/idempotency.ts';
import { done, replies, succeed } from '../http/reply.ts';
import {
  type App,
  boolean,
  date,
  id,
  integer,
  list,
  money,
  object,
  orNull,
  params,
  string,
  text,
} from '../http/schema.ts';
import { sees } from '../marketplace/shapes.ts';
import { orderBody } from '../orders/body.ts';
import type { Parts } from '../parts.ts';
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
  TermId: orNull(string),
  Term: orNull(string),
  BillingId: orNull(string),
  Billing: orNull(string),
  Fields: list(object({ PropertyName: string, Label: string, Value: string })),
  MonthlyPrice: money,
  Currency: string,
  OrderNumber: orNull(string),
  Created: date,
  LastChange: date,
  Steps: list(
    object({ Name: string, State: { ...string, description: 'done, running, waiting or failed' }, At: orNull(date) }),
  ),
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
const tags = ['services'];
const changes = { needs: permission('addProducts') };
const path = '/api/customers/:customerId/services/:instanceId';
const byId = params('customerId', 'instanceId');

/** Adds the routes of one service of a customer: read it, retry its failed change, delete it. */
export function addInstanceRoutes(app: App, { db, now }: Parts): void {
  app.get(
    path,
    { config: { needs: sees }, schema: { tags, params: byId, response: replies(instance) } },
    async ({ signedIn, params }) => succeed(await readInstance(db, signedIn, await instanceIdAt(db, signedIn, params))),
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
