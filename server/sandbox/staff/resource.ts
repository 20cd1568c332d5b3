import { type RawBuilder, sql } from 'kysely';
import type { Caller } from '../auth/caller.ts';
import { changesStaff, managesPeople } from '../auth/needs.ts';
import { boolean, date, id, integer, orNull, string } from '../http/schema.ts';
import type { Resource } from '../resource/declaration.ts';
import { ofReseller } from '../resource/owners.ts';
import { holdOwnReseller } from '../roles/change.ts';
import { seesPrices } from '../roles/rights.ts';
import { containing, exactTo, searchKeyOf } from '../search.ts';
import { afterDisabling, afterEnabling, afterFactorReset, afterRequiring, checkAct } from './acts.ts';
import { actsOn } from './permit.ts';
import type { StaffRow } from './tables.ts';

const ofInvitation = (column: RawBuilder<unknown>) => () =>
  sql`(select ${column} from invitations i where i.account_id = staff.id)`;

const prices = sql`(select case when ${seesPrices} then 'Seen' else 'Hidden' end from accounts a where a.id = staff.id)`;

/** Null for people of customers, whom no limit concerns. */
const sees = sql`case when staff.customer_id is not null then null when not staff.limited then 'All'
  when exists (select from account_customers k where k.account_id = staff.id) or staff.limit_word is not null then 'Some'
  else 'None' end`;
/** How many customers one with a limit sees; no more than lists count. */
const seenCustomers = sql`case when staff.limited then (select count(*) from (
  select from account_customers k where k.account_id = staff.id limit ${exactTo}) counted) end`;

/** As the fields that are searched say, by the indexes of names: the own one, the mail address, and the customer's. */
const finds = (words: string, { resellerId }: Caller) => sql<boolean>`staff.id in (
  select a.id from accounts a
  where a.reseller_id = ${resellerId} and a.user_type <> 'endUser' and ${searchKeyOf(sql`a.display_name || ' ' || a.email`)} like ${containing(words)}
  union
  select a.id from customers c join accounts a on a.customer_id = c.id and a.user_type <> 'endUser'
  where c.reseller_id = ${resellerId} and c.search_text like ${containing(words)} and ${searchKeyOf(sql`c.name`)} like ${containing(words)})`;

/** The people of a reseller and the administrators of its customers, for those of the reseller who manage users. */
export const staff: Resource<StaffRow> = {
  noun: 'person',
  tag: 'staff',
  table: 'staff',
  path: '/api/staff',
  key: 'userName',
  keyField: 'UserName',
  owner: ofReseller,
  title: 'DisplayName',
  fields: [
    { name: 'Id', shape: id },
    { name: 'DisplayName', sorts: true, searched: true },
    { name: 'UserName', column: 'username' },
    { name: 'Email', sorts: true, searched: true },
    { name: 'Kind' },
    { name: 'Team' },
    { name: 'Roles', shape: orNull(string) },
    { name: 'State', sorts: true },
    { name: 'LastSignIn', shape: orNull(date), sorts: true },
    { name: 'SecondFactor', sorts: true },
    { name: 'OrganisationId', shape: orNull(id) },
    { name: 'CustomerName', shape: orNull(string), sorts: true, searched: true },
    { name: 'Sees', column: () => sees, shape: orNull(string) },
    { name: 'Prices', column: () => prices },
    { name: 'SeesCustomers', column: () => seenCustomers, shape: orNull(integer) },
    { name: 'IsOneself', column: ({ accountId }: Caller) => sql`staff.id = ${accountId}`, shape: boolean },
    { name: 'MayAct', column: actsOn, shape: boolean },
    { name: 'LoginFlow', only: 'details' },
    { name: 'FactorRequired', column: 'mfa_required', shape: boolean, only: 'details' },
    { name: 'InvitedBy', column: ofInvitation(sql`i.invited_by`), shape: orNull(string), only: 'details' },
    { name: 'InvitationSent', column: ofInvitation(sql`i.sent`), shape: orNull(date), only: 'details' },
    { name: 'InvitationEnds', column: ofInvitation(sql`i.expires`), shape: orNull(date), only: 'details' },
  ],
  list: {
    needs: managesPeople,
    sort: 'DisplayName',
    finds,
    filters: {
      team: { enum: ['own', 'customers'] },
      kind: { enum: ['reseller', 'admin', 'endUserAdmin'] },
      state: { enum: ['Active', 'Disabled', 'Invited'] },
      secondFactor: { enum: ['On', 'Off', 'Required', 'Elsewhere'] },
      prices: { enum: ['Seen', 'Hidden'] },
      organisationId: { type: 'integer', minimum: 1, maximum: 999_999_999_999 },
    },
    largestPage: 100,
    counts: { filter: 'team', values: { Own: 'own', Customers: 'customers' } },
    csv: 'People',
  },
  read: { needs: managesPeople },
  verbs: {
    disable: {
      needs: changesStaff,
      holds: holdOwnReseller,
      from: { state: 'Active' },
      to: { enabled: false },
      otherwise: 'Only an active person can be disabled.',
      said: 'The account was disabled.',
      gives: ['UserName'],
      before: checkAct,
      after: afterDisabling,
    },
    enable: {
      needs: changesStaff,
      holds: holdOwnReseller,
      from: { state: 'Disabled' },
      to: { enabled: true },
      otherwise: 'This account is not disabled.',
      said: 'The account was enabled.',
      before: checkAct,
      after: afterEnabling,
    },
    'reset-second-factor': {
      needs: changesStaff,
      holds: holdOwnReseller,
      from: { second_factor: 'On' },
      to: { mfa_key: null, mfa_offer: null, mfa_step: 0 },
      otherwise: 'No authenticator app is set up.',
      said: 'The authenticator app was reset.',
      gives: ['UserName'],
      before: checkAct,
      after: afterFactorReset,
    },
    'require-second-factor': {
      needs: changesStaff,
      holds: holdOwnReseller,
      from: { mfa_required: false, login_flow: 'Legacy' },
      to: { mfa_required: true },
      otherwise: 'A second factor is required already, or asked for elsewhere.',
      said: 'A second factor is required from the next sign-in on.',
      before: checkAct,
      after: afterRequiring('Second factor required', 'requires a second factor of you from the next sign-in on.'),
    },
    'waive-second-factor': {
      needs: changesStaff,
      holds: holdOwnReseller,
      from: { mfa_required: true },
      to: { mfa_required: false },
      otherwise: 'No second factor is required.',
      said: 'The second factor is not required any more.',
      before: checkAct,
      after: afterRequiring('Second factor not required', 'does not require a second factor of you any more.'),
    },
  },
};
