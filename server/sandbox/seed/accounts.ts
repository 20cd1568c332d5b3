import type { Insertable } from 'kysely';
import { type Permission, permissions, type View, views } from '../auth/words.ts';
import type { Tables, Write } from '../tables.ts';

export const resellers: readonly Insertable<Tables['resellers']>[] = [
  { id: 1001, name: 'Northwind', currency: 'GBP', linked_systems: ['comms', 'hardware'] },
  { id: 1002, name: 'Southridge', currency: 'GBP' },
  // Has no customers yet.
  { id: 1004, name: 'Eastmoor', currency: 'GBP' },
  { id: 1005, name: 'Westhaven', currency: 'EUR' },
  // Has not signed for the office suite and the cloud.
  { id: 1006, name: 'Millbrook', currency: 'GBP' },
  // Has 2,000 customers to match with a business system's.
  { id: 1007, name: 'Fairbank', currency: 'GBP' },
];

/** The password of every seeded account. */
export const seedPassword = 'Demo-portal-2026';

type Rights = { readonly views: readonly View[]; readonly permissions: readonly Permission[] };

export const resellerRights: Rights = {
  views,
  permissions: permissions.filter(name => !['hostedExchange', 'advancedSecurity', 'ownAliases'].includes(name)),
};
/** Views that an administrator of a customer has. */
export const administratorViews: readonly View[] = ['customers', 'customerUsers', 'manageService'];
export const engineerRights: Rights = {
  views: ['customers', 'support'],
  permissions: ['submitAndRespondToAllTickets'],
};

export const sellerRights: Rights = {
  views: ['customers', 'marketplaceOrder', 'manageService', 'serviceAgreements'],
  permissions: ['addProducts', 'addOrEditCustomers'],
};

export type StaffAccount = {
  readonly username: string;
  readonly display_name: string;
  readonly user_type: 'reseller' | 'admin';
  readonly reseller_id: number;
  /** None: the account has no permissions record at all. */
  readonly rights?: Rights;
  readonly hide_pricing?: boolean;
  readonly enabled?: boolean;
  readonly login_flow?: 'SSO';
  readonly microsoft?: 'required' | 'prohibited';
  readonly mfa_required?: boolean;
  readonly mfa_key?: string;
  readonly must_choose_password?: boolean;
  readonly must_sign?: boolean;
  readonly single_experience?: boolean;
};

const signOnAccount = { user_type: 'admin', reseller_id: 1001, rights: engineerRights } as const;

/** Accounts that single sign-on or a work account opens, or does not; whom the providers know is in seed.ts. */
const signOnStaff: readonly StaffAccount[] = [
  { ...signOnAccount, username: 'sso-none@northwind.test', display_name: 'Nadia Sole', login_flow: 'SSO' },
  { ...signOnAccount, username: 'sso-other@northwind.test', display_name: 'Otis Abbot', login_flow: 'SSO' },
  {
    ...signOnAccount,
    username: 'sso-required@northwind.test',
    display_name: 'Rosa Quill',
    login_flow: 'SSO',
    microsoft: 'required',
  },
  {
    ...signOnAccount,
    username: 'sso-prohibited@northwind.test',
    display_name: 'Piers Holt',
    microsoft: 'prohibited',
  },
  { ...signOnAccount, username: 'link@northwind.test', display_name: 'Lina Keane' },
];

/** People of the resellers; those of the customers are made with the customers. */
export const staff: readonly StaffAccount[] = [
  {
    username: 'reseller@northwind.test',
    display_name: 'Priya Raman',
    user_type: 'reseller',
    reseller_id: 1001,
    rights: resellerRights,
  },
  {
    username: 'engineer@northwind.test',
    display_name: 'Ewan Fraser',
    user_type: 'admin',
    reseller_id: 1001,
    rights: engineerRights,
    hide_pricing: true,
  },
  {
    username: 'noaccess@northwind.test',
    display_name: 'Nora Vale',
    user_type: 'admin',
    reseller_id: 1001,
    rights: { views: [], permissions: [] },
    hide_pricing: true,
  },
  { username: 'norecord@northwind.test', display_name: 'Noel Reed', user_type: 'admin', reseller_id: 1001 },
  {
    username: 'disabled@northwind.test',
    display_name: 'Dana Shaw',
    user_type: 'admin',
    reseller_id: 1001,
    rights: engineerRights,
    enabled: false,
  },
  {
    username: 'sso@northwind.test',
    display_name: 'Saskia Olsen',
    user_type: 'admin',
    reseller_id: 1001,
    rights: engineerRights,
    login_flow: 'SSO',
  },
  ...signOnStaff,
  {
    username: 'mfa@northwind.test',
    display_name: 'Mina Farrow',
    user_type: 'admin',
    reseller_id: 1001,
    rights: engineerRights,
    hide_pricing: true,
    mfa_required: true,
    mfa_key: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  },
  {
    username: 'newmfa@northwind.test',
    display_name: 'Niamh Ward',
    user_type: 'admin',
    reseller_id: 1001,
    rights: engineerRights,
    hide_pricing: true,
    mfa_required: true,
  },
  {
    username: 'codes@northwind.test',
    display_name: 'Cora Odell',
    user_type: 'admin',
    reseller_id: 1001,
    rights: engineerRights,
    hide_pricing: true,
  },
  {
    username: 'reset@northwind.test',
    display_name: 'Rosa Setter',
    user_type: 'admin',
    reseller_id: 1001,
    rights: engineerRights,
    hide_pricing: true,
    must_choose_password: true,
  },
  {
    username: 'mustsign@northwind.test',
    display_name: 'Maeve Sterling',
    user_type: 'reseller',
    reseller_id: 1001,
    rights: resellerRights,
    must_sign: true,
  },
  {
    username: 'single@northwind.test',
    display_name: 'Silas Dunn',
    user_type: 'reseller',
    reseller_id: 1001,
    rights: resellerRights,
    single_experience: true,
  },
  {
    username: 'rival@southridge.test',
    display_name: 'Rhys Colville',
    user_type: 'reseller',
    reseller_id: 1002,
    rights: resellerRights,
  },
  {
    username: 'empty@eastmoor.test',
    display_name: 'Edie Moor',
    user_type: 'reseller',
    reseller_id: 1004,
    rights: resellerRights,
  },
  {
    username: 'euro@westhaven.test',
    display_name: 'Wim Haven',
    user_type: 'reseller',
    reseller_id: 1005,
    rights: resellerRights,
  },
  {
    username: 'matcher@fairbank.test',
    display_name: 'Faye Banks',
    user_type: 'reseller',
    reseller_id: 1007,
    rights: resellerRights,
  },
  {
    username: 'unsigned@millbrook.test',
    display_name: 'Mara Brook',
    user_type: 'reseller',
    reseller_id: 1006,
    rights: resellerRights,
  },
  {
    username: 'seller@millbrook.test',
    display_name: 'Seth Miller',
    user_type: 'admin',
    reseller_id: 1006,
    rights: sellerRights,
  },
  {
    username: 'bookkeeper@northwind.test',
    display_name: 'Beth Kerr',
    user_type: 'admin',
    reseller_id: 1001,
    rights: { views: ['billing'], permissions: [] },
  },
];

/** Inserts a reseller; leaves it unchanged when its id is already there. */
export async function insertReseller(trx: Write, reseller: Insertable<Tables['resellers']>): Promise<void> {
  await trx
    .insertInto('resellers')
    .values(reseller)
    .onConflict(known => known.doNothing())
    .execute();
}

/**
 * Inserts a staff account of a reseller, with its rights (none where `rights` is absent). Leaves an account whose user
 * name is already there, and its rights, unchanged. `password_hash` is a hash, never a password.
 */
export async function insertAccount(
  trx: Write,
  { rights, ...person }: StaffAccount,
  password_hash: string,
): Promise<void> {
  const account = await trx
    .insertInto('accounts')
    .values({ ...person, email: person.username, password_hash, customer_id: null, user_id: null })
    .onConflict(known => known.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (account && rights) await insertRights(trx, account.id, rights);
}

/** Inserts the views and permissions of an account. */
export async function insertRights(trx: Write, account_id: number, rights: Rights): Promise<void> {
  const row = { account_id, views: [...rights.views], permissions: [...rights.permissions] };
  await trx.insertInto('account_permissions').values(row).execute();
}
