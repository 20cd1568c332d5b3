import type { Caller } from '../auth/caller.ts';
import { validatePassword } from '../auth/password-rules.ts';
import { hashPassword } from '../auth/passwords.ts';
import type { Permission, View } from '../auth/words.ts';
import { differences, isSame, recordActivity } from '../customers/activity.ts';
import { refreshCustomer } from '../customers/refresh.ts';
import { customerIdOf } from '../customers/scope.ts';
import { conflict, invalid, notPermitted } from '../http/errors.ts';
import { sendHint } from '../notifications/hints.ts';
import { sendWelcome } from '../outbox/welcome.ts';
import type { Database, Write } from '../tables.ts';
import { findUser } from './read.ts';

export type NewUser = {
  readonly FirstName: string;
  readonly LastName: string;
  readonly Email: string;
  readonly Type: 'endUser' | 'endUserAdmin';
  readonly Phone?: string;
  readonly Password?: string;
};
export type UserChange = { FirstName?: string; LastName?: string; Phone: string; JobTitle: string };

/** What a new account may do, until somebody changes it. */
const rightsOf: Readonly<Record<NewUser['Type'], { views: View[]; permissions: Permission[] }>> = {
  endUser: { views: [], permissions: [] },
  endUserAdmin: { views: ['customers', 'customerUsers', 'manageService'], permissions: ['createCustomerAdmin'] },
};

/** Adds a user with an account, and welcomes the person by mail. */
export async function createUser(trx: Write, caller: Caller, key: string, body: NewUser, now: Date) {
  if (body.Type === 'endUserAdmin' && !caller.permissions.includes('createCustomerAdmin')) throw notPermitted();
  const faults = body.Password === undefined ? [] : await validatePassword(trx, body.Password);
  if (faults.length > 0) throw invalid({ Password: faults });
  const customer_id = await customerIdOf(trx, caller, key);
  const first_name = body.FirstName.trim();
  const last_name = body.LastName.trim();
  const display_name = `${first_name} ${last_name}`;
  const email = body.Email.toLowerCase();
  const { id } = await trx
    .insertInto('users')
    .values({
      customer_id,
      first_name,
      last_name,
      display_name,
      email,
      type: body.Type,
      ...(body.Phone !== undefined && { phone: body.Phone }),
      created: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const account = await trx
    .insertInto('accounts')
    .values({
      username: email,
      email,
      display_name,
      user_type: body.Type,
      password_hash: body.Password === undefined ? null : await hashPassword(body.Password),
      reseller_id: caller.resellerId,
      customer_id,
      user_id: id,
      hide_pricing: true,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await trx
    .insertInto('account_permissions')
    .values({ account_id: account.id, ...rightsOf[body.Type] })
    .execute();
  await refreshCustomer(trx, customer_id, now);
  const told = { detail: email, ...differences({}, { Name: display_name, Email: email }) };
  const event = { action: 'User created', target: display_name, users: [id], ...told } as const;
  await recordActivity(trx, customer_id, caller, now, event);
  await sendWelcome(trx, { name: first_name, email, company: caller.resellerName, hasPassword: !!body.Password }, now);
  return { userId: String(id) };
}

export async function changeUser(
  db: Database,
  caller: Caller,
  key: string,
  userKey: string,
  change: UserChange,
  now: Date,
) {
  await db.transaction().execute(async trx => {
    const user = await findUser(trx, caller, key, userKey);
    const first_name = change.FirstName?.trim() ?? user.first_name;
    const last_name = change.LastName?.trim() ?? user.last_name;
    const display_name = `${first_name} ${last_name}`;
    const row = { first_name, last_name, display_name, phone: change.Phone, job_title: change.JobTitle.trim() };
    await trx.updateTable('users').set(row).where('id', '=', user.id).execute();
    await trx.updateTable('accounts').set({ display_name }).where('user_id', '=', user.id).execute();
    const told = differences(
      { Name: user.display_name, Phone: user.phone, 'Job title': user.job_title },
      { Name: display_name, Phone: row.phone ?? user.phone, 'Job title': row.job_title },
    );
    if (isSame(told)) return;
    const event = { action: 'User changed', target: display_name, users: [user.id], ...told } as const;
    await recordActivity(trx, user.customer_id, caller, now, event);
  });
}

/** Suspends a user, who is then locked out, or lets a suspended one go on. */
export async function setUserSuspended(
  trx: Write,
  caller: Caller,
  key: string,
  userKey: string,
  suspended: boolean,
  now: Date,
) {
  const user = await findUser(trx, caller, key, userKey);
  if (user.id === caller.userId) throw conflict('You cannot suspend yourself.');
  if (user.status !== (suspended ? 'Active' : 'Suspended')) {
    throw conflict(suspended ? 'Only an active user can be suspended.' : 'This user is not suspended.');
  }
  const status = suspended ? 'Suspended' : 'Active';
  await trx.updateTable('users').set({ status }).where('id', '=', user.id).execute();
  const accounts = await trx
    .updateTable('accounts')
    .set({ enabled: !suspended })
    .where('user_id', '=', user.id)
    .returning('id')
    .execute();
  if (suspended) for (const { id } of accounts) await sendHint(trx, { account: id }, 'end');
  const action = suspended ? 'User suspended' : 'User reactivated';
  const told = { before: user.status, after: status };
  const event = { action, target: user.display_name, users: [user.id], ...told } as const;
  await recordActivity(trx, user.customer_id, caller, now, event);
}

/** Deletes a user with the account and everything that was the user's own. */
export async function deleteUser(trx: Write, caller: Caller, key: string, userKey: string, now: Date) {
  const user = await findUser(trx, caller, key, userKey);
  if (user.id === caller.userId) throw conflict('You cannot delete yourself.');
  const accounts = await trx.deleteFrom('accounts').where('user_id', '=', user.id).returning('id').execute();
  for (const { id } of accounts) await sendHint(trx, { account: id }, 'end');
  await trx.deleteFrom('users').where('id', '=', user.id).execute();
  await refreshCustomer(trx, user.customer_id, now);
  const told = differences({ Name: user.display_name, Email: user.email }, {});
  const event = { action: 'User deleted', target: user.display_name, detail: user.email, ...told } as const;
  await recordActivity(trx, user.customer_id, caller, now, event);
}
