import type { Caller } from '../auth/caller.ts';
import type { View } from '../auth/words.ts';
import type { Write } from '../tables.ts';

/** Says in words what was done to what: "User created". */
export type Action = string;

export type Event = {
  readonly action: Action;
  readonly target: string;
  readonly detail?: string;
  /** The state before and after, in words; empty where nothing was before or is after. */
  readonly before?: string;
  readonly after?: string;
  /** Users whose account or service it changed; they see it as their own activity. */
  readonly users?: readonly number[];
  /** Views that the reseller's people need to see it, which the customer's never do; absent: all see it. */
  readonly views?: readonly View[];
};

/** Somebody who did something; with the account, if it is known. */
type Actor = Pick<Caller, 'displayName' | 'userType' | 'actorName'> & { readonly accountId?: number };

/**
 * Records what happened in the transaction that did it, and by whom; without a caller, the cloud itself did it.
 * @param about the customer's id, or the reseller where it is about no customer
 */
export async function recordActivity(
  trx: Write,
  about: string | { readonly resellerId: number },
  caller: Actor | undefined,
  at: Date,
  { action, target, detail = '', before = '', after = '', users = [], views = [] }: Event,
): Promise<void> {
  const actor = caller?.displayName ?? 'Cloud';
  const actor_type = caller?.userType ?? 'system';
  const of = typeof about === 'string' ? { customer_id: about } : { customer_id: null, reseller_id: about.resellerId };
  const by = { actor, actor_type, account_id: caller?.accountId ?? null, real_actor: caller?.actorName ?? '' };
  const { id: activity_id } = await trx
    .insertInto('activity')
    .values({ ...of, ...by, at, action, target, detail, before, after, views: [...views] })
    .returning('id')
    .executeTakeFirstOrThrow();
  if (users.length === 0) return;
  await trx
    .insertInto('activity_users')
    .values(users.map(user_id => ({ user_id, activity_id })))
    .execute();
}

/** A state in words: values by what they are called. */
export type State = Readonly<Record<string, string>>;

/**
 * Compares two states (values by label). Gives the values that differ, before and after, as texts: "Phone: 0113 496
 * 0123; County: Kent". Both texts are empty when nothing differs.
 */
export function differences(before: State, after: State): { readonly before: string; readonly after: string } {
  const changed = Object.keys({ ...before, ...after }).filter(name => before[name] !== after[name]);
  const tell = (state: State) =>
    changed.flatMap(name => (state[name] === undefined ? [] : [`${name}: ${state[name]}`])).join('; ');
  return { before: tell(before), after: tell(after) };
}

/** True when `differences` found none, so that there is nothing to record. */
export const isSame = (told: ReturnType<typeof differences>): boolean => told.before === '' && told.after === '';
