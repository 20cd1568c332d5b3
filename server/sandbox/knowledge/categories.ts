/** A category of articles; its articles stand in the folder of its id. */
export type Category = { readonly id: string; readonly name: string; readonly parent?: string };

/** The categories in the order in which they are shown, each after its parent. */
export const categories: readonly Category[] = [
  { id: 'start', name: 'Getting started' },
  { id: 'signing-in', name: 'Signing in', parent: 'start' },
  { id: 'profile', name: 'Your profile', parent: 'start' },
  { id: 'customers', name: 'Customers and users' },
  { id: 'users', name: 'Users', parent: 'customers' },
  { id: 'mail', name: 'Mailboxes and groups', parent: 'customers' },
  { id: 'selling', name: 'Products and services' },
  { id: 'orders', name: 'Orders', parent: 'selling' },
  { id: 'billing', name: 'Billing' },
  { id: 'payments', name: 'Payments', parent: 'billing' },
  { id: 'business-system', name: 'Business system', parent: 'billing' },
  { id: 'people', name: 'People and access' },
  { id: 'roles', name: 'Roles and rights', parent: 'people' },
  { id: 'settings', name: 'Account settings' },
];
