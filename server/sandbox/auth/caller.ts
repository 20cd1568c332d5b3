import { sql } from 'kysely';
import type { Act } from '../http/act.ts';
import type { Database } from '../tables.ts';
import { heldViews } from './held-views.ts';
import type { Permission, UserType, View } from './words.ts';

/** The account that calls, read anew for each request, so that a right taken away is gone at once. */
export type Caller = {
  readonly accountId: number;
  readonly grantId: string;
  readonly userName: string;
  readonly email: string;
  readonly displayName: string;
  readonly userType: UserType;
  readonly resellerId: number;
  readonly resellerName: string;
  readonly currency: string;
  /** Of a customer's administrator or user; null for the reseller's own people. */
  readonly customerId: string | null;
  readonly customerName: string | null;
  readonly organisationId: number;
  readonly userId: number | null;
  /** User name of who really signed in, by a jump. */
  readonly actorName: string | null;
  /** The calls that the key opens by which it is signed in (server/sandbox/manage-api); null for a sign-in of a person. */
  readonly apiCalls: readonly string[] | null;
  readonly mustSign: boolean;
  readonly singleExperience: boolean;
  /** Null: as the browser says. */
  readonly locale: string | null;
  readonly timeZone: string | null;
  /** The time zone that the browser last said. */
  readonly browserTimeZone: string | null;
  /** True: only certain customers are seen (server/sandbox/limits). */
  readonly isLimited: boolean;
  /** Ids of the sets of address rules that hold for the account (server/sandbox/ip-access): one of them must let it in. */
  readonly addressRules: readonly number[];
  /** From where this request comes; absent where there is none. */
  readonly address?: string;
  /** Counts how often what it sees of customers has become less. */
  readonly sight: number;
  readonly enabled: boolean;
  readonly revoked: boolean;
  readonly views: readonly View[];
  readonly permissions: readonly Permission[];
  /** False where the account has no permissions record at all. */
  readonly hasPermissions: boolean;
  /** The act that another person has approved and that is carried out now; absent in every call of the caller's own. */
  readonly approved?: Act;
};

/** Over a grant in which `actor` acts for the account `a`: whether the customer of that is none that the actor sees. */
const isActorShutOut = sql<boolean>`coalesce(actor.limited, false) and not exists (
  select from account_customers k where k.account_id = actor.id and k.customer_id = a.customer_id)`;

/**
 * Over a caller's account `a`, the sets of address rules that hold for it: of its reseller, while these are on and not
 * paused. While rules that shut out their author are on trial, the author is let in by those before as well.
 */
const setsInForce = sql<number[]>`(
  select case
    when not s.is_on or i.paused_until is not null then '{}'
    when a.customer_id is not null and not (s.for_admins and a.user_type = 'endUserAdmin') then '{}'
    when i.trial_account is distinct from a.id then array[s.id]
    when b.is_on then array[s.id, b.id]
    else '{}' end
  from ip_access i join ip_access_sets s on s.id = i.set_id left join ip_access_sets b on b.id = i.before_id
  where i.reseller_id = a.reseller_id)`;

declare module 'fastify' {
  interface FastifyRequest {
    /** Not `caller`: declarations merge over the whole program, and the portal has its own callers. */
    signedIn: Caller;
  }
}

/**
 * Reads the account, rights and organisation behind a sign-in (grant); undefined for an unknown one. Includes disabled
 * accounts and revoked grants: the guard refuses them.
 */
export async function findCaller(db: Database, grantId: string): Promise<Caller | undefined> {
  return await db
    .selectFrom('grants as g')
    .innerJoin('accounts as a', 'a.id', 'g.account_id')
    .innerJoin('resellers as r', 'r.id', 'a.reseller_id')
    .leftJoin('customers as c', 'c.id', 'a.customer_id')
    .leftJoin('accounts as actor', 'actor.id', 'g.actor_id')
    .leftJoin('account_permissions as p', 'p.account_id', 'a.id')
    .leftJoin('api_keys as k', 'k.id', 'g.api_key_id')
    .where('g.id', '=', grantId)
    .select([
      'a.id as accountId',
      'g.id as grantId',
      'a.username as userName',
      'a.email',
      'a.display_name as displayName',
      'a.user_type as userType',
      'a.reseller_id as resellerId',
      'r.name as resellerName',
      'r.currency',
      'a.customer_id as customerId',
      'c.name as customerName',
      sql<number>`coalesce(c.organisation_id, r.id)`.as('organisationId'),
      'a.user_id as userId',
      'actor.username as actorName',
      'k.calls as apiCalls',
      'a.must_sign as mustSign',
      'a.single_experience as singleExperience',
      'a.locale',
      'a.time_zone as timeZone',
      'a.browser_time_zone as browserTimeZone',
      'a.limited as isLimited',
      sql<number[]>`coalesce(${setsInForce}, '{}')`.as('addressRules'),
      'a.sight',
      'a.enabled',
      sql<boolean>`(g.revoked is not null or ${isActorShutOut})`.as('revoked'),
      heldViews.as('views'),
      sql<Permission[]>`coalesce(p.permissions, '{}')`.as('permissions'),
      sql<boolean>`p.account_id is not null`.as('hasPermissions'),
    ])
    .executeTakeFirst();
}
