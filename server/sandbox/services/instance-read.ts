import { sql } from 'kysely';
import { findProduct as findCode } from '../../../shared/catalogue/codes.ts';
import type { Caller } from '../auth/caller.ts';
import { customerIdOf, isVisibleTo } from '../customers/scope.ts';
import { notFound } from '../http/errors.ts';
import { idOf } from '../http/ids.ts';
import { boolean, date, day, id, integer, list, money, object, orNull, string } from '../http/schema.ts';
import { phasesOf } from '../jobs/phases.ts';
import { type Change, findChangeRefusal, findRetryRefusal } from '../marketplace/eligibility.ts';
import type { Offer } from '../marketplace/offer.ts';
import { keyOf, visibleProducts } from '../marketplace/products.ts';
import { orderNumber } from '../orders/place.ts';
import { cents } from '../orders/price.ts';
import { isBeingReplaced } from '../orders/subject.ts';
import { computed } from '../resource/fields.ts';
import type { Database } from '../tables.ts';
import { readMetered } from '../usage/metered.ts';
import { isProductOf } from './held.ts';
import type { InstanceStatus } from './tables.ts';
import { lastDayBefore, monthsLeft, monthsOfTerm, nextEndOfTerm } from './term.ts';

/** The product whose use is metered. */
const cloudPlatform = 6;

/**
 * Finds the id of the service that an address names together with its customer. `customerId` is a guid or an
 * organisation id.
 * @throws {CloudError} 404 for a customer that the caller does not see, and for a service of another customer
 */
export async function instanceIdAt(
  db: Database,
  caller: Caller,
  { customerId, instanceId }: { readonly customerId: string; readonly instanceId: string },
): Promise<string> {
  const found = await db
    .selectFrom('service_instances')
    .select('id')
    .where('customer_id', '=', await customerIdOf(db, caller, customerId))
    .where('id', '=', idOf(instanceId))
    .executeTakeFirstOrThrow(notFound);
  return String(found.id);
}

/** Reads what there is to tell of a service. */
async function readStanding(db: Database, caller: Caller, instanceId: string, now: Date) {
  const row = await db
    .selectFrom('service_instances as i')
    .innerJoin('customers as c', 'c.id', 'i.customer_id')
    .innerJoin('products as p', join => join.on(isProductOf('i')))
    .leftJoin('users as u', 'u.id', 'i.user_id')
    .leftJoin('orders as o', 'o.id', 'i.order_id')
    .where('i.id', '=', idOf(instanceId))
    .where(isVisibleTo(caller))
    .selectAll('i')
    .select(['p.name', 'p.icon', 'p.offer', 'c.name as customer', 'c.organisation_id', 'c.suspended'])
    .select(['u.display_name as user', 'o.fields as order_fields'])
    .select(nextEndOfTerm(monthsOfTerm, now).as('term_ends'))
    .select(['o.quantity as ordered_quantity', 'o.ordered_by', 'o.created as ordered'])
    .select(({ selectFrom }) =>
      selectFrom('user_services as held')
        .whereRef('held.instance_id', '=', 'i.id')
        .select(({ fn }) => fn.countAll<number>().as('used'))
        .as('used'),
    )
    .executeTakeFirstOrThrow(notFound);
  const { offer, status } = row;
  const { kind, phases } = await readChange(db, row.id);
  const done = phases.filter(({ State }) => State === 'done').length;
  const mayChange = caller.permissions.includes('addProducts');
  const isReplaced = await isBeingReplaced(db, row.id);
  const products = await visibleProducts(db, caller);
  const held = products.find(({ key }) => key === keyOf(row.service_id, row.sub_id));
  const can = (action: Change['action']): boolean =>
    mayChange &&
    held !== undefined &&
    findChangeRefusal({
      ...{ action, held, status, targets: products },
      isSuspended: row.suspended,
      isBeingReplaced: isReplaced,
    }) === undefined;
  const term = describeTerm(row, now);
  const metered = row.service_id === cloudPlatform ? await readMetered(db, row.customer_id, now) : null;
  return { row, status, offer, term, kind, phases, done, mayChange, isReplaced, products, held, can, metered, caller };
}

const upgrade = object({
  ServiceId: integer,
  SubId: integer,
  Name: string,
  Icon: string,
  Price: money,
  Currency: string,
});
/** A service with the phases of its latest change, and what the caller can do with it now. */
const instance = computed<Awaited<ReturnType<typeof readStanding>>>([
  { name: 'Id', shape: id, of: ({ row }) => row.id },
  { name: 'ServiceId', shape: integer, of: ({ row }) => row.service_id },
  { name: 'SubId', shape: integer, of: ({ row }) => row.sub_id },
  { name: 'Name', of: ({ row }) => row.name },
  { name: 'Icon', of: ({ row }) => row.icon },
  { name: 'CustomerId', shape: id, of: ({ row }) => row.organisation_id },
  { name: 'CustomerName', of: ({ row }) => row.customer },
  { name: 'UserId', shape: orNull(id), of: ({ row }) => row.user_id },
  { name: 'UserName', shape: orNull(string), of: ({ row }) => row.user },
  { name: 'Status', of: ({ status }) => status },
  { name: 'StatusGroup', shape: orNull(string), of: ({ row }) => row.status_group },
  { name: 'Reason', shape: orNull(string), of: ({ row }) => row.reason },
  { name: 'Quantity', shape: integer, of: ({ row }) => row.quantity },
  { name: 'Unit', of: ({ offer }) => offer.Unit },
  { name: 'Used', shape: { ...integer, description: 'Users who have it personally.' }, of: ({ row }) => row.used ?? 0 },
  { name: 'TermId', shape: orNull(string), of: ({ row }) => row.term_id },
  { name: 'Term', shape: orNull(string), of: ({ term }) => term.Term },
  { name: 'TermMonths', shape: orNull(integer), of: ({ term }) => term.TermMonths },
  {
    name: 'TermEnds',
    shape: { ...orNull(day), description: 'Last day of the term; the next one begins by itself.' },
    of: ({ term }) => term.TermEnds,
  },
  { name: 'LeftOfTerm', shape: orNull(money), of: ({ term }) => term.LeftOfTerm },
  { name: 'BillingId', shape: orNull(string), of: ({ row }) => row.billing_id },
  {
    name: 'Billing',
    shape: orNull(string),
    of: ({ row, offer }) => offer.Billing.find(({ Id }) => Id === row.billing_id)?.Name ?? null,
  },
  {
    name: 'Fields',
    shape: list(object({ PropertyName: string, Label: string, Value: string })),
    of: ({ row, status, offer }) =>
      offer.Fields.flatMap(({ PropertyName, Label }) => {
        const answers = status === 'Active' ? row.fields : (row.order_fields ?? row.fields);
        const Value = String(answers[PropertyName] ?? '');
        return Value === '' ? [] : [{ PropertyName, Label, Value }];
      }),
  },
  { name: 'UnitPrice', shape: money, of: ({ row }) => row.monthly_price },
  { name: 'MonthlyPrice', shape: money, of: ({ row }) => row.monthly_charge },
  { name: 'MeteredLast7Days', shape: orNull(money), of: ({ metered }) => metered },
  { name: 'Currency', of: ({ caller }) => caller.currency },
  {
    name: 'OrderNumber',
    shape: orNull(string),
    of: ({ row }) => (row.order_id === null ? null : orderNumber(row.order_id)),
  },
  { name: 'Ordered', shape: date, of: ({ row }) => row.ordered ?? row.created },
  { name: 'OrderedBy', shape: orNull(string), of: ({ row }) => row.ordered_by },
  { name: 'OrderedQuantity', shape: integer, of: ({ row }) => row.ordered_quantity ?? row.quantity },
  {
    name: 'Change',
    shape: { ...orNull(string), description: 'The latest change: activate, modify or delete.' },
    of: ({ kind }) => kind,
  },
  {
    name: 'WasActive',
    shape: { ...boolean, description: 'True where it works, or worked before its latest change.' },
    of: ({ row }) => row.was_active,
  },
  { name: 'Created', shape: date, of: ({ row }) => row.created },
  { name: 'LastChange', shape: date, of: ({ row }) => row.last_change },
  {
    name: 'Steps',
    shape: list(
      object({ Name: string, State: { ...string, description: 'done, running, waiting or failed' }, At: orNull(date) }),
    ),
    of: ({ phases }) => phases,
  },
  { name: 'StepsDone', shape: integer, of: ({ done }) => done },
  { name: 'StepsTotal', shape: integer, of: ({ phases }) => phases.length },
  {
    name: 'Percent',
    shape: integer,
    of: ({ status, phases, done }) =>
      phases.length > 0 ? Math.round((100 * done) / phases.length) : status === 'Active' ? 100 : 0,
  },
  {
    name: 'CanRetry',
    shape: boolean,
    of: ({ row, status, mayChange }) => mayChange && findRetryRefusal(status, row.suspended, false) === undefined,
  },
  {
    name: 'CanFix',
    shape: boolean,
    of: ({ row, status, offer, mayChange }) =>
      mayChange && offer.Fields.length > 0 && findRetryRefusal(status, row.suspended, true) === undefined,
  },
  {
    name: 'CanResize',
    shape: { ...boolean, description: 'True where it can be tried again with another quantity.' },
    of: ({ row, status, offer, mayChange }) =>
      mayChange &&
      status === 'ActivationFailed' &&
      !row.was_active &&
      row.order_id !== null &&
      row.replaces === null &&
      row.user_id === null &&
      offer.MaxQuantity > offer.MinQuantity &&
      !row.suspended,
  },
  { name: 'CanModify', shape: boolean, of: ({ can }) => can('Modify') },
  { name: 'CanUpgrade', shape: boolean, of: ({ can }) => can('Upgrade') },
  {
    name: 'CanDelete',
    shape: boolean,
    of: ({ status, mayChange, isReplaced }) =>
      mayChange && !isReplaced && (status === 'Active' || status === 'ActivationFailed'),
  },
  {
    name: 'Upgrades',
    shape: list(upgrade),
    of: ({ products, held, caller }) =>
      products
        .filter(({ key }) => held?.offer.Upgrades.includes(key))
        .map(({ serviceId, subId, name, icon, price }) => ({
          ServiceId: serviceId,
          SubId: subId,
          Name: name,
          Icon: icon,
          Price: price,
          Currency: caller.currency,
        })),
  },
]);
export const instanceSchema = object(instance.shapes);

/**
 * Reads a service as its page shows it.
 * @throws {CloudError} 404 when the caller does not see it
 */
export const readInstance = async (...asked: Parameters<typeof readStanding>) =>
  instance.write(await readStanding(...asked));

type Held = {
  readonly offer: Offer;
  readonly service_id: number;
  readonly sub_id: number;
  readonly status: InstanceStatus;
  readonly was_active: boolean;
  readonly term_id: string | null;
  readonly term_ends: Date | null;
  readonly billing_id: string | null;
  readonly monthly_charge: number;
};

/**
 * Describes the term: its name, its last day, after which another one follows by itself, and what is still to be charged for
 * it, which is nothing where it was paid at once. What was bought once, ended or never worked has no end.
 */
function describeTerm(held: Held, now: Date) {
  const { offer, status, term_id, term_ends } = held;
  const term = offer.Terms.find(({ Id }) => Id === term_id) ?? offer.Terms[0];
  const isBoughtOnce = findCode(held.service_id, held.sub_id)?.chargingModel === 'OneTime';
  const isOver = status === 'Deleted' || status === 'Upgraded' || status === 'Deleting';
  if (
    term === undefined ||
    isBoughtOnce ||
    isOver ||
    (status === 'ActivationFailed' && !held.was_active) ||
    term_ends === null
  ) {
    return { Term: term?.Name ?? null, TermMonths: null, TermEnds: null, LeftOfTerm: null };
  }
  const isCommitted = term.Months > 1 && held.billing_id !== 'upfront';
  return {
    Term: term.Name,
    TermMonths: term.Months,
    TermEnds: lastDayBefore(term_ends),
    LeftOfTerm: isCommitted ? cents(held.monthly_charge * monthsLeft(term_ends, now)) : null,
  };
}

type JobPhase = { Name: string; State: 'done' | 'running' | 'waiting' | 'failed'; At: Date | null };

/** Reads the latest change of a service: its kind and its phases. */
async function readChange(db: Database, instanceId: number) {
  const job = await db
    .selectFrom('jobs')
    .select(['kind', 'done', 'state', 'failed_at'])
    .where('instance_id', '=', instanceId)
    .orderBy(sql`state = 'running'`, 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (job === undefined) return { kind: null, phases: [] };
  const phases = phasesOf[job.kind].map((Name, index): JobPhase => {
    const at = job.done[index];
    if (at !== undefined) return { Name, State: 'done', At: at };
    if (index > job.done.length) return { Name, State: 'waiting', At: null };
    return job.state === 'failed' ? { Name, State: 'failed', At: job.failed_at } : { Name, State: 'running', At: null };
  });
  return { kind: job.kind, phases };
}
