import type { Action } from '../customers/activity.ts';
import type { CustomerStatus } from '../customers/tables.ts';
import type { Category } from '../notifications/tables.ts';
import type { InstanceStatus } from './tables.ts';

export type Ending = {
  readonly action: Action;
  readonly category: Category;
  readonly tell: (service: string, customer: string) => string;
};

/** Outcomes of a change (document 2, section 3, service status codes), and what is then said. */
export const endings: Partial<Record<InstanceStatus | 'modified', Ending>> = {
  Active: {
    action: 'Service activated',
    category: 'success',
    tell: (service, customer) => `${service} is active for ${customer}`,
  },
  modified: {
    action: 'Service changed',
    category: 'success',
    tell: (service, customer) => `${service} was changed for ${customer}`,
  },
  ActivationFailed: {
    action: 'Service activation failed',
    category: 'danger',
    tell: (service, customer) => `${service} could not be activated for ${customer}`,
  },
  Deleted: {
    action: 'Service deleted',
    category: 'info',
    tell: (service, customer) => `${service} was deleted for ${customer}`,
  },
  DeletionFailed: {
    action: 'Service deletion failed',
    category: 'danger',
    tell: (service, customer) => `${service} could not be deleted for ${customer}`,
  },
};

/** Writes a status in words: "Activation failed" for `ActivationFailed`. */
export const inWords = (status: InstanceStatus | CustomerStatus): string =>
  status.replace(/(?<=[a-z])[A-Z]/g, letter => ` ${letter.toLowerCase()}`);

/**
 * Writes the notification that tells a reseller how a change of a customer's service ended (activated, changed, deleted
 * or failed): one sentence with both names, and the reason where there is one.
 */
export function notificationOf(ending: Ending, service: string, customer: string, reason: string) {
  const message = ending.tell(service, customer);
  // The name of a customer may end in a full stop of its own.
  const sentence = message.endsWith('.') ? message : `${message}.`;
  const content = reason === '' ? sentence : `${sentence} ${reason}`;
  return { service_name: service, message, content, category: ending.category };
}
