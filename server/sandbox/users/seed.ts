import { sql } from 'kysely';
import type { Permission, View } from '../auth/words.ts';
import { refreshCustomer } from '../customers/refresh.ts';
import { findCustomer } from '../customers/seed.ts';
import { createMailbox } from '../mail/addresses.ts';
import { joinGroups } from '../mail/group-members.ts';
import { administratorViews, insertRights } from '../seed/accounts.ts';
import { dayMilliseconds } from '../seed/context.ts';
import { allStaff } from '../seed/names.ts';
import type { Write } from '../tables.ts';

type NamedUser = {
  readonly email: string;
  readonly customer: string;
  readonly first: string;
  readonly last: string;
  readonly jobTitle: string;
  /** True: where the customer has Hosted Exchange. */
  readonly hasMailbox?: true;
  /** True: the display settings do not hide prices. */
  readonly seesPrices?: true;
  readonly views: readonly View[];
  readonly permissions: readonly Permission[];
};

/** Administrators of customers who may do what others may not. */
export const namedUsers: readonly NamedUser[] = [
  {
    email: 'switcher@contoso.test',
    customer: 'Contoso',
    first: 'Sofia',
    last: 'Trent',
    jobTitle: 'Operations manager',
    hasMailbox: true,
    views: ['switchUser'],
    permissions: [],
  },
  {
    email: 'buyer@zephyrcycles.test',
    customer: 'Zephyr Cycles',
    first: 'Bella',
    last: 'Foss',
    jobTitle: 'Buyer',
    views: ['marketplaceOrder'],
    permissions: ['addProducts'],
  },
  {
    email: 'prices@kestrelfreight.test',
    customer: 'Kestrel Freight',
    first: 'Petra',
    last: 'Quinn',
    jobTitle: 'Finance manager',
    seesPrices: true,
    views: [],
    permissions: [],
  },
  {
    email: 'noprices@kestrelfreight.test',
    customer: 'Kestrel Freight',
    first: 'Nils',
    last: 'Osei',
    jobTitle: 'Office manager',
    views: [],
    permissions: [],
  },
];

const hostedExchange = 1;

/**
 * Adds a seeded administrator to a customer, with an account and perhaps a mailbox. Does nothing when the customer is
 * gone or the user exists.
 */
export async function insertNamedUser(trx: Write, named: NamedUser, now: Date, password_hash: string): Promise<void> {
  const { email, first, last } = named;
  const customer = await findCustomer(trx, named.customer);
  const isKnown = await trx.selectFrom('users').select('id').where(sql`lower(email)`, '=', email).executeTakeFirst();
  if (!customer || isKnown) return;
  const exchange = named.hasMailbox && (await findExchange(trx, customer.id));
  const display_name = `${first} ${last}`;
  const quota = 51_200;
  const created = new Date(now.getTime() - 90 * dayMilliseconds);
  const { id: user_id } = await trx
    .insertInto('users')
    .values({
      customer_id: customer.id,
      first_name: first,
      last_name: last,
      display_name,
      email,
      job_title: named.jobTitle,
      type: 'endUserAdmin',
      created,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await joinGroups(trx, { id: user_id, customer_id: customer.id }, [allStaff]);
  if (exchange) {
    await createMailbox(trx, {
      customerId: customer.id,
      userId: user_id,
      address: email,
      quotaMb: quota,
      usedMb: 12_288,
      created,
    });
    const since = new Date(Math.max(Number(created), Number(exchange.created)));
    await trx.insertInto('user_services').values({ user_id, instance_id: exchange.id, detail: '', since }).execute();
    await addLicence(trx, exchange);
  }
  await refreshCustomer(trx, customer.id, customer.last_change);
  const { id } = await trx
    .insertInto('accounts')
    .values({
      username: email,
      email,
      display_name,
      user_type: 'endUserAdmin',
      password_hash,
      reseller_id: customer.reseller_id,
      customer_id: customer.id,
      user_id,
      hide_pricing: !named.seesPrices,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await insertRights(trx, id, {
    views: [...administratorViews, ...named.views],
    permissions: ['createCustomerAdmin', ...named.permissions, ...(exchange ? (['hostedExchange'] as const) : [])],
  });
}

type Exchange = NonNullable<Awaited<ReturnType<typeof findExchange>>>;

/** Raises a service for one user more, unless it has a licence left. */
async function addLicence(trx: Write, { id, quantity }: Exchange): Promise<void> {
  const users = trx.selectFrom('user_services').where('instance_id', '=', id);
  const { used } = await users.select(({ fn }) => fn.countAll<number>().as('used')).executeTakeFirstOrThrow();
  if (used <= quantity) return;
  await trx.updateTable('service_instances').set({ quantity: used }).where('id', '=', id).execute();
}

function findExchange(trx: Write, customerId: string) {
  return trx
    .selectFrom('service_instances')
    .select(['id', 'quantity', 'created'])
    .where('customer_id', '=', customerId)
    .where('service_id', '=', hostedExchange)
    .where('status', '=', 'Active')
    .executeTakeFirst();
}
