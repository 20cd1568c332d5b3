import { sql } from 'kysely';
import { differences, isSame, recordActivity, type State } from '../customers/activity.ts';
import { conflict, notFound, notPermitted } from '../http/errors.ts';
import { routesOf } from '../http/route.ts';
import { type App, object } from '../http/schema.ts';
import { sendHint } from '../notifications/hints.ts';
import type { Parts } from '../parts.ts';
import { view } from './needs.ts';
import { permissions, views } from './words.ts';

const rights = object({
  views: { type: 'array', items: { enum: views }, uniqueItems: true },
  permissions: { type: 'array', items: { enum: permissions }, uniqueItems: true },
});

type Rights = { readonly views: readonly string[] | null; readonly permissions: readonly string[] | null };
const tell = ({ views, permissions }: Rights): State => ({
  Views: views?.join(', ') || 'None',
  Permissions: permissions?.join(', ') || 'None',
});

/**
 * Adds the route that changes the rights of another account of the same reseller (document 1, section 7: permissions
 * update).
 */
export function addRightsRoutes(app: App, { db, now }: Parts): void {
  const route = routesOf(app, db, { tags: ['account'], needs: view('manageUsers') });

  route('PUT /api/permissions/:userName', { body: rights }, async ({ caller, params: { userName }, body }) => {
    if (caller.customerId !== null) throw notPermitted();
    await db.transaction().execute(async trx => {
      const account = await trx
        .selectFrom('accounts')
        .leftJoin('account_permissions as held', 'held.account_id', 'accounts.id')
        .select(['accounts.id', 'customer_id', 'user_id', 'display_name', 'held.views', 'held.permissions'])
        .where(sql`lower(username)`, '=', userName.toLowerCase())
        .where('reseller_id', '=', caller.resellerId)
        .executeTakeFirstOrThrow(notFound);
      if (account.id === caller.accountId) throw conflict('You cannot change your own permissions.');
      const row = { views: [...body.views], permissions: [...body.permissions] };
      await trx
        .insertInto('account_permissions')
        .values({ account_id: account.id, ...row })
        .onConflict(existing => existing.column('account_id').doUpdateSet(row))
        .execute();
      const told = differences(tell(account), tell(row));
      if (account.customer_id !== null && !isSame(told)) {
        const users = account.user_id === null ? [] : [account.user_id];
        const event = { action: 'Permissions changed', target: account.display_name, users, ...told } as const;
        await recordActivity(trx, account.customer_id, caller, now(), event);
      }
      await sendHint(trx, { account: account.id }, { kind: 'permissions-changed' });
    });
    return 'The permissions were saved.';
  });
}
