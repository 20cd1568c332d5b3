import { insertSignatures } from '../agreements/seed.ts';
import { insertInvoices, insertSellingPrices } from '../billing/seed.ts';
import { insertCustomers, insertPartners } from '../customers/seed.ts';
import { insertPerson, people } from '../identity/seed.ts';
import { insertLinks } from '../links/seed.ts';
import { insertMail, insertManyMailboxes } from '../mail/seed.ts';
import { openSecureUpgrade } from '../marketplace/seed.ts';
import { insertProductAnnouncements } from '../notifications/seed.ts';
import { insertPastOrders, isUnsettled } from '../orders/past-orders.ts';
import { insertOrders } from '../orders/seed.ts';
import { insertPayments } from '../payments/seed.ts';
import { insertPolicies } from '../policies/seed.ts';
import { insertPsa } from '../psa/seed.ts';
import { insertContracts, insertCosts } from '../psa/seed-contracts.ts';
import { insertMovements } from '../psa/seed-movements.ts';
import { insertBundles } from '../services/seed-bundles.ts';
import { insertCommitments } from '../services/seed-commitments.ts';
import type { Write } from '../tables.ts';
import { insertPlatforms, insertUsage } from '../usage/seed.ts';
import { insertNamedUser, namedUsers } from '../users/seed.ts';
import { insertVoiceOrders } from '../voice/seed.ts';
import { insertAccount, insertReseller, resellers, staff } from './accounts.ts';
import { insertEuroReseller } from './euro.ts';
import { insertLargeReseller } from './large.ts';

/**
 * Something that is put into a database once. It may find some or all of its rows there, put in before parts were
 * recorded, and leaves them as they are; what it builds on may have been renamed or deleted by then.
 */
type Part = {
  /** Never changes, nor does what has been in a released part: what is new is a part of its own. */
  readonly name: string;
  /** True: it is in every database that was ever filled. */
  readonly isFirst?: true;
  insert(trx: Write, filling: { readonly now: Date; readonly passwordHash: string }): Promise<void>;
};

/** In order. */
export const parts: readonly Part[] = [
  ...resellers.map(
    (reseller): Part => ({ name: `reseller ${reseller.id}`, insert: trx => insertReseller(trx, reseller) }),
  ),
  ...staff.map(
    (person): Part => ({
      name: `account ${person.username}`,
      insert: (trx, { passwordHash }) => insertAccount(trx, person, passwordHash),
    }),
  ),
  ...people.map(
    (person): Part => ({
      name: `identity ${person.username}`,
      insert: (trx, { passwordHash }) => insertPerson(trx, person, passwordHash),
    }),
  ),
  {
    name: 'customers',
    isFirst: true,
    insert: (trx, { now, passwordHash }) => insertCustomers(trx, now, passwordHash),
  },
  ...namedUsers.map(
    (user): Part => ({
      name: `user ${user.email}`,
      insert: (trx, { now, passwordHash }) => insertNamedUser(trx, user, now, passwordHash),
    }),
  ),
  { name: 'partners', insert: insertPartners },
  { name: 'product announcements', insert: insertProductAnnouncements },
  { name: 'links', insert: (trx, { now }) => insertLinks(trx, now) },
  { name: 'usage', insert: (trx, { now }) => insertUsage(trx, now) },
  { name: 'policies', insert: insertPolicies },
  { name: 'voice orders', insert: (trx, { now }) => insertVoiceOrders(trx, now) },
  { name: 'many mailboxes', insert: insertManyMailboxes },
  { name: 'mail', insert: (trx, { now }) => insertMail(trx, now) },
  { name: 'business systems', insert: (trx, { now }) => insertPsa(trx, now) },
  { name: 'movements', insert: (trx, { now }) => insertMovements(trx, now) },
  { name: 'contracts', insert: (trx, { now }) => insertContracts(trx, now) },
  { name: 'costs of contracts', insert: insertCosts },
  { name: 'cloud platforms', insert: (trx, { now }) => insertPlatforms(trx, now) },
  { name: 'commitments', insert: (trx, { now }) => insertCommitments(trx, now) },
  { name: 'secure upgrade', insert: openSecureUpgrade },
  { name: 'payment methods', insert: (trx, { now }) => insertPayments(trx, now) },
  { name: 'orders', insert: insertOrders },
  // Of databases that were filled before their orders stood in the list.
  { name: 'orders that are not settled', insert: trx => insertPastOrders(trx, isUnsettled) },
  { name: 'bundles', insert: insertBundles },
  ...resellers.map(({ id }): Part => ({ name: `signatures ${id}`, insert: trx => insertSignatures(trx, id) })),
  {
    name: 'reseller in euros with customers',
    insert: (trx, { now, passwordHash }) => insertEuroReseller(trx, now, passwordHash),
  },
  { name: 'selling prices', insert: insertSellingPrices },
  { name: 'invoices', insert: (trx, { now }) => insertInvoices(trx, now) },
];

/** Only for a database that is new. */
export const largePart: Part = {
  name: 'large reseller',
  insert: (trx, { now, passwordHash }) => insertLargeReseller(trx, now, passwordHash),
};
