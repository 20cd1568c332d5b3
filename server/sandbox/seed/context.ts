import type { Insertable } from 'kysely';
import type { Tables } from '../tables.ts';
import type { Random } from './random.ts';

type NewRow<T extends keyof Tables> = Insertable<Tables[T]>;

/** A customer with everything that hangs on it, as rows with their ids. */
export type SeedCustomer = {
  readonly customer: NewRow<'customers'> & { id: string };
  readonly instances: (NewRow<'service_instances'> & { id: number; name: string })[];
  readonly jobs: NewRow<'jobs'>[];
  readonly users: (NewRow<'users'> & { id: number })[];
  /** Distribution groups that users are in, by name. */
  readonly groups: { readonly user_id: number; readonly name: string }[];
  readonly userServices: NewRow<'user_services'>[];
  readonly mailboxes: NewRow<'mailboxes'>[];
  readonly activity: NewRow<'activity'>[];
};

export type Manager = { readonly actor: string; readonly actor_type: 'reseller' | 'admin' };

export type SeedContext = {
  readonly random: Random;
  readonly now: Date;
  readonly resellerId: number;
  /** Name of the person who looks after the reseller's customers. */
  readonly managers: readonly Manager[];
  nextOrganisation: number;
  nextInstance: number;
  nextUser: number;
};

export const dayMilliseconds = 86_400_000;
