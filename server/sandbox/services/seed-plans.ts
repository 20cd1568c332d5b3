import type { InstanceStatus } from './tables.ts';

/** An instance that a customer holds for a reason, beside those that chance gives it. */
export type Plan = {
  readonly product: string;
  readonly status: InstanceStatus;
  /** Of a changing one: what it becomes, and how many seconds after the seed. */
  readonly next?: InstanceStatus;
  readonly seconds?: number;
};

const minutes = 60;
const days = 86_400;

/** By customer. The first five change within minutes of the first start, so that one sees the cloud living. */
export const plans: Readonly<Record<string, readonly Plan[]>> = {
  Contoso: [
    { product: 'Hosted Exchange', status: 'Active' },
    { product: 'Email Security', status: 'Active' },
    { product: 'Cloud Backup', status: 'Active' },
    { product: 'Endpoint Security', status: 'Active' },
    { product: 'Mail Signatures', status: 'Activating', next: 'Active', seconds: 40 },
  ],
  'Brightwater Dental Group': [{ product: 'Cloud Backup', status: 'Activating', next: 'Active', seconds: 75 }],
  'Kestrel Freight': [
    { product: 'Hosted Voice', status: 'Activating', next: 'ActivationFailed', seconds: 2 * minutes },
  ],
  'Juniper Estates': [{ product: 'Mail Signatures', status: 'Deleting', next: 'Deleted', seconds: 3 * minutes }],
  'Netherby Farm Foods': [{ product: 'Cloud Server', status: 'Activating', next: 'Active', seconds: 5 * minutes }],
  'Alder Grove Primary School': [
    { product: 'Office Suite Business', status: 'Activating', next: 'Active', seconds: 3 * days },
  ],
  'Elmstead Parish Council': [
    { product: 'Cloud Backup', status: 'Deleting', next: 'DeletionFailed', seconds: 5 * days },
  ],
  'Eastcote Learning Trust': [{ product: 'Hosted Voice', status: 'ActivationFailed' }],
  'Drayton Pharmacy': [{ product: 'Email Security', status: 'ActivationFailed' }],
  'Thistledown Nurseries': [{ product: 'Mail Archive', status: 'DeletionFailed' }],
  'Ashdown Legal LLP': [{ product: 'Office Suite Business', status: 'Upgraded' }],
  'Zephyr Cycles': [{ product: 'Contact Centre', status: 'Deleted' }],
  'Bellweather Events': [{ product: 'Hosted Voice', status: 'ActivationFailed' }],
};

export const suspendedCustomers = ['Greyfriars Housing', 'Quayside Marine', 'Wexcombe Optical', 'Mossbank Nursery'];
