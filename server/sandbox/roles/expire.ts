import { sql } from 'kysely';
import type { Work } from '../every.ts';
import { sendHint } from '../notifications/hints.ts';
import type { Parts } from '../parts.ts';
import { dayOf } from './account-access.ts';
import { recordAccess } from './activity.ts';
import { holdReseller } from './change.ts';
import { settleRights } from './rights.ts';

/** Takes away the roles whose last day (UTC) is over, an account at a time. */
export function createExpiry({ db, now }: Pick<Parts, 'db' | 'now'>): Work {
  const due = (today: string) =>
    db
      .selectFrom('account_roles as h')
      .innerJoin('accounts as a', 'a.id', 'h.account_id')
      .select(['a.id', 'a.reseller_id', 'a.display_name', 'a.customer_id', 'a.user_id'])
      .distinct()
      .where(sql<boolean>`h.until < ${today}`)
      .orderBy('a.id')
      .execute();

  return {
    async run() {
      const today = dayOf(now());
      for (const account of await due(today))
        await db.transaction().execute(async trx => {
          await holdReseller(trx, account.reseller_id);
          const over = await trx
            .deleteFrom('account_roles as h')
            .using('roles as r')
            .whereRef('r.id', '=', 'h.role_id')
            .where('h.account_id', '=', account.id)
            .where(sql<boolean>`h.until < ${today}`)
            .returning('r.name')
            .execute();
          await settleRights(trx, [account.id]);
          const before = {
            Roles: over
              .map(({ name }) => name)
              .sort()
              .join(', '),
          };
          const event = { action: 'Role ended', target: account.display_name, before, after: { Roles: 'None' } };
          await recordAccess(trx, { resellerId: account.reseller_id, now: now() }, event, account);
          await sendHint(trx, { account: account.id }, { kind: 'permissions-changed' });
        });
    },
  };
}
