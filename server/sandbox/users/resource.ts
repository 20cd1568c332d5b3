import { sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { allOf, anyOf, managesUsers, oneself, permission, readsCustomers } from '../auth/needs.ts';
import { refreshCustomer } from '../customers/refresh.ts';
import { date, email, filled, id, integer, list, money, object, orNull, phone, string, text } from '../http/schema.ts';
import { addressOfUser, primaryOf } from '../mail/addresses.ts';
import { lowered, type Resource, trimmed } from '../resource/declaration.ts';
import { ofCustomer } from '../resource/owners.ts';
import { holdOwnReseller } from '../roles/change.ts';
import { isHeld } from '../services/held.ts';
import { countOfServices, isOfUser, unitCharge } from '../services/holders.ts';
import {
  addAccount,
  changeUserType,
  checkChange,
  checkNewUser,
  notOneself,
  removeAccounts,
  renameAccount,
  switchAccounts,
} from './accounts.ts';
import { otherAdministrators } from './administrators.ts';
import { deletionObstacle } from './obstacle.ts';
import { userProfileVersion } from './profile-version.ts';
import type { UserRow } from './tables.ts';

const mailbox = object({ Address: string, QuotaMb: integer, UsedMb: integer });
const mailboxOf = () => sql`(select json_build_object('Address', ${primaryOf(sql`m.id`)}, 'QuotaMb', m.quota_mb,
  'UsedMb', m.used_mb) from mailboxes m where m.user_id = users.id)`;
/** The names of the distribution groups that the user is in. */
const groupsOf = () => sql`(select coalesce(json_agg(g.name order by lower(g.name)), '[]')
  from group_members gm join distribution_groups g on g.id = gm.group_id where gm.user_id = users.id)`;
/** One of each service that the user has. */
const monthlyCost = () => sql`(select coalesce(sum(${unitCharge}), 0) from service_instances i
  where i.customer_id = users.customer_id and ${isOfUser(sql`users.id`)} and ${isHeld('i')})`;

/** How many other administrators of the customer can sign in; null of a user who is none. */
const administratorsLeft = () =>
  sql`case when users.type = 'endUserAdmin' then ${otherAdministrators(sql`users.customer_id`, sql`users.id`)} end`;

/** Fields that are told before users are suspended or deleted, for who may do that. */
const toldBefore = { only: 'list', isFor: (caller: Caller) => managesUsers.isMet(caller, {}) } as const;

/** The name that the user signs in with. */
const accountOf = () => sql`(select username from accounts a where a.user_id = users.id order by id limit 1)`;

/** Suspending a user, and lifting that. */
const switching = {
  needs: managesUsers,
  holds: holdOwnReseller,
  before: notOneself,
  after: switchAccounts,
  event: ({ id }: UserRow) => ({ users: [id] }),
};

/** Making a user an administrator of the customer, and reverting that (document 2, section 7: end-user admin revert). */
const retyping = {
  needs: allOf(managesUsers, permission('createCustomerAdmin')),
  holds: holdOwnReseller,
  before: notOneself,
  after: changeUserType,
  gives: ['Account'],
  event: ({ id }: UserRow) => ({ users: [id] }),
};

/** The users of a customer. An end user reaches only the own one. */
export const users: Resource<UserRow> = {
  noun: 'user',
  tag: 'users',
  table: 'users',
  path: '/api/customers/:customerId/users',
  key: 'userId',
  owner: ofCustomer,
  title: 'DisplayName',
  fields: [
    { name: 'UserId', column: 'id', shape: id },
    { name: 'DisplayName', sorts: true, searched: true, label: 'Name' },
    { name: 'FirstName', rule: filled(50), stored: trimmed, only: 'details' },
    { name: 'LastName', rule: filled(50), stored: trimmed, only: 'details' },
    { name: 'Email', rule: email, stored: lowered, sorts: true, searched: true },
    { name: 'Phone', rule: phone, only: 'details' },
    { name: 'JobTitle', rule: text(100), stored: trimmed, only: 'details' },
    { name: 'Type', rule: { enum: ['endUser', 'endUserAdmin'] } },
    { name: 'Status', sorts: true },
    { name: 'Mailbox', column: () => addressOfUser(sql`users.id`), shape: orNull(string), only: 'list' },
    { name: 'Mailbox', column: mailboxOf, shape: orNull(mailbox), only: 'details' },
    { name: 'Groups', column: groupsOf, shape: list(string), only: 'details' },
    { name: 'Obstacle', column: deletionObstacle, shape: orNull(string), ...toldBefore },
    { name: 'Services', column: countOfServices, shape: integer, ...toldBefore },
    { name: 'OtherAdministrators', column: administratorsLeft, shape: orNull(integer), ...toldBefore },
    { name: 'LastSignIn', shape: orNull(date), sorts: true },
    { name: 'Created', shape: date, made: now => now },
    { name: 'MonthlyCost', column: monthlyCost, shape: money, only: 'details' },
    { name: 'Currency', column: ({ currency }) => sql`${currency}::text`, only: 'details' },
    { name: 'Notes', only: 'details', isFor: ({ customerId }: Caller) => customerId === null },
    {
      name: 'SignInName',
      column: accountOf,
      shape: orNull(string),
      only: 'details',
      isFor: ({ customerId, views }: Caller) => customerId === null && views.includes('manageUsers'),
    },
    { name: 'Password', rule: { type: 'string', maxLength: 256 }, only: 'body' },
    { name: 'Account', column: accountOf, shape: orNull(string), only: 'write' },
    { name: 'Version', column: () => userProfileVersion, rule: text(64), only: 'details' },
    // Said by an invitation, which mails in place of the welcome.
    { name: 'IsInvited', only: 'body' },
  ],
  list: {
    needs: readsCustomers,
    sort: 'DisplayName',
    filters: { status: { enum: ['Active', 'Suspended'] }, type: { enum: ['endUser', 'endUserAdmin'] } },
    largestPage: 1000,
  },
  read: { needs: anyOf(readsCustomers, oneself) },
  // Without a password the person cannot sign in until one is set.
  create: {
    needs: managesUsers,
    takes: ['FirstName', 'LastName', 'Email', 'Type', 'Phone?', 'Password?'],
    action: 'User created',
    tells: ['DisplayName', 'Email'],
    event: row => ({ detail: row.email, users: [row.id] }),
    before: checkNewUser,
    after: addAccount,
  },
  // An end user keeps the name, which only others change.
  change: {
    needs: anyOf(managesUsers, oneself),
    holds: holdOwnReseller,
    takes: ['FirstName?', 'LastName?', 'Phone', 'JobTitle', 'Version?'],
    action: 'User changed',
    tells: ['DisplayName', 'Phone', 'JobTitle'],
    event: ({ id }) => ({ users: [id] }),
    before: checkChange,
    after: renameAccount,
  },
  remove: {
    needs: managesUsers,
    holds: holdOwnReseller,
    gives: ['Account'],
    action: 'User deleted',
    tells: ['DisplayName', 'Email'],
    event: row => ({ detail: row.email }),
    before: removeAccounts,
    after: async ({ trx, row, now }) => await refreshCustomer(trx, row.customer_id, now),
  },
  verbs: {
    suspend: {
      ...switching,
      from: { status: 'Active' },
      to: { status: 'Suspended' },
      otherwise: 'Only an active user can be suspended.',
      said: 'The user was suspended.',
      gives: ['Account'],
      action: 'User suspended',
    },
    reactivate: {
      ...switching,
      from: { status: 'Suspended' },
      to: { status: 'Active' },
      otherwise: 'This user is not suspended.',
      said: 'The user was reactivated.',
      action: 'User reactivated',
    },
    'make-administrator': {
      ...retyping,
      from: { type: 'endUser' },
      to: { type: 'endUserAdmin' },
      otherwise: 'This user is an administrator already.',
      said: 'The user is an administrator now.',
      mayWait: true,
      action: 'User made administrator',
    },
    'revert-administrator': {
      ...retyping,
      from: { type: 'endUserAdmin' },
      to: { type: 'endUser' },
      otherwise: 'This user is no administrator.',
      said: 'The administrator is a user again.',
      action: 'Administrator made user',
    },
  },
};
