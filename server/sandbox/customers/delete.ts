import { sql } from 'kysely';
import { mostNames, requireApproval } from '../approvals/require.ts';
import type { Caller } from '../auth/caller.ts';
import { countUnbilled } from '../billing/unbilled.ts';
import { conflict, invalid, notPermitted } from '../http/errors.ts';
import { sendHint } from '../notifications/hints.ts';
import type { Database, Write } from '../tables.ts';
import { recordActivity } from './activity.ts';
import { normaliseName } from './name.ts';
import { customerIdOf } from './scope.ts';

/** Reasons that keep a customer from being deleted: how each is said of one and of several. */
const reasonsInWords = {
  ActiveServices: ['service is active', 'services are active'],
  ChangingServices: ['service is being changed', 'services are being changed'],
  FailedServices: ['service has failed', 'services have failed'],
  Mailboxes: ['user has a mailbox', 'users have a mailbox'],
  OrdersUnderWay: ['order is under way', 'orders are under way'],
  ToBeBilled: ['charge is still to be billed', 'charges are still to be billed'],
  VoiceOrdersUnderWay: ['order of hosted voice is under way', 'orders of hosted voice are under way'],
} as const;
type DeletionReason = keyof typeof reasonsInWords;
export const deletionReasons = Object.keys(reasonsInWords) as DeletionReason[];

/**
 * Counts what keeps a customer from being deleted (such as services), and the users who would be deleted with it. For
 * the confirmation and for the deletion itself.
 * @throws {CloudError} 403 for a caller of a customer, 404 when the caller does not see the customer
 */
export async function checkDeletion(db: Database, caller: Caller, key: string, now: Date) {
  if (caller.customerId !== null) throw notPermitted();
  const customerId = await customerIdOf(db, caller, key);
  const { rows } = await sql<Record<Exclude<DeletionReason, 'ToBeBilled'> | 'Users', number>>`
    select s."ActiveServices", s."ChangingServices", s."FailedServices", u."Users", u."Mailboxes",
      (select count(*) from orders where customer_id = ${customerId} and status = 'Placed') as "OrdersUnderWay",
      (select count(*) from voice_orders where customer_id = ${customerId} and status <> 'Completed')
        as "VoiceOrdersUnderWay"
    from (
      select count(*) filter (where status_group = 'Active') as "ActiveServices",
        count(*) filter (where status_group = 'Changing') as "ChangingServices",
        count(*) filter (where status_group = 'Failed') as "FailedServices"
      from service_instances where customer_id = ${customerId}
    ) s, (
      select count(*) as "Users", (select count(*) from mailboxes where customer_id = ${customerId}) as "Mailboxes"
      from users where customer_id = ${customerId}
    ) u`.execute(db);
  const found = { ...rows[0]!, ToBeBilled: await countUnbilled(db, customerId, now) };
  const Reasons = deletionReasons.map(Code => ({ Code, Count: found[Code] })).filter(({ Count }) => Count > 0);
  return { CanDelete: Reasons.length === 0, Users: found.Users, Reasons };
}

/**
 * Deletes a customer. Orders and jobs hold the customer's row as this does, so that nothing comes between the check and
 * the deletion.
 * @param confirmation the name of the customer, as it was typed
 * @throws {CloudError} 403 for a caller of a customer, 404 when the caller does not see it, 400 for another name, 409 while
 * something keeps it; as `requireApproval`
 */
export async function deleteCustomer(
  trx: Write,
  caller: Caller,
  key: string,
  confirmation: string,
  now: Date,
): Promise<void> {
  if (caller.customerId !== null) throw notPermitted();
  const id = await customerIdOf(trx, caller, key);
  const { name } = await trx.selectFrom('customers').select('name').where('id', '=', id).executeTakeFirstOrThrow();
  const { Reasons, Users } = await checkDeletion(trx, caller, id, now);
  if (Reasons.length > 0) {
    const words = Reasons.map(({ Code, Count }) => `${Count} ${reasonsInWords[Code][Count === 1 ? 0 : 1]}`);
    throw conflict(`${name} cannot be deleted: ${words.join(', ')}.`);
  }
  if (normaliseName(confirmation) !== name) throw invalid({ Confirmation: [`Must be "${name}"`] });
  await requireApproval(trx, caller, { kind: 'CustomerDeletion', count: Users }, async () => {
    const users = trx.selectFrom('users').select(['first_name', 'last_name']).where('customer_id', '=', id);
    const shown = await users.orderBy('last_name').orderBy('id').limit(mostNames).execute();
    const names = shown.map(({ first_name, last_name }) => `${first_name} ${last_name}`);
    return { target: name, names, before: '', after: '', price: null };
  });
  await removeCustomer(trx, caller, id, now);
}

/**
 * Deletes a customer with its users, their accounts and its history, and ends their sessions. The caller of this has
 * checked that nothing keeps it (`checkDeletion`).
 */
export async function removeCustomer(trx: Write, caller: Caller, id: string, now: Date): Promise<void> {
  const { resellerId } = caller;
  const accounts = await trx.selectFrom('accounts').select('id').where('customer_id', '=', id).execute();
  // What belongs to it follows by its foreign keys.
  const { organisation_id, name } = await trx
    .deleteFrom('customers')
    .where('id', '=', id)
    .returning(['organisation_id', 'name'])
    .executeTakeFirstOrThrow();
  await trx
    .deleteFrom('psa_matches')
    .where('reseller_id', '=', resellerId)
    .where('kind', '=', 'customers')
    .where('own_id', '=', String(organisation_id))
    .execute();
  await recordActivity(trx, { resellerId }, caller, now, { action: 'Customer deleted', target: name });
  for (const account of accounts) await sendHint(trx, { account: account.id }, 'end');
}
