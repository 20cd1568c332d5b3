import { sql } from 'kysely';
import { requireApproval } from '../approvals/require.ts';
import type { Caller } from '../auth/caller.ts';
import { differences, recordActivity } from '../customers/activity.ts';
import { refreshCustomer } from '../customers/refresh.ts';
import { notPermitted } from '../http/errors.ts';
import { refuseConflict } from '../http/refusals.ts';
import type { Finding } from '../leaving/task.ts';
import { refuseAbove } from '../roles/change.ts';
import {
  addedRights,
  noRights,
  notHeld,
  ofMailboxes,
  type Rights,
  readRights,
  settleRights,
  tellRights,
} from '../roles/rights.ts';
import { readUsualRights } from '../roles/usual-role.ts';
import { isHeld } from '../services/held.ts';
import type { Database, Write } from '../tables.ts';
import { isOwnOfCustomer } from './accounts.ts';
import { putBack } from './kept-rows.ts';
import type { DeletedUserRow, KeptRows } from './tables.ts';

type Address = { readonly customerId: string; readonly userId: number };
type Restoring = { readonly caller: Caller; readonly now: Date };

const findDeleted = (db: Database, { customerId, userId }: Address, now: Date) =>
  db
    .selectFrom('deleted_users')
    .selectAll()
    .where('customer_id', '=', customerId)
    .where('user_id', '=', userId)
    .where('until', '>', now);

type Obstacle = 'RestoreOver' | 'EmailTakenSince' | 'SignInNameTakenSince' | 'HoldsMore' | null;

/**
 * Tells what restoring a deleted user brings back and what it does not, and what stands in the way.
 * @throws {CloudError} 403 as `restoreUser`
 */
export async function checkRestoring(db: Database, address: Address, { caller, now }: Restoring) {
  const row = await findDeleted(db, address, now).executeTakeFirst();
  if (!row) return { Obstacle: 'RestoreOver' as Obstacle, Findings: [] };
  refuseAdministrator(caller, row);
  return { Obstacle: await obstacleTo(db, caller, row), Findings: await findingsOf(db, row) };
}

/** Only whoever may create administrators of a customer may restore one. */
function refuseAdministrator(caller: Caller, { type }: DeletedUserRow): void {
  if (type === 'endUserAdmin' && !caller.permissions.includes('createCustomerAdmin')) throw notPermitted();
}

async function obstacleTo(db: Database, caller: Caller, { email, kept }: DeletedUserRow): Promise<Obstacle> {
  const { rows } = await sql<{ email: boolean; mailbox: boolean; name: boolean }>`
    with names as (
      select lower(username) as name from jsonb_to_recordset(${JSON.stringify(kept.rows.accounts ?? [])}) k (username text))
    select exists (select from users where lower(email) = lower(${email})) as email,
      exists (select from mail_addresses where contact_id is null
        and lower(address) = lower(${primaryIn(kept) ?? null})) as mailbox,
      exists (select from names n join accounts a on lower(a.username) = n.name)
        or exists (select from names n join former_sign_in_names f on f.name = n.name) as name`.execute(db);
  if (rows[0]!.email || rows[0]!.mailbox) return 'EmailTakenSince';
  if (rows[0]!.name) return 'SignInNameTakenSince';
  if (caller.customerId === null) return null;
  const held = await readRights(db, caller.accountId);
  return notHeld(held, rightsIn(kept)).length > 0 ? 'HoldsMore' : null;
}

const rightsIn = ({ rows: { account_permissions = [] } }: KeptRows): string[] =>
  account_permissions.flatMap(({ views, permissions }) => [...(views as string[]), ...(permissions as string[])]);

/** The address that the mailbox wrote from. */
const primaryIn = ({ rows: { mail_addresses = [] } }: KeptRows): unknown =>
  mail_addresses.find(({ is_primary }) => is_primary)?.address;

async function findingsOf(db: Database, { customer_id, services, kept }: DeletedUserRow): Promise<Finding[]> {
  const ids = [
    ...(kept.rows.user_services ?? []).map(({ instance_id }) => Number(instance_id)),
    ...(kept.links['service_instances.user_id'] ?? []).map(({ id }) => id),
  ];
  const back = db
    .selectFrom('service_instances as i')
    .select('i.id')
    .where('i.customer_id', '=', customer_id)
    .where('i.id', 'in', [0, ...ids])
    .where('i.user_id', 'is', null)
    .where(isHeld('i'));
  const count = (await back.execute()).length;
  const mailbox = primaryIn(kept);
  const found = (Code: string, Count: number, Detail = '') => (Count > 0 ? [{ Code, Count, Detail }] : []);
  return [
    ...found('ServicesBack', count),
    ...found('ServicesGone', Math.max(services - count, 0)),
    ...found('MailboxBack', mailbox ? 1 : 0, String(mailbox ?? '')),
    ...found('PasswordMissing', kept.rows.accounts?.some(({ password_hash }) => password_hash === null) ? 1 : 0),
  ];
}

/**
 * Restores a deleted user with the id, sign-in, roles, services and mailbox that are there still; sign-ins, links and keys
 * stay ended. Rights are those that the roles give today.
 * @throws {CloudError} 409 where nothing is kept any more or the address or sign-in name is taken, and for whom holds more
 * than the caller; 403 for an administrator of a customer without the right to create one; as `requireApproval` for who
 * gets more rights back than users usually have
 */
export async function restoreUser(trx: Write, address: Address, { caller, now }: Restoring): Promise<void> {
  const row = await findDeleted(trx, address, now).forUpdate().executeTakeFirst();
  if (!row) throw refuseConflict('RestoreOver');
  refuseAdministrator(caller, row);
  const obstacle = await obstacleTo(trx, caller, row);
  if (obstacle) throw refuseConflict(obstacle);
  await putBack(trx, row.kept);
  await trx.deleteFrom('deleted_users').where('id', '=', row.id).execute();
  await settleRestored(trx, caller, row);
  await refreshCustomer(trx, row.customer_id, now);
  const { display_name, email, user_id } = row;
  const told = differences({}, { Name: display_name, Email: email });
  const event = { action: 'User restored', target: display_name, detail: email, users: [user_id], ...told } as const;
  await recordActivity(trx, row.customer_id, caller, now, event);
}

/** Gives the accounts of a restored user what their roles give today. */
async function settleRestored(trx: Write, caller: Caller, { user_id, display_name, type }: DeletedUserRow) {
  const accounts = await trx.selectFrom('accounts').select('id').where('user_id', '=', user_id).execute();
  const ids = accounts.map(({ id }) => id);
  await settleRights(trx, ids);
  for (const id of ids) await refuseAbove(trx, caller, id);
  if (isOwnOfCustomer(caller)) return;
  const usual = type === 'endUser' ? await readUsualRights(trx, 'endUser') : noRights;
  const rights = await Promise.all(ids.map(id => readRights(trx, id)));
  const isWider = (held: Rights) => addedRights(usual, held).some(name => !ofMailboxes.includes(name));
  if (!rights.some(isWider)) return;
  await requireApproval(trx, caller, { kind: 'RoleWidening', count: 1 }, () => ({
    ...{ target: display_name, names: [display_name], price: null },
    ...differences({}, tellRights(rights[0] ?? noRights)),
  }));
}
