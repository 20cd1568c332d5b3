import type { Caller } from '../auth/caller.ts';
import type { Write } from '../tables.ts';

/** Everything that is ever written to a customer's activity. */
export type Action =
  | 'Customer created'
  | 'Customer renamed'
  | 'Customer suspended'
  | 'Customer reactivated'
  | 'Contact details changed'
  | 'User created'
  | 'User changed'
  | 'User suspended'
  | 'User reactivated'
  | 'User deleted'
  | 'Permissions changed'
  | 'Mail forwarding changed'
  | 'Mailbox permissions changed'
  | 'Distribution group changed'
  | 'Mail recovery started'
  | 'Address book photo removed'
  | 'Account note removed'
  | 'Service ordered'
  | 'Service change ordered'
  | 'Service changed'
  | 'Service renewed'
  | 'Service retried'
  | 'Service activated'
  | 'Service activation failed'
  | 'Service deletion requested'
  | 'Service deleted'
  | 'Service deletion failed';

export type Event = {
  readonly action: Action;
  readonly target: string;
  readonly detail?: string;
  /** What was changed, in words; empty where nothing was before or is after. */
  readonly before?: string;
  readonly after?: string;
  /** Whose account or service it changed; they see it as their own activity. */
  readonly users?: readonly number[];
};

/** Writes what happened to a customer, by whom (nobody: the cloud itself), in the transaction that did it. */
export async function recordActivity(
  trx: Write,
  customerId: string,
  caller: Pick<Caller, 'displayName' | 'userType' | 'actorName'> | undefined,
  at: Date,
  { action, target, detail = '', before = '', after = '', users = [] }: Event,
): Promise<void> {
  const actor = caller?.displayName ?? 'Cloud';
  const actor_type = caller?.userType ?? 'system';
  const row = { customer_id: customerId, at, actor, actor_type, real_actor: caller?.actorName ?? '' };
  const { id: activity_id } = await trx
    .insertInto('activity')
    .values({ ...row, action, target, detail, before, after })
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
 * Of two states of something those values that differ, as text: "Phone: 0113 496 0123; County: Kent". A state of nothing
 * is empty; so are both texts where nothing differs.
 */
export function differences(before: State, after: State): { readonly before: string; readonly after: string } {
  const changed = Object.keys({ ...before, ...after }).filter(name => before[name] !== after[name]);
  const tell = (state: State) =>
    changed.flatMap(name => (state[name] === undefined ? [] : [`${name}: ${state[name]}`])).join('; ');
  return { before: tell(before), after: tell(after) };
}

/** True for two states that differ in nothing, so that there is nothing to record. */
export const isSame = (told: ReturnType<typeof differences>): boolean => told.before === '' && told.after === '';
