import type { Manager, SeedCustomer } from '../seed/context.ts';
import type { InstanceStatus } from '../services/tables.ts';
import type { Action } from './activity.ts';

/** Activity that must be told of an instance after it was ordered, by its status. */
const happened: Readonly<Record<InstanceStatus, readonly Action[]>> = {
  Activating: [],
  Active: ['Service activated'],
  Upgraded: ['Service activated'],
  ActivationFailed: ['Service activation failed'],
  Deleting: ['Service activated', 'Service deletion requested'],
  Deleted: ['Service activated', 'Service deletion requested', 'Service deleted'],
  DeletionFailed: ['Service activated', 'Service deletion requested', 'Service deletion failed'],
};

/** Before and after; what was made anew was nothing before. */
const changes: Partial<Record<Action, readonly [string, string]>> = {
  'Service activated': ['Activating', 'Active'],
  'Service activation failed': ['Activating', 'Activation failed'],
  'Service deletion requested': ['Active', 'Deleting'],
  'Service deleted': ['Deleting', 'Deleted'],
  'Service deletion failed': ['Deleting', 'Deletion failed'],
  'Customer suspended': ['Active', 'Suspended'],
};

/** Makes the activity of a seeded customer that fits its services and users, the oldest first. */
export function makeActivity(
  manager: Manager,
  customer: SeedCustomer['customer'],
  instances: SeedCustomer['instances'],
  users: SeedCustomer['users'],
): SeedCustomer['activity'] {
  const rows: SeedCustomer['activity'] = [];
  const add = (
    who: Manager | undefined,
    at: Date | string,
    action: Action,
    target: string,
    { detail = '', made = '' } = {},
  ) => {
    const [before, after] = changes[action] ?? ['', made];
    rows.push({
      customer_id: customer.id,
      at: new Date(at),
      actor: who?.actor ?? 'Cloud',
      actor_type: who?.actor_type ?? 'system',
      action,
      target,
      detail,
      before,
      after,
    });
  };
  add(manager, customer.created, 'Customer created', customer.name, { made: `Domain: ${customer.domain}` });
  for (const { name, quantity, status, reason, created, last_change } of instances) {
    add(manager, created, 'Service ordered', name, { made: `${quantity} in total` });
    for (const action of happened[status]) {
      const isLatest = action !== 'Service activated';
      // Setting up takes a few minutes; everything else ends with the instance's last change.
      const at = isLatest ? new Date(last_change) : new Date(new Date(created).getTime() + 4 * 60_000);
      const detail = isLatest ? (reason ?? '') : '';
      if (action === 'Service deletion requested') add(manager, new Date(at.getTime() - 60_000), action, name);
      else add(undefined, at, action, name, { detail });
    }
  }
  for (const { created, display_name, email } of users.slice(0, 5)) {
    add(manager, created, 'User created', display_name, { made: `Name: ${display_name}; Email: ${email}` });
  }
  if (customer.suspended) add(manager, customer.last_change, 'Customer suspended', customer.name);
  return rows.sort((one, other) => Number(one.at) - Number(other.at));
}
