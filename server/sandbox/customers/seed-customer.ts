import { failingPhase, phasesOf } from '../jobs/phases.ts';
import { productNamed, products } from '../marketplace/seed.ts';
import { cents } from '../orders/price.ts';
import { dayMilliseconds, type SeedContext, type SeedCustomer } from '../seed/context.ts';
import { streets, towns } from '../seed/names.ts';
import { makePeople } from '../seed/people.ts';
import { makeAnswers } from '../services/seed-answers.ts';
import { type Plan, plans, suspendedCustomers } from '../services/seed-plans.ts';
import { makeActivity } from './seed-history.ts';

/**
 * Makes the rows of a seeded customer: services with their jobs, users, activity. `label` is the first label of its
 * domain.
 */
export function makeCustomer(context: SeedContext, name: string, label: string): SeedCustomer {
  const customer = makeRow(context, name, `${label}.test`);
  const made = makeInstances(context, customer);
  const instances = made.map(({ instance }) => instance);
  const { users, groups, userServices, mailboxes } = makePeople(context, customer, instances);
  const manager = context.managers.find(({ actor }) => actor === customer.account_manager)!;
  const latest = Math.max(...[customer, ...instances].map(row => Number(row.last_change)));
  customer.last_change = new Date(latest);
  const jobs = made.flatMap(({ job }) => job ?? []);
  const activity = makeActivity(manager, customer, instances, users);
  return { customer, instances, jobs, users, groups, userServices, mailboxes, activity };
}

function makeRow(context: SeedContext, name: string, domain: string): SeedCustomer['customer'] {
  const { random, now } = context;
  const [town, county, postCode, numbers] = random.pick(towns);
  const age = random.between(20, 1900);
  return {
    id: random.uuid(),
    organisation_id: context.nextOrganisation++,
    reseller_id: context.resellerId,
    name,
    domain,
    suspended: suspendedCustomers.includes(name),
    created: new Date(now.getTime() - age * dayMilliseconds - random.between(0, dayMilliseconds)),
    last_change: new Date(now.getTime() - random.between(1, Math.min(age, 90)) * dayMilliseconds * random.next()),
    contact_email: `hello@${domain}`,
    phone: `${numbers}0${random.between(100, 999)}`,
    address1: `${random.between(1, 180)} ${random.pick(streets)}`,
    town_city: town,
    county,
    post_code: `${postCode}${random.pick(['AB', 'DH', 'JQ', 'NE', 'TW', 'XY'])}`,
    account_manager: random.pick(context.managers).actor,
  };
}

function makeInstances(context: SeedContext, customer: SeedCustomer['customer']): ReturnType<typeof makeInstance>[] {
  const { random } = context;
  const planned: readonly Plan[] = plans[customer.name] ?? [];
  const given = [...products]
    .map(product => ({ product, order: random.next() }))
    .sort((one, other) => one.order - other.order)
    .map(({ product }) => product.name)
    .filter(name => !planned.some(plan => plan.product === name))
    .slice(0, customer.name === 'Contoso' ? 0 : random.between(1, 6))
    .map((name): Plan => ({ product: name, status: 'Active' }));
  return [...given, ...planned].map(plan => makeInstance(context, customer, plan));
}

function makeInstance(context: SeedContext, customer: SeedCustomer['customer'], plan: Plan) {
  const { random, now } = context;
  const product = productNamed(plan.product);
  const failure = (status: string | undefined) =>
    (status === 'ActivationFailed' && product.activation_failure) ||
    (status === 'DeletionFailed' && product.deletion_failure) ||
    null;
  const created = new Date(now.getTime() - chooseAge(context, customer, plan));
  const changed = new Date(now.getTime() - random.between(2, plan.status === 'Deleting' ? 20 : 2500) * 60_000);
  const id = context.nextInstance++;
  // Every third service that can be had by the year is, for its lower price.
  const yearly = id % 3 === 0 && plan.status === 'Active' && product.offer.Terms.find(({ Months }) => Months === 12);
  const instance = {
    id,
    reseller_id: customer.reseller_id,
    customer_id: customer.id,
    service_id: product.service_id,
    sub_id: product.sub_id,
    name: product.name,
    status: plan.status,
    reason: failure(plan.status),
    quantity: product.monthly_price > 30 ? random.between(1, 3) : random.between(3, 28),
    monthly_price: yearly ? cents(product.monthly_price * (1 - yearly.Discount / 100)) : product.monthly_price,
    term_id: yearly ? yearly.Id : 'monthly',
    billing_id: 'monthly',
    fields: JSON.stringify(makeAnswers(product.offer, customer, id)),
    created,
    last_change: plan.status === 'Active' || plan.status === 'Activating' ? created : changed,
  };
  return { instance, job: makeJob(instance.id, plan, failure(plan.next), changed, now) };
}

/** A change that is under way has done all but the phase at which it ends. */
function makeJob(id: number, { status, seconds }: Plan, fails: string | null, changed: Date, now: Date) {
  if (seconds === undefined) return undefined;
  const kind = status === 'Deleting' ? 'delete' : 'activate';
  const count = fails === null ? phasesOf[kind].length - 1 : failingPhase[kind];
  const due = new Date(now.getTime() + seconds * 1000);
  return { instance_id: id, kind, done: Array.from({ length: count }, () => changed), due, fails } as const;
}

/** How long ago a service was ordered, in milliseconds: one that is being set up just now, a quarter lately. */
function chooseAge({ random, now }: SeedContext, customer: SeedCustomer['customer'], plan: Plan): number {
  if (plan.status === 'Activating') return random.between(2, 20) * 60_000;
  const lived = now.getTime() - (customer.created as Date).getTime();
  return plan.status === 'Active' && random.chance(0.25)
    ? Math.min(lived, random.next() * 9 * dayMilliseconds) + 30 * 60_000
    : (0.1 + 0.9 * random.next()) * lived;
}
