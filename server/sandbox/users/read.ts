import { sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { customerIdOf } from '../customers/scope.ts';
import { notFound } from '../http/errors.ts';
import { containing, countUpTo, exactTo } from '../search.ts';
import type { Database } from '../tables.ts';

export const userSorts = {
  DisplayName: 'display_name',
  Email: 'email',
  Status: 'status',
  LastSignIn: 'last_sign_in',
} as const;
export type UserSort = keyof typeof userSorts;

export type UserQuery = {
  readonly page: number;
  readonly pageSize: number;
  readonly sort: UserSort | `-${UserSort}`;
  readonly search: string;
  readonly status?: 'Active' | 'Suspended';
};

/** One page of a customer's users. */
export async function listUsers(db: Database, caller: Caller, key: string, query: UserQuery) {
  const customerId = await customerIdOf(db, caller, key);
  const direction = query.sort.startsWith('-') ? 'desc' : 'asc';
  const column = userSorts[query.sort.replace('-', '') as UserSort];
  const matching = db
    .selectFrom('users')
    .where('customer_id', '=', customerId)
    .$if(query.status !== undefined, on => on.where('status', '=', query.status!))
    .$if(query.search !== '', on =>
      on.where(sql`lower(display_name) || ' ' || lower(email)`, 'like', containing(query.search)),
    );
  const Items = await matching
    .select([
      'id as UserId',
      'display_name as DisplayName',
      'email as Email',
      'type as Type',
      'status as Status',
      'mailbox_address as Mailbox',
      'last_sign_in as LastSignIn',
      'created as Created',
    ])
    .orderBy(column, order => (direction === 'asc' ? order.asc().nullsFirst() : order.desc().nullsLast()))
    .orderBy('id', direction)
    .limit(query.pageSize)
    .offset((query.page - 1) * query.pageSize)
    .execute();
  const found = await countUpTo(db, matching.select('id'));
  return { Items, Total: Math.min(found, exactTo), TotalIsExact: found <= exactTo };
}

/** A user of a customer that the caller may see. */
export async function findUser(db: Database, caller: Caller, key: string, userKey: string) {
  const customerId = await customerIdOf(db, caller, key);
  if (!/^\d{1,15}$/.test(userKey)) throw notFound();
  const user = await db
    .selectFrom('users')
    .selectAll()
    .where('id', '=', Number(userKey))
    .where('customer_id', '=', customerId)
    .executeTakeFirst();
  if (user === undefined) throw notFound();
  return user;
}

/** Everything about one user; its notes are for the reseller's people. */
export async function readUser(db: Database, caller: Caller, key: string, userKey: string) {
  const user = await findUser(db, caller, key, userKey);
  const { cost } = await db
    .selectFrom('user_services as held')
    .innerJoin('service_instances as i', 'i.id', 'held.instance_id')
    .where('held.user_id', '=', user.id)
    .where('i.monthly_charge', '>', 0)
    .select(({ fn }) => fn.coalesce(fn.sum<number>('i.monthly_price'), sql<number>`0`).as('cost'))
    .executeTakeFirstOrThrow();
  return {
    UserId: user.id,
    DisplayName: user.display_name,
    FirstName: user.first_name,
    LastName: user.last_name,
    Email: user.email,
    Phone: user.phone,
    JobTitle: user.job_title,
    Type: user.type,
    Status: user.status,
    Mailbox: user.mailbox_address && {
      Address: user.mailbox_address,
      QuotaMb: user.mailbox_quota_mb,
      UsedMb: user.mailbox_used_mb,
    },
    Groups: user.groups,
    LastSignIn: user.last_sign_in,
    Created: user.created,
    MonthlyCost: cost,
    Currency: caller.currency,
    ...(caller.customerId === null && { Notes: user.notes }),
  };
}
