import { readDemand, requireApproval } from '../approvals/require.ts';
import type { Caller } from '../auth/caller.ts';
import { validatePassword } from '../auth/password-rules.ts';
import { hashPassword } from '../auth/passwords.ts';
import { differences } from '../customers/activity.ts';
import { refreshCustomer } from '../customers/refresh.ts';
import { conflict, invalid, notPermitted } from '../http/errors.ts';
import { refuseConflict } from '../http/refusals.ts';
import { sendHint } from '../notifications/hints.ts';
import { sendWelcome } from '../outbox/welcome.ts';
import type { Creating, WritingOf } from '../resource/declaration.ts';
import { refuseAbove } from '../roles/change.ts';
import { addedRights, noRights, type Rights, readRights, tellRights } from '../roles/rights.ts';
import { giveRoleOfType, giveUsualRole } from '../roles/usual-role.ts';
import { endSignIns } from '../staff/acts.ts';
import type { Database } from '../tables.ts';
import { keepUser } from './deleted.ts';
import { obstacleToDeletion } from './obstacle.ts';
import { userProfileVersion } from './profile-version.ts';
import type { UserRow } from './tables.ts';

type NewUser = {
  readonly FirstName: string;
  readonly LastName: string;
  readonly Email: string;
  readonly Type: UserRow['type'];
  readonly Password?: string;
  readonly IsInvited?: boolean;
  readonly Version?: string;
};

/** Reads the domain that the addresses of a customer's users end with. */
export async function readDomain(db: Database, { customer_id }: Readonly<Record<string, unknown>>): Promise<string> {
  const found = db.selectFrom('customers').select('domain').where('id', '=', String(customer_id));
  return (await found.executeTakeFirstOrThrow()).domain.toLowerCase();
}

/** True of an address of a domain, itself in small letters. */
export const isOfDomain = (email: string, domain: string): boolean => email.toLowerCase().endsWith(`@${domain}`);

/**
 * Checks a new user before it is inserted; gives the columns to add.
 * @throws {CloudError} 403 when the caller may not create an administrator, 409 where one needs a second person, 400 for
 * an address of another domain and for a password that breaks the rules
 */
export async function checkNewUser({ trx, caller, body, owned }: Creating) {
  const { FirstName, LastName, Email, Type, Password } = body as NewUser;
  const domain = await readDomain(trx, owned);
  if (!isOfDomain(Email, domain)) throw invalid({ Email: [`Must be an address of ${domain}`] });
  if (Type === 'endUserAdmin' && !caller.permissions.includes('createCustomerAdmin')) throw notPermitted();
  if (Type === 'endUserAdmin' && !(body as NewUser).IsInvited) await refuseDemanded(trx, caller);
  const faults = Password === undefined ? [] : await validatePassword(trx, Password);
  if (faults.length > 0) throw invalid({ Password: faults });
  return { display_name: `${FirstName.trim()} ${LastName.trim()}` };
}

/**
 * Refuses to create an administrator where that needs a second person: what waits is kept, which a password must not be.
 * Making a user an administrator waits, and so does an invitation.
 * @throws {CloudError} 409
 */
async function refuseDemanded(trx: Database, caller: Caller): Promise<void> {
  if (!isOwnOfCustomer(caller) && (await readDemand(trx, caller.resellerId, 'RoleWidening')) !== undefined)
    throw refuseConflict('AdministratorWaits');
}

/** True of somebody of a customer in their own name: what a reseller demands is demanded of its own people. */
export const isOwnOfCustomer = ({ customerId, actorName }: Caller): boolean =>
  customerId !== null && actorName === null;

/** Adds the sign-in account of a new user and mails a welcome, unless an invitation does; runs after the user is created. */
export async function addAccount({ trx, caller, now, body, row }: WritingOf<UserRow>): Promise<void> {
  const { Password, IsInvited } = body as NewUser;
  const { id: user_id, customer_id, display_name, email, type, first_name: name } = row;
  const account = await trx
    .insertInto('accounts')
    .values({
      username: email,
      email,
      display_name,
      user_type: type,
      password_hash: Password === undefined ? null : await hashPassword(Password),
      reseller_id: caller.resellerId,
      customer_id,
      user_id,
      hide_pricing: true,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  // An invitation gives the role itself, as more rights that may wait.
  if (!IsInvited) await giveUsualRole(trx, account.id, type, { now, by: caller.displayName });
  await refreshCustomer(trx, customer_id, now);
  if (IsInvited) return;
  const of = { resellerId: caller.resellerId, customerId: customer_id };
  await sendWelcome(trx, { name, email, company: caller.resellerName, hasPassword: !!Password, ...of }, now);
}

/**
 * Refuses a change of what somebody else has changed since it was read (`Version`). Gives the display name column that
 * follows from a changed first or last name.
 * @throws {CloudError} 409
 */
export async function checkChange({ trx, body, row }: WritingOf<UserRow>) {
  const { FirstName = row.first_name, LastName = row.last_name, Version } = body as Partial<NewUser>;
  const rows = trx.selectFrom('users').select(userProfileVersion.as('version')).where('id', '=', row.id);
  if (Version !== undefined && Version !== (await rows.executeTakeFirstOrThrow()).version)
    throw refuseConflict('ProfileChanged', { Name: row.display_name });
  return { display_name: `${FirstName.trim()} ${LastName.trim()}` };
}

/** Copies a user's changed display name to the user's sign-in account, whose pages have it at once. */
export async function renameAccount({ trx, row: { id, display_name } }: WritingOf<UserRow>): Promise<void> {
  const accounts = await trx
    .updateTable('accounts')
    .set({ display_name })
    .where('user_id', '=', id)
    .where('display_name', '<>', display_name)
    .returning('id')
    .execute();
  for (const account of accounts) await sendHint(trx, { account: account.id }, { kind: 'permissions-changed' });
}

/**
 * Keeps a user who is being deleted, so that they can be restored, deletes their accounts and ends their sessions.
 * @throws {CloudError} 409 as `obstacleToDeletion`
 */
export async function removeAccounts({ trx, caller, row, now }: WritingOf<UserRow>): Promise<undefined> {
  const obstacle = await obstacleToDeletion(trx, caller, row.id);
  if (obstacle === 'DeletesOneself') throw conflict('You cannot delete yourself.');
  if (obstacle) throw refuseConflict(obstacle);
  await keepUser({ trx, caller, row, now });
  const accounts = await trx.deleteFrom('accounts').where('user_id', '=', row.id).returning('id').execute();
  for (const { id } of accounts) await sendHint(trx, { account: id }, 'end');
}

/**
 * Refuses that people suspend themselves, or change what kind of user they are.
 * @throws {CloudError} 409
 */
export async function notOneself({ caller, row }: WritingOf<UserRow>): Promise<undefined> {
  if (row.id === caller.userId) throw conflict('You cannot do this to yourself.');
}

/** Disables the accounts of a user who was suspended, and ends their sessions; or enables them again. */
export async function switchAccounts({ trx, row }: WritingOf<UserRow>): Promise<void> {
  const enabled = row.status === 'Active';
  const accounts = await trx
    .updateTable('accounts')
    .set({ enabled })
    .where('user_id', '=', row.id)
    .returning('id')
    .execute();
  if (!enabled) for (const { id } of accounts) await sendHint(trx, { account: id }, 'end');
}

/**
 * Makes a user an administrator of the customer, or the other way round: their roles go, they get the usual one, and
 * every sign-in of theirs ends.
 * @throws {CloudError} 409 for who holds rights that the caller lacks; as `requireApproval` where they get more
 */
export async function changeUserType({ trx, caller, row, now }: WritingOf<UserRow>): Promise<void> {
  const accounts = await trx.selectFrom('accounts').select('id').where('user_id', '=', row.id).execute();
  const before = await rightsOf(trx, accounts);
  for (const { id } of accounts) {
    await refuseAbove(trx, caller, id);
    await trx.updateTable('accounts').set({ user_type: row.type }).where('id', '=', id).execute();
    await giveRoleOfType(trx, id, row.type, { now, by: caller.displayName });
    await endSignIns(trx, id, now);
  }
  const after = await rightsOf(trx, accounts);
  if (isOwnOfCustomer(caller) || !after.some((rights, at) => addedRights(before[at]!, rights).length > 0)) return;
  const tell = (all: readonly Rights[]) => tellRights(all[0] ?? noRights);
  await requireApproval(trx, caller, { kind: 'RoleWidening', count: 1 }, () => ({
    ...{ target: row.display_name, names: [row.display_name], price: null },
    ...differences(tell(before), tell(after)),
  }));
}

const rightsOf = (db: Database, accounts: readonly { readonly id: number }[]): Promise<Rights[]> =>
  Promise.all(accounts.map(({ id }) => readRights(db, id)));
