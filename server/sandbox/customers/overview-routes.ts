import { agreementServiceOf, findRequiredAgreements, readAgreements } from '../agreements/read.ts';
import { agreementList, lineOf, readsAgreements } from '../agreements/shapes.ts';
import type { Caller } from '../auth/caller.ts';
import { readsCustomers } from '../auth/needs.ts';
import { routeAdder } from '../http/route.ts';
import { type App, id, integer, list, money, object, orNull, string } from '../http/schema.ts';
import type { Parts } from '../parts.ts';
import { attentionList, listAttention } from '../services/attention.ts';
import { isHeld } from '../services/held.ts';
import { listCustomerRenewals, renewalList } from '../services/renewals.ts';
import type { Database } from '../tables.ts';
import { readCosts } from './costs.ts';
import { customerIdOf } from './scope.ts';

const costs = object({
  Recurring: money,
  RecurringServices: integer,
  NotCharged: integer,
  MeteredLast7Days: orNull(money),
  OneOff: money,
  Currency: string,
  Items: list(
    object({
      Id: id,
      InstanceId: orNull(id),
      Kind: { ...string, enum: ['recurring', 'metered', 'one-off', 'not-charged'] },
      Name: string,
      Icon: string,
      Quantity: orNull(integer),
      Status: orNull(string),
      Cost: orNull(money),
      Currency: string,
    }),
  ),
});

/** Adds what the overview of a customer tells: failures, costs, renewals, and the agreements behind its services. */
export function addCustomerOverviewRoutes(app: App, { db, now }: Parts): void {
  const route = routeAdder(app, db, { tags: ['customers'], needs: readsCustomers });

  route('GET /api/customers/:customerId/costs', { reply: costs }, ({ caller, params: { customerId } }) =>
    readCosts(db, caller, customerId, now()),
  );

  route(
    'GET /api/customers/:customerId/failures',
    { reply: attentionList },
    async ({ caller, params: { customerId } }) => {
      const query = { customerId: await customerIdOf(db, caller, customerId), group: 'Failed' } as const;
      return await listAttention(db, caller, query);
    },
  );

  route('GET /api/customers/:customerId/renewals', { reply: renewalList }, ({ caller, params: { customerId } }) =>
    listCustomerRenewals(db, caller, customerId, now()),
  );

  route(
    'GET /api/customers/:customerId/agreements',
    { needs: readsAgreements, reply: agreementList },
    async ({ caller, params: { customerId } }) => {
      const Items = await listAgreements(db, caller, customerId);
      return { Items, Total: Items.length };
    },
  );
}

/** The agreements that the services of a customer need, the unsigned ones first. */
async function listAgreements(db: Database, caller: Caller, key: string) {
  const held = await db
    .selectFrom('service_instances')
    .select(['service_id', 'sub_id'])
    .distinct()
    .where('customer_id', '=', await customerIdOf(db, caller, key))
    .where(isHeld('service_instances'))
    .execute();
  const all = await readAgreements(db, caller);
  const needed = new Set(
    held.flatMap(({ service_id, sub_id }) => {
      const { own, linked } = findRequiredAgreements(all, agreementServiceOf(service_id, sub_id));
      return [own.id, ...linked.map(agreement => agreement.id)];
    }),
  );
  return all
    .filter(agreement => needed.has(agreement.id))
    .sort((one, other) => Number(one.signed !== null) - Number(other.signed !== null))
    .map(agreement => lineOf(agreement, caller));
}
